"""Campaigns as readers from outside see them."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from django.db.models import Count, OuterRef, Q, Subquery
from msgspec import Meta

from api.call import Ask, call
from api.calls.campaigns.kinds import Kind, Status
from api.calls.campaigns.lists import ORDERS
from api.calls.standings import StandingsMethod, method_of
from api.paging import Listed, Page, chosen_order, page
from api.shapes import In, Out, Time
from campaigns import access
from campaigns.chronicle import plain_sentence
from campaigns.models import Campaign, JoinRequest, Membership
from campaigns.open_views import EXCERPT, INSIDE
from campaigns.standings import lead, lines, standings

# Lists ------------------------------------------------------------------------------------------------


class OpenCampaignRow(Out):
    """A campaign that everybody can see."""

    id: int
    name: str
    motto: str
    kind: Kind
    status: Status
    game_master: str
    warbands: int
    created: Time


class OpenCampaignsAsked(Listed):
    """Which campaigns, in which order."""

    status: Literal["", "gathering", "running", "ended"] = ""
    kind: Literal["", "open", "tournament", "ladder"] = ""
    order: Literal["", "created", "name"] = ""


@call("get", "open-campaigns", open=True, serves=("campaigns_open",))
def list_open_campaigns(ask: Ask, query: OpenCampaignsAsked) -> Page[OpenCampaignRow]:
    """Campaigns that everybody can see, the newest first."""
    gm = Membership.objects.filter(campaign=OuterRef("pk"), role=Membership.Role.GM).values("person__name")[:1]
    public = Campaign.objects.filter(visibility=Campaign.Visibility.PUBLIC).annotate(
        size=Count("enrolments", filter=Q(enrolments__left=None)), gm=Subquery(gm)
    )
    wanted = {name: getattr(query, name) for name in ("status", "kind")}
    chosen = public.filter(**{name: value for name, value in wanted.items() if value})
    return page(chosen, query, _open_row, chosen_order(ORDERS, query.order, "created"))


def _open_row(campaign: Any) -> OpenCampaignRow:
    return OpenCampaignRow(
        id=campaign.pk,
        name=campaign.name,
        motto=campaign.motto,
        kind=campaign.kind,
        status=campaign.status,
        game_master=campaign.gm or "",
        warbands=campaign.size,
        created=campaign.created,
    )


# From outside -----------------------------------------------------------------------------------------


class OpenStanding(Out):
    """A warband's line, for readers from outside; `lead` is what decides, in words."""

    place: int
    name: str
    army: str
    lead: str
    rating: float
    battles: int
    wins: int
    losses: int
    draws: int


class OpenNews(Out):
    time: Time
    kind: str
    sentence: str


class OpenCampaign(Out):
    """A campaign as readers from outside see it. `you` says whether you are in it or wait to be let in."""

    id: int
    name: str
    motto: str
    kind: Kind
    status: Status
    game_master: str
    method: StandingsMethod
    standings: list[OpenStanding]
    news: list[OpenNews]
    you: Literal["", "member", "waiting"]


@call("get", "open-campaigns/{campaign}", open=True, serves=("open_campaign",))
def read_open_campaign(ask: Ask, campaign: int) -> OpenCampaign:
    """A campaign that everybody can see: standings and the newest of its chronicle."""
    return _from_outside(ask, access.open_campaign(campaign).campaign)


class LinkAsked(In):
    """The last part of the link."""

    token: Annotated[str, Meta(pattern=r"^[-_A-Za-z0-9]{1,64}$")]


@call("get", "campaign-links", open=True, serves=("open_campaign",))
def read_linked_campaign(ask: Ask, query: LinkAsked) -> OpenCampaign:
    """A campaign that is open to whoever has the link."""
    return _from_outside(ask, access.open_campaign(query.token).campaign)


def _from_outside(ask: Ask, campaign: Campaign) -> OpenCampaign:
    found = standings(campaign)
    gm = campaign.memberships.filter(role=Membership.Role.GM).select_related("person").first()
    newest = campaign.events.exclude(kind__in=INSIDE)[:EXCERPT]
    return OpenCampaign(
        id=campaign.pk,
        name=campaign.name,
        motto=campaign.motto,
        kind=campaign.kind,  # type: ignore[arg-type]
        status=campaign.status,  # type: ignore[arg-type]
        game_master=gm.person.name if gm else "",
        method=method_of(campaign),
        standings=list(_open_standings(campaign)) if found.rows else [],
        news=[OpenNews(time=one.time, kind=one.kind, sentence=plain_sentence(one)) for one in newest],
        you=_you(ask, campaign),
    )


def _open_standings(campaign: Campaign) -> Iterator[OpenStanding]:
    found = standings(campaign)
    for line in lines(found.rows, None, found.winner):
        row = line.row
        yield OpenStanding(
            place=row.place, name=line.name, army=line.warband.army if line.warband else "",
            lead=lead(row, found.winner), rating=row.rating, battles=row.battles, wins=row.wins, losses=row.losses,
            draws=row.draws,
        )  # fmt: skip


def _you(ask: Ask, campaign: Campaign) -> Literal["", "member", "waiting"]:
    """Nobody is nobody's member, so whoever is not signed in is found nowhere."""
    if campaign.memberships.filter(person_id=ask.person.pk).exists():
        return "member"
    asked = campaign.join_requests.filter(person_id=ask.person.pk, state=JoinRequest.State.WAITING)
    return "waiting" if asked.exists() else ""
