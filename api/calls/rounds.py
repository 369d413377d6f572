"""Rounds: drafted, changed by hand, published, played and closed. And ladders: read and laid."""

from typing import Annotated, Literal

from django.utils.translation import gettext as _
from msgspec import Meta, field

from api.call import GM, Ask, Tagged, call
from api.calls.calendar import sensible
from api.paging import Listed, Page, chosen_order, page
from api.shapes import Id, In, Out, Person, Time, person_of
from api.shown.found import short
from campaigns.access import Place, place_for, place_to_run, round_for
from campaigns.ladder import ends_of, read_ladder, stamp, top_of, warbands_at
from campaigns.ladder_layout import Stage, Way
from campaigns.ladder_views import with_ladder
from campaigns.models import Pairing, Round
from campaigns.round_sheet import RoundSheet, SeatShown, TableShown
from campaigns.round_views import with_rounds
from campaigns.rounds import (
    champion,
    counted_rounds,
    knockout_name,
    next_kind,
    played_in,
    refuse_unknown_results,
    rounds_of,
)
from campaigns.services.change_pairing import change_pairing
from campaigns.services.close_round import close_round
from campaigns.services.discard_round import discard_round
from campaigns.services.draft_round import draft_round
from campaigns.services.lay_ladder import LONGEST_KEY, LONGEST_NAME, LONGEST_NOTE, MOST, lay_ladder
from campaigns.services.publish_round import publish_round
from campaigns.services.set_deadline import set_deadline
from campaigns.standings import cache_key
from rules.engine.errors import RuleViolation

RoundState = Literal["draft", "published", "closed"]
RoundKind = Literal["swiss", "knockout", "free"]
On = Literal["won", "lost", "drawn"]


# The list ---------------------------------------------------------------------------------------------


class RoundRow(Out):
    """A turn of a campaign. Drafts are there only for those who run it."""

    number: int
    title: str
    kind: RoundKind
    state: RoundState
    deadline: Time | None
    tables: int
    battles: int
    over: int
    published: Time | None
    closed: Time | None
    version: int


class RoundsAsked(Listed):
    """Which rounds, in which order."""

    state: Literal["", "draft", "published", "closed"] = ""
    order: Literal["", "newest", "oldest"] = ""


ORDERS = {"newest": ("-number", "-pk"), "oldest": ("number", "pk")}


@call("get", "campaigns/{campaign}/rounds", serves=("rounds",))
def list_rounds(ask: Ask, campaign: int, query: RoundsAsked) -> Page[RoundRow]:
    """The rounds of a campaign, the newest first; a ladder has none."""
    place = with_rounds(place_for(ask.person, campaign))
    rows = counted_rounds(place.campaign)
    if not place.runs_it:
        rows = rows.exclude(state=Round.State.DRAFT)
    if query.state:
        rows = rows.filter(state=query.state)
    return page(rows, query, _row, chosen_order(ORDERS, query.order, "newest"))


def _row(one: Round) -> RoundRow:
    tables: int = one.tables  # type: ignore[attr-defined]
    knockout = one.kind == Round.Kind.KNOCKOUT
    return RoundRow(
        number=one.number, title=knockout_name(tables) if knockout else _("Round %(number)s") % {"number": one.number},
        kind=one.kind, state=one.state, deadline=one.deadline, tables=tables, battles=one.fought, over=one.over,  # type: ignore[arg-type, attr-defined]
        published=one.published, closed=one.closed, version=one.version,
    )  # fmt: skip


class NextRound(Out):
    """The kind of the round that can be drafted now, or why there is none. `champion` won the knock-out."""

    kind: Literal["", "swiss", "knockout", "free"]
    refused: str
    champion: int | None


@call("get", "campaigns/{campaign}/rounds/next", serves=("rounds",))
def read_next_round(ask: Ask, campaign: int) -> NextRound:
    """What the next round would be, and whether it can be drafted."""
    place = with_rounds(place_for(ask.person, campaign))
    there = rounds_of(place.campaign)
    won = champion(place.campaign, there)
    kind, refused = "", ""
    try:
        if not place.campaign.is_running:
            raise RuleViolation("not_begun", _("The campaign is not running."))
        kind = next_kind(place.campaign, there if place.runs_it else _told(there))
        refuse_unknown_results(place.campaign)
    except RuleViolation as refusal:
        kind, refused = "", refusal.message
    return NextRound(kind=kind, refused=refused, champion=won.pk if won else None)  # type: ignore[arg-type]


