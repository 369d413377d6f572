"""Campaigns: called for, read, begun, ended, used as a pattern; and whole campaigns as files."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from django.db.models import Count, F, OuterRef, Q, Subquery
from django.http import StreamingHttpResponse
from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.translation import gettext as _
from msgspec import Meta

from api.call import GM, Ask, Tagged, call
from api.calls.standings import StandingRow, StandingsMethod, as_csv, method_of, standing_of
from api.paging import Listed, Page, chosen_order, page
from api.shapes import Id, In, Name, Out, Person, Time, person_of
from campaigns import access
from campaigns.access import Place, place_for, place_to_run
from campaigns.awards import Award, Fallen, honours
from campaigns.chronicle import plain_sentence
from campaigns.export import LEDGER, exported, ledger_rows
from campaigns.models import Campaign, Event, JoinRequest, Membership
from campaigns.open_views import EXCERPT, INSIDE
from campaigns.overview import Coming, Overview, overview
from campaigns.services.begin_campaign import begin_campaign as begin
from campaigns.services.begin_campaign import missing
from campaigns.services.call_final_battle import MOST as MOST_IN_FINAL
from campaigns.services.call_final_battle import call_final_battle as call_final
from campaigns.services.call_final_battle import final_battle
from campaigns.services.clone_campaign import clone_campaign as clone
from campaigns.services.create_campaign import create_campaign as create
from campaigns.services.end_campaign import end_campaign as end
from campaigns.services.end_campaign import final_of, open_battles
from campaigns.settings import House
from campaigns.standings import LEFT, lead, lines, standings
from campaigns.waiting import Matter
from rules.engine.errors import RuleViolation
from rules.engine.settings import CampaignSettings

Status = Literal["gathering", "running", "ended"]
Kind = Literal["open", "tournament", "ladder"]
Visibility = Literal["private", "link", "public"]
Role = Literal["gm", "co_gm", "player", "spectator"]
Motto = Annotated[str, Meta(max_length=200)]
PODIUM = 3


# Lists ------------------------------------------------------------------------------------------------


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


# One of them ------------------------------------------------------------------------------------------


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


def its_members(ask: Ask, campaign: int) -> Tagged:
    """A campaign, for its members. What somebody is in it is a part of what they read."""
    return _tagged(place_for(ask.person, campaign))


def its_runners(ask: Ask, campaign: int) -> Tagged:
    """A campaign, for those who run it."""
    return _tagged(place_to_run(ask.person, campaign))


def _tagged(place: Place) -> Tagged:
    assert place.membership is not None
    return Tagged(place, place.campaign.version, f"campaign-{place.campaign.pk}-{place.membership.role}")


@call("get", "campaigns/{campaign}", tag=its_members, serves=("campaign",))
def read_campaign(ask: Ask, campaign: int) -> CampaignRead:
    """A campaign: what it is, how it is played, and what you are in it."""
    return _read(ask, ask.thing)


def _read(ask: Ask, place: Place) -> CampaignRead:
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
    return _read(ask, place_for(ask.person, made.pk))


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


# What goes on -----------------------------------------------------------------------------------------


class WaitingMatter(Out):
    """One thing that waits for somebody. `address` is the page of the site where it is done."""

    kind: str
    sentence: str
    action: str
    detail: str
    since: Time | None
    deadline: Time | None
    urgent: bool
    battle: int | None
    address: str


class WaitingPerson(Out):
    person: Person
    matters: list[WaitingMatter]


class ComingBattle(Out):
    """A battle that is not over."""

    number: int
    state: str
    warbands: str
    mine: bool
    is_final: bool
    scenario: str
    scheduled_for: Time | None
    place: str


class RoundUnderWay(Out):
    """The round that is being played, counted by battles."""

    number: int
    over: int
    fighting: int
    waiting: int
    deadline: Time | None


class NewsTold(Out):
    time: Time
    sentence: str


class AnnouncementTold(Out):
    """`text` is Markdown, as it was written."""

    id: int
    time: Time
    title: str
    text: str


class OwnMarket(Out):
    """What one of your warbands finds at the market now."""

    warband: int
    name: str
    market_status: int
    rarity_pool: int


class CampaignOverview(Out):
    """All that the page of a campaign shows. `others` is everybody for those who run it, and for players whoever
    holds up one of their battles."""

    game_master: Person | None
    people: int
    warbands: int
    waiting: list[WaitingMatter]
    others: list[WaitingPerson]
    others_left: int
    coming: list[ComingBattle]
    round: RoundUnderWay | None
    method: StandingsMethod
    standing: list[StandingRow]
    market: list[OwnMarket]
    news: list[NewsTold]
    announcement: AnnouncementTold | None
    fallen: list[Fallen]


@call("get", "campaigns/{campaign}/overview", serves=("campaign",))
def read_overview(ask: Ask, campaign: int) -> CampaignOverview:
    """What waits for you and others in a campaign, what comes next, who leads, what happened."""
    place = place_for(ask.person, campaign)
    return _overview(place, overview(place, ask.person))


def _overview(place: Place, view: Overview) -> CampaignOverview:
    turn = view.turn
    return CampaignOverview(
        game_master=person_of(view.gm) if view.gm else None,
        people=len(view.memberships),
        warbands=sum(row.mark != LEFT for row in view.found.rows),
        waiting=[waiting_matter(one) for one in view.mine],
        others=[
            WaitingPerson(person=person_of(one.person), matters=[waiting_matter(each) for each in one.matters])
            for one in view.others
        ],
        others_left=view.others_left,
        coming=[_coming(one) for one in view.coming],
        round=RoundUnderWay(
            number=turn.round.number, over=turn.over, fighting=turn.fighting, waiting=turn.waiting,
            deadline=turn.round.deadline,
        ) if turn else None,
        method=method_of(place.campaign),
        standing=[standing_of(line) for line in view.standing],
        market=[
            OwnMarket(warband=one.pk, name=one.name, market_status=one.market_status, rarity_pool=one.rarity_pool)
            for one in view.market
        ],
        news=[NewsTold(time=one.time, sentence=strip_tags(one.text)) for one in view.told],
        announcement=announced(view.announcement.event) if view.announcement else None,
        fallen=list(view.graves),
    )  # fmt: skip


def waiting_matter(one: Matter) -> WaitingMatter:
    return WaitingMatter(
        kind=one.kind, sentence=str(one.sentence), action=str(one.action), detail=str(one.detail), since=one.since,
        deadline=one.deadline, urgent=one.urgent, battle=one.battle, address=one.address,
    )  # fmt: skip


def _coming(one: Coming) -> ComingBattle:
    battle = one.battle
    return ComingBattle(
        number=battle.number, state=battle.state, warbands=one.names, mine=one.mine, is_final=battle.is_final,
        scenario=battle.scenario, scheduled_for=battle.scheduled_for, place=battle.place,
    )  # fmt: skip


def announced(event: Event) -> AnnouncementTold:
    return AnnouncementTold(id=event.pk, time=event.time, title=event.data["title"], text=event.data["text"])


# Begin and end ----------------------------------------------------------------------------------------


class CampaignBeginning(Out):
    """What has to come first, in sentences; nothing if it can begin."""

    missing: list[str]
    begun: Time | None


@call("get", "campaigns/{campaign}/beginning", scope=GM, serves=("campaign_begin",))
def preview_beginning(ask: Ask, campaign: int) -> CampaignBeginning:
    """Whether a campaign can begin, and what it lacks."""
    row = place_to_run(ask.person, campaign).campaign
    begun = row.status != Campaign.Status.GATHERING
    return CampaignBeginning(missing=[] if begun else missing(row), begun=row.begun)


@call("post", "campaigns/{campaign}/beginning", scope=GM, tag=its_runners, serves=("campaign_begin",))
def begin_campaign(ask: Ask, campaign: int) -> CampaignRead:
    """Begin a campaign: from gathering to running."""
    begin(actor=ask.person, campaign=ask.thing.campaign)
    return _read(ask, place_for(ask.person, campaign))


class AwardHolder(Out):
    warband: int
    warband_name: str
    fighter: str
    fighter_name: str


class CampaignAward(Out):
    """An award in words, and who has it; several share it if they are level."""

    title: str
    says: str
    holders: list[AwardHolder]


class CampaignResult(Out):
    """The standings, the first three places of it, the awards and the memorial."""

    method: StandingsMethod
    podium: list[StandingRow]
    standings: list[StandingRow]
    awards: list[CampaignAward]
    fallen: list[Fallen]
    ended: Time | None


class CampaignEnding(Out):
    """What a campaign would end with now. `version` is sent back with the end, so that nobody ends another one.

    `open_battles` are in the way; `final_battle` is the number of the one that was called.
    """

    version: int
    open_battles: list[int]
    final_battle: int | None
    most_in_final: int
    result: CampaignResult


@call("get", "campaigns/{campaign}/ending", scope=GM, tag=its_runners, serves=("campaign_end",))
def preview_ending(ask: Ask, campaign: int) -> CampaignEnding:
    """What the campaign would end with now: standings, awards, memorial, and what is in the way."""
    row = ask.thing.campaign
    refuse_ended(row)
    called = final_battle(row)
    return CampaignEnding(
        version=row.version,
        open_battles=[battle.number for battle in open_battles(row)],
        final_battle=called.number if called else None,
        most_in_final=MOST_IN_FINAL,
        result=_result(ask, row, final_of(row)),
    )


def refuse_ended(campaign: Campaign) -> None:
    if campaign.is_over:
        raise RuleViolation("campaign_over", _("%(name)s has ended. It stays as it is.") % {"name": campaign.name})


class CampaignEnd(In):
    """`version` is that of the campaign which was looked at."""

    version: Annotated[int, Meta(ge=0, le=2**31 - 1)]


@call(
    "post",
    "campaigns/{campaign}/ending",
    scope=GM,
    tag=its_runners,
    example={"version": 31},
    serves=("campaign_end",),
)
def end_campaign(ask: Ask, campaign: int, body: CampaignEnd) -> CampaignResult:
    """End a campaign for good: nothing in it changes any more."""
    ended = end(actor=ask.person, campaign=ask.thing.campaign, version=body.version)
    return _result(ask, ended, ended.final)


@call("get", "campaigns/{campaign}/result", tag=its_members, serves=("campaign_result",))
def read_result(ask: Ask, campaign: int) -> CampaignResult:
    """What a campaign ended with: podium, standings, awards, memorial."""
    row = ask.thing.campaign
    if not row.is_over or not row.final:
        raise RuleViolation("not_over", _("This campaign has not ended. There are only standings yet."))
    return _result(ask, row, row.final)


def _result(ask: Ask, campaign: Campaign, final: dict[str, Any]) -> CampaignResult:
    found = standings(campaign)
    shown = [standing_of(line) for line in lines(found.rows, ask.person, found.winner)]
    awards = honours(msgspec.convert(final["awards"], list[Award]))
    return CampaignResult(
        method=method_of(campaign),
        podium=[row for row in shown if row.place <= PODIUM] if found.battles else [],
        standings=shown,
        awards=[
            CampaignAward(
                title=one.title,
                says=one.says,
                holders=[AwardHolder(**msgspec.structs.asdict(holder)) for holder in one.holders],
            )
            for one in awards
        ],
        fallen=msgspec.convert(final["fallen"], list[Fallen]),
        ended=campaign.ended,
    )


class FinalBattleWanted(In):
    warbands: Annotated[list[Id], Meta(min_length=1, max_length=MOST_IN_FINAL)]


class FinalBattleCalled(Out):
    number: int


@call(
    "post",
    "campaigns/{campaign}/final-battle",
    scope=GM,
    status=201,
    tag=its_runners,
    example={"warbands": [1, 2]},
    serves=("campaign_end",),
)
def call_final_battle(ask: Ask, campaign: int, body: FinalBattleWanted) -> FinalBattleCalled:
    """Call the battle that the campaign ends with; nobody is asked."""
    made = call_final(actor=ask.person, campaign=ask.thing.campaign, warbands=body.warbands)
    ask.headers["Location"] = f"/api/v1/campaigns/{campaign}/battles/{made.number}"
    return FinalBattleCalled(number=made.number)


# Files ------------------------------------------------------------------------------------------------


@call("get", "campaigns/{campaign}/export", scope=GM)
def export_campaign(ask: Ask, campaign: int) -> StreamingHttpResponse:
    """The whole campaign as one JSON file, streamed.

    People, rounds, battles, reports, post-games, chronicle, settings, and each enrolled warband's own file. The
    format is described in docs/campaign-file.md.
    """
    row = place_to_run(ask.person, campaign).campaign
    head = {"Content-Disposition": f'attachment; filename="campaign-{campaign}.aftermath.json"'}
    return StreamingHttpResponse(exported(row, reader=ask.person), content_type="application/json", headers=head)


@call("get", "campaigns/{campaign}/ledger/csv", scope=GM, gives="text/csv")
def download_ledgers(ask: Ask, campaign: int) -> StreamingHttpResponse:
    """The ledgers of all warbands that are enrolled, as a table in CSV, streamed."""
    row = place_to_run(ask.person, campaign).campaign
    return as_csv(f"ledger-{campaign}", LEDGER, ledger_rows(row))
