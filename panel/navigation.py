"""The sidebar, grouped as a game master thinks."""

from typing import TYPE_CHECKING, Any, NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from panel.scope import is_operator

if TYPE_CHECKING:
    from panel.site import PanelSite


class Entry(NamedTuple):
    """`route` is a route of the panel, or `app.model` for the list of a model."""

    label: str | Promise
    icon: str
    route: str
    for_operators: bool = False


GROUPS: tuple[tuple[str | Promise, tuple[Entry, ...]], ...] = (
    ("", (Entry(_("Overview"), "space_dashboard", "index"),)),
    (
        _("Play"),
        (
            Entry(_("Campaigns"), "flag", "campaigns.campaign"),
            Entry(_("Rounds"), "grid_view", "campaigns.round"),
            Entry(_("Battles"), "swords", "campaigns.battle"),
            Entry(_("Reports"), "description", "campaigns.participation"),
            Entry(_("Disputes"), "gavel", "campaigns.dispute"),
            Entry(_("Post-games"), "checklist", "campaigns.run"),
            Entry(_("Batches"), "stacks", "campaigns.batch"),
            Entry(_("Simulations"), "casino", "campaigns.simulation"),
            Entry(_("Webhooks"), "webhook", "campaigns.webhook"),
            Entry(_("Chronicle"), "history_edu", "campaigns.event"),
        ),
    ),
    (
        _("Members"),
        (
            Entry(_("Members"), "group", "campaigns.membership"),
            Entry(_("Invitations"), "mail", "campaigns.invitation"),
            Entry(_("Requests to join"), "person_add", "campaigns.joinrequest"),
        ),
    ),
    (
        _("Warbands"),
        (
            Entry(_("Enrolments"), "how_to_reg", "campaigns.enrolment"),
            Entry(_("Warbands"), "shield", "warbands.warband"),
            Entry(_("Fighters"), "person", "warbands.fighter"),
            Entry(_("Ledgers"), "receipt_long", "warbands.ledgerentry"),
            Entry(_("Audit search"), "manage_search", "audit"),
        ),
    ),
    (
        _("Content"),
        (
            Entry(_("Packs"), "inventory_2", "rules.gamepack"),
            Entry(_("Editions"), "bookmarks", "rules.packedition"),
        ),
    ),
    (
        _("Site"),
        (
            Entry(_("People"), "badge", "accounts.user"),
            Entry(_("Lock-outs"), "lock", "axes.accessattempt"),
            Entry(_("Site notices"), "campaign", "panel.sitenotice"),
            Entry(_("Queues and workers"), "conveyor_belt", "queues", for_operators=True),
            Entry(_("Storage"), "database", "storage", for_operators=True),
            Entry(_("Reconciliations"), "balance", "warbands.reconcilerun"),
        ),
    ),
)


def groups(site: "PanelSite", request: HttpRequest) -> list[dict[str, Any]]:
    """As unfold's sidebar reads them; what a person may not open is left out."""
    open_to = {name for name, admin in _lists(site).items() if admin.has_view_permission(request)}
    found = []
    for title, entries in GROUPS:
        items = [_item(entry, request) for entry in entries if _is_open(entry, open_to, request)]
        if items:
            found.append({"title": title, "items": items, "separator": False, "collapsible": False})
    return found


def _lists(site: "PanelSite") -> dict[str, Any]:
    return {model._meta.label_lower: admin for model, admin in site._registry.items()}


def _is_open(entry: Entry, open_to: set[str], request: HttpRequest) -> bool:
    if "." in entry.route:
        return entry.route in open_to
    return not entry.for_operators or is_operator(request.user)


def _item(entry: Entry, request: HttpRequest) -> dict[str, Any]:
    link = _address(entry.route)
    active = request.path == link if entry.route == "index" else request.path.startswith(link)
    return {"title": entry.label, "icon": entry.icon, "link": link, "active": active, "has_permission": True}


def _address(route: str) -> str:
    return reverse(f"admin:{route.replace('.', '_')}_changelist" if "." in route else f"admin:{route}")