def _told(rounds: list[Round]) -> list[Round]:
    """Nobody else knows that there is a draft."""
    return [one for one in rounds if one.state != Round.State.DRAFT]


# One of them ------------------------------------------------------------------------------------------


class RoundSeat(Out):
    """A warband at a table: what it is paired by, and how it fared, in words."""

    warband: int
    name: str
    owner: Person
    score: str
    result: str
    won: bool
    mine: bool


class RoundTable(Out):
    """A table with one seat is a bye. `difference` is that of the ratings."""

    table: int
    battle: int | None
    state: str
    seats: list[RoundSeat]
    difference: str
    warnings: list[str]


class RoundLeftOut(Out):
    warband: int
    name: str


class RoundRead(Out):
    """A round. A draft tells whom it leaves out and what to look at twice; tables are a list of their own."""

    number: int
    title: str
    explains: str
    kind: RoundKind
    state: RoundState
    deadline: Time | None
    tables: int
    battles: int
    over: int
    may_close: bool
    own_tables: list[int]
    left_out: list[RoundLeftOut]
    warnings: list[str]
    published: Time | None
    closed: Time | None
    version: int


def a_round(ask: Ask, campaign: int, number: int) -> Tagged:
    """A round, for members; a draft is there only for those who run the campaign."""
    return _tagged(with_rounds(place_for(ask.person, campaign)), number)


def a_round_to_run(ask: Ask, campaign: int, number: int) -> Tagged:
    return _tagged(with_rounds(place_to_run(ask.person, campaign)), number)


def _tagged(place: Place, number: int) -> Tagged:
    found = round_for(place, number)
    return Tagged((place, found), found.version, f"round-{found.pk}")


@call("get", "campaigns/{campaign}/rounds/{number}", serves=("round_page",))
def read_round(ask: Ask, campaign: int, number: int) -> RoundRead:
    """A round: what it is, how far it is, and what its draft lacks.

    The ETag is that of the pairings, and goes into `If-Match` of whoever changes them.
    """
    place = with_rounds(place_for(ask.person, campaign))
    return _read(ask, place, round_for(place, number))


def _read(ask: Ask, place: Place, found: Round) -> RoundRead:
    sheet = RoundSheet(place, found)
    over, battles = sheet.battles
    own = found.pairings.filter(seats__warband__in=place.own_warbands) if place.own_warbands else found.pairings.none()
    ask.headers["ETag"] = Tagged(found, found.version, f"round-{found.pk}").etag
    return RoundRead(
        number=found.number, title=sheet.title, explains=sheet.explains, kind=found.kind, state=found.state,  # type: ignore[arg-type]
        deadline=found.deadline, tables=sheet.page.paginator.count, battles=battles, over=over,
        may_close=sheet.may_close and place.runs_it, own_tables=sorted(set(own.values_list("table", flat=True))),
        left_out=[RoundLeftOut(warband=one.pk, name=one.name) for one in sheet.left_out] if place.runs_it else [],
        warnings=sheet.warnings if place.runs_it else [], published=found.published, closed=found.closed,
        version=found.version,
    )  # fmt: skip


class TablesAsked(Listed):
    """Which part of them."""


def tables_stand(ask: Ask, campaign: int, number: int) -> Tagged:
    """Tables show the battles at them, and the scores by which they were paired."""
    place = with_rounds(place_for(ask.person, campaign))
    found = round_for(place, number)
    facts = (place.runs_it, played_in(found), cache_key(place.campaign, "standings"))
    return Tagged((place, found), found.version, f"tables-{found.pk}-{ask.person.pk}-{short(facts)}")


@call("get", "campaigns/{campaign}/rounds/{number}/tables", tag=tables_stand, serves=("round_page",))
def list_round_tables(ask: Ask, campaign: int, number: int, query: TablesAsked) -> Page[RoundTable]:
    """Who meets whom in a round, table by table."""
    sheet = RoundSheet(*ask.thing)
    part: Page[Pairing] = page(sheet.pairings, query, lambda row: row, ("table", "pk"))
    return Page(items=[_table(one) for one in sheet.shown(part.items)], next=part.next)


