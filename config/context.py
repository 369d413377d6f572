"""What every page of the site gets, and the list the navigation is made of."""

from collections.abc import Callable
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Entry(NamedTuple):
    """One entry of the navigation; `under` names the paths at which it is the current one."""

    section: str
    route: str
    label: str | Promise
    icon: str
    under: tuple[str, ...] = ()


NAVIGATION = (
    Entry("campaigns", "home", _("Campaigns"), "campaign", under=("/campaigns/", "/warbands/")),
    Entry("rules", "codex", _("Rules"), "rules", under=("/rules/",)),
)


def navigation(path: str) -> list[dict[str, object]]:
    """The entries as the templates read them; the current one is known by the path of the page."""
    return [
        {"section": entry.section, "url": url, "label": entry.label, "icon": entry.icon, "here": here(entry, url, path)}
        for entry in NAVIGATION
        for url in [reverse(entry.route)]
    ]


def here(entry: Entry, url: str, path: str) -> bool:
    return path == url or path.startswith(entry.under)


def site(request: HttpRequest) -> dict[str, str | Callable[[], list[dict[str, object]]]]:
    return {"site_name": settings.SITE_NAME, "navigation": lambda: navigation(request.path)}
