"""What every page of the site gets, and the list the navigation is made of."""

from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from campaigns.acting import acting_in
from campaigns.notices import unread_of
from panel.notices import site_notices


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


def site(request: HttpRequest) -> dict[str, object]:
    """What asks the database waits until a template wants it: parts of pages have no masthead."""
    return {
        "site_name": settings.SITE_NAME,
        "navigation": lambda: navigation(request.path),
        "unread_notices": lambda: unread_notices(request),
        "site_notices": site_notices,
        "acting": lambda: acting_in(request) if hasattr(request, "user") else None,
    }


def unread_notices(request: HttpRequest) -> int:
    """Some requests never came by the middleware that knows who it is."""
    person = getattr(request, "user", None)
    found = acting_in(request) if person is not None else None
    person = found.hand if found else person
    return unread_of(person) if isinstance(person, User) else 0
