"""One campaign: read, called for, used as a pattern."""

from typing import Annotated, Literal

from django.urls import reverse
from msgspec import Meta

from api.call import GM, Ask, call
from api.calls.campaigns.kinds import Kind, Role, Status, Visibility
from api.calls.campaigns.tags import its_members
from api.shapes import In, Name, Out, Time
from campaigns.access import Place, place_for, place_to_run
from campaigns.models import Campaign
from campaigns.services.clone_campaign import clone_campaign as clone
from campaigns.services.create_campaign import create_campaign as create
from campaigns.settings import House
from rules.engine.settings import CampaignSettings

Motto = Annotated[str, Meta(max_length=200)]


class CampaignRules(Out):
    """The settings that are asked for the most; all are at `settings`, for those who run it."""

    winner: str
    points: str
    dice: str
    gating: str
    starting_points: int | None
    warbands_per_player: int
    most_warbands: int
    confirm_hours: int
    run_hours: int
    rounds: int
    table_size: int
    knockout: int
    alliances: bool
    underdog_bonus: bool


class CampaignRead(Out):
    """A campaign and what you are in it. `link` is where readers from outside look in, for those who run it."""

    id: int
    name: str
    motto: str
    kind: Kind
    status: Status
    visibility: Visibility
    link: str
    role: Role
    runs_it: bool
    may_change: bool
    own_warbands: list[int]
    rules: CampaignRules
    created: Time
    begun: Time | None
    ended: Time | None
    version: int


@call("get", "campaigns/{campaign}", tag=its_members, serves=("campaign",))
def read_campaign(ask: Ask, campaign: int) -> CampaignRead:
    """A campaign: what it is, how it is played, and what you are in it."""
    return campaign_read(ask, ask.thing)


def campaign_read(ask: Ask, place: Place) -> CampaignRead:
    row = place.campaign
    assert place.membership is not None
    return CampaignRead(
        id=row.pk, name=row.name, motto=row.motto, kind=row.kind, status=row.status, visibility=row.visibility,  # type: ignore[arg-type]
        link=_outside(ask, row) if place.runs_it else "", role=place.membership.role, runs_it=place.runs_it,  # type: ignore[arg-type]
        may_change=place.may_change, own_warbands=sorted(place.own_warbands), rules=_rules(row), created=row.created,
        begun=row.begun, ended=row.ended, version=row.version,
    )  # fmt: skip


def _rules(campaign: Campaign) -> CampaignRules:
    house, overrides = campaign.house_rules, campaign.settings
    return CampaignRules(
        **{
            name: getattr(house, name) if hasattr(house, name) else getattr(overrides, name)
            for name in CampaignRules.__struct_fields__
        }
    )


def _outside(ask: Ask, campaign: Campaign) -> str:
    """Empty while nobody from outside may look in."""
    if campaign.visibility == Campaign.Visibility.PUBLIC:
        return str(ask.request.build_absolute_uri(reverse("open_campaign", args=[campaign.pk])))
    if campaign.visibility == Campaign.Visibility.LINK and campaign.link_token:
        return str(ask.request.build_absolute_uri(reverse("open_campaign", args=[campaign.link_token])))
    return ""


class CampaignWanted(In):
    """A campaign to be; all other settings begin with their defaults."""

    name: Name
    motto: Motto = ""
    kind: Kind = "open"
    starting_points: Annotated[int, Meta(ge=0, le=10_000)] | None = None
    warbands_per_player: Annotated[int, Meta(ge=0, le=100)] = 1
    winner: Literal["rating", "final_battle", "points", "markers"] = "rating"
    dice: Literal["either", "server", "physical"] = "either"


@call(
    "post",
    "campaigns",
    status=201,
    example={"name": "The Salt Road Winter", "motto": "Who holds the road", "kind": "tournament", "winner": "points"},
    serves=("campaign_new",),
)
def create_campaign(ask: Ask, body: CampaignWanted) -> CampaignRead:
    """Call for a campaign; you are its game master."""
    house = House(warbands_per_player=body.warbands_per_player, winner=body.winner, dice=body.dice)
    made = create(
        actor=ask.person,
        name=body.name,
        motto=body.motto,
        kind=body.kind,
        house=house,
        overrides=CampaignSettings(starting_points=body.starting_points),
    )
    return _new(ask, made)


def _new(ask: Ask, made: Campaign) -> CampaignRead:
    ask.headers["Location"] = f"/api/v1/campaigns/{made.pk}"
    return campaign_read(ask, place_for(ask.person, made.pk))


class CampaignCopy(In):
    name: Name


@call(
    "post",
    "campaigns/{campaign}/copies",
    scope=GM,
    status=201,
    example={"name": "The Salt Road Winter, again"},
    serves=("campaign_clone",),
)
def clone_campaign(ask: Ask, campaign: int, body: CampaignCopy) -> CampaignRead:
    """Call for a new campaign with the settings, the kind and the ladder of this one."""
    place = place_to_run(ask.person, campaign)
    return _new(ask, clone(actor=ask.person, campaign=place.campaign, name=body.name))