def _table(shown: TableShown) -> RoundTable:
    return RoundTable(
        table=shown.number,
        battle=shown.battle.number if shown.battle else None,
        state=shown.battle.state if shown.battle else "",
        seats=[_seat(seat) for seat in shown.seats],
        difference=shown.difference,
        warnings=list(shown.warnings),
    )


def _seat(seat: SeatShown) -> RoundSeat:
    return RoundSeat(
        warband=seat.warband.pk, name=seat.warband.name, owner=person_of(seat.warband.owner), score=seat.score,
        result=seat.result, won=seat.won, mine=seat.mine,
    )  # fmt: skip


@call("post", "campaigns/{campaign}/rounds", scope=GM, status=201, serves=("round_draft",))
def draft_pairings(ask: Ask, campaign: int) -> RoundRead:
    """Pair the next round, as a draft that only those who run the campaign see."""
    place = with_rounds(place_to_run(ask.person, campaign))
    made = draft_round(actor=ask.person, campaign=place.campaign)
    ask.headers["Location"] = f"/api/v1/campaigns/{campaign}/rounds/{made.number}"
    return _read(ask, place, round_for(place, made.number))


class PairingChange(In):
    """`swap` with `other`, who may be without a seat; `move` to a `table`, a new one if it is 0; `bye`: alone."""

    do: Literal["swap", "move", "bye", "remove"]
    warband: Id
    other: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    table: Annotated[int, Meta(ge=0, le=30_000)] = 0


@call(
    "post",
    "campaigns/{campaign}/rounds/{number}/changes",
    scope=GM,
    tag=a_round_to_run,
    example={"do": "swap", "warband": 1, "other": 2},
    serves=("round_change",),
)
def change_table(ask: Ask, campaign: int, number: int, body: PairingChange) -> RoundRead:
    """Change a draft by hand: two change places, one moves to another table, is let off, or is taken out."""
    place, found = ask.thing
    done = change_pairing(
        actor=ask.person, turn=found, do=body.do, warband=body.warband, other=body.other, table=body.table,
        version=ask.expected_version,
    )  # fmt: skip
    return _read(ask, place, done)


class RoundDeadline(In):
    """Until when its battles should be over; null is no limit."""

    deadline: Time | None = None


def _deadline(body: RoundDeadline) -> Time | None:
    return sensible(body.deadline, "$.deadline") if body.deadline is not None else None


@call(
    "post",
    "campaigns/{campaign}/rounds/{number}/publication",
    scope=GM,
    tag=a_round_to_run,
    example={"deadline": "2026-12-24T18:00:00+01:00"},
    serves=("round_publish",),
)
def publish_pairings(ask: Ask, campaign: int, number: int, body: RoundDeadline) -> RoundRead:
    """Publish a draft: each table gets its battle, and everybody is told whom they meet."""
    place, found = ask.thing
    deadline, version = _deadline(body), ask.expected_version
    return _read(ask, place, publish_round(actor=ask.person, turn=found, deadline=deadline, version=version))


@call(
    "put",
    "campaigns/{campaign}/rounds/{number}/deadline",
    scope=GM,
    tag=a_round_to_run,
    example={"deadline": "2026-12-24T18:00:00+01:00"},
    serves=("round_deadline",),
)
def change_deadline(ask: Ask, campaign: int, number: int, body: RoundDeadline) -> RoundRead:
    """Say until when the battles of a round should be over."""
    place, found = ask.thing
    deadline, version = _deadline(body), ask.expected_version
    return _read(ask, place, set_deadline(actor=ask.person, turn=found, deadline=deadline, version=version))


@call(
    "post",
    "campaigns/{campaign}/rounds/{number}/closing",
    scope=GM,
    tag=a_round_to_run,
    serves=("round_close",),
)
def close_whole_round(ask: Ask, campaign: int, number: int) -> RoundRead:
    """Close a round whose battles are all over."""
    place, found = ask.thing
    return _read(ask, place, close_round(actor=ask.person, turn=found, version=ask.expected_version))


@call(
    "delete",
    "campaigns/{campaign}/rounds/{number}",
    scope=GM,
    tag=a_round_to_run,
    serves=("round_discard",),
)
def discard_draft_round(ask: Ask, campaign: int, number: int) -> None:
    """Throw a draft away; nobody was told of it."""
    _place, found = ask.thing
    discard_round(actor=ask.person, turn=found, version=ask.expected_version)


# The ladder -------------------------------------------------------------------------------------------


