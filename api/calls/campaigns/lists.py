"""The campaigns that somebody is in."""

from typing import Any, Literal

from django.db.models import F

from api.call import Ask, call
from api.calls.campaigns.kinds import Kind, Role, Status, Visibility
from api.paging import Listed, Page, chosen_order, page
from api.shapes import Out, Time
from campaigns.models import Campaign


class CampaignRow(Out):
    """A campaign in a list, with what you are in it."""

    id: int
    name: str
    motto: str
    kind: Kind
    status: Status
    visibility: Visibility
    role: Role
    created: Time
    begun: Time | None
    ended: Time | None
    version: int


class CampaignsAsked(Listed):
    """Which campaigns, in which order."""

    status: Literal["", "gathering", "running", "ended"] = ""
    kind: Literal["", "open", "tournament", "ladder"] = ""
    role: Literal["", "gm", "co_gm", "player", "spectator"] = ""
    order: Literal["", "created", "name"] = ""


ORDERS = {"created": ("-created", "-pk"), "name": ("name", "pk")}


@call("get", "campaigns", serves=("home",))
def list_campaigns(ask: Ask, query: CampaignsAsked) -> Page[CampaignRow]:
    """The campaigns that you are in, the newest first."""
    mine = Campaign.objects.filter(memberships__person=ask.person).annotate(role=F("memberships__role"))
    wanted = {name: getattr(query, name) for name in ("status", "kind", "role")}
    chosen = mine.filter(**{name: value for name, value in wanted.items() if value})
    return page(chosen, query, _row, chosen_order(ORDERS, query.order, "created"))


def _row(campaign: Any) -> CampaignRow:
    names = CampaignRow.__struct_fields__
    return CampaignRow(**{"id": campaign.pk} | {name: getattr(campaign, name) for name in names if name != "id"})