class LadderWay(Out):
    """Where a result leads, by the key of the stage."""

    on: On
    to: str


class LadderWarband(Out):
    id: int
    name: str
    mine: bool


class LadderStage(Out):
    """A place on a ladder, who stands there, and where it leads."""

    key: str
    name: str
    note: str
    is_start: bool
    is_top: bool
    is_end: bool
    leads: list[LadderWay]
    warbands: list[LadderWarband]


class LadderRead(Out):
    """The stages of a ladder, the start first; none before it is laid."""

    stages: list[LadderStage]
    may_change: bool


def a_ladder(ask: Ask, campaign: int) -> Tagged:
    """A ladder that one may lay; it has a stamp, which changes with its stages and ways and with nothing else."""
    place = with_ladder(place_to_run(ask.person, campaign))
    return Tagged(place, int(stamp(read_ladder(place.campaign)), 16), f"ladder-{campaign}")


@call("get", "campaigns/{campaign}/ladder", serves=("ladder",))
def read_campaign_ladder(ask: Ask, campaign: int) -> LadderRead:
    """The ladder of a campaign: its stages, where each result leads, and who stands where.

    The ETag is that of the stages and ways, and goes into `If-Match` of whoever lays it anew.
    """
    return _ladder(ask, with_ladder(place_for(ask.person, campaign)))


def _ladder(ask: Ask, place: Place) -> LadderRead:
    placed = stages, ways = read_ladder(place.campaign)
    there = warbands_at(place.campaign)
    top, ends = top_of(placed), ends_of(placed)
    ask.headers["ETag"] = Tagged(place, int(stamp(placed), 16), f"ladder-{place.campaign.pk}").etag
    return LadderRead(
        stages=[
            LadderStage(
                key=stage.key, name=stage.name, note=stage.note, is_start=stage == stages[0], is_top=stage.key == top,
                is_end=stage.key in ends,
                leads=[LadderWay(on=way.on, to=way.to) for way in ways if way.source == stage.key],  # type: ignore[arg-type]
                warbands=[
                    LadderWarband(id=one.pk, name=one.name, mine=one.pk in place.own_warbands)
                    for one in there.get(stage.key, [])
                ],
            )
            for stage in stages
        ],
        may_change=place.runs_it and place.may_change,
    )  # fmt: skip


class StageWanted(In):
    """A stage. One that is there keeps its key; `won`, `drawn` and `lost` are keys of stages in what is sent."""

    key: Annotated[str, Meta(min_length=1, max_length=LONGEST_KEY, pattern=r"^[-a-z0-9_]+$")]
    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
    note: Annotated[str, Meta(max_length=LONGEST_NOTE)] = ""
    won: Annotated[str, Meta(max_length=LONGEST_KEY)] = ""
    drawn: Annotated[str, Meta(max_length=LONGEST_KEY)] = ""
    lost: Annotated[str, Meta(max_length=LONGEST_KEY)] = ""


class LadderWanted(In):
    """The whole ladder, the start first. `moves` says where those go who stand on a stage that is no more."""

    stages: Annotated[list[StageWanted], Meta(min_length=1, max_length=MOST)]
    moves: Annotated[dict[str, str], Meta(max_length=MOST)] = field(default_factory=dict)


@call(
    "put",
    "campaigns/{campaign}/ladder",
    scope=GM,
    tag=a_ladder,
    example={
        "stages": [{"key": "gate", "name": "The gate", "won": "keep"}, {"key": "keep", "name": "The keep"}],
        "moves": {"marsh": "gate"},
    },
    serves=("ladder_edit",),
)
def lay_campaign_ladder(ask: Ask, campaign: int, body: LadderWanted) -> LadderRead:
    """Lay the ladder of a campaign, or lay it anew."""
    place: Place = ask.thing
    seen = stamp(read_ladder(place.campaign)) if ask.expected_version is not None else None
    stages = [Stage(one.key, " ".join(one.name.split()), one.note) for one in body.stages]
    lay_ladder(
        actor=ask.person, campaign=place.campaign, stages=stages, ways=_ways(body), moves=body.moves, seen=seen
    )  # fmt: skip
    return _ladder(ask, place)


def _ways(body: LadderWanted) -> list[Way]:
    return [Way(one.key, to, on) for one in body.stages for on in ("won", "drawn", "lost") if (to := getattr(one, on))]
