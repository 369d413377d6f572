"""A battle: where it is, who fights, how they stand to each other, what comes next."""

from collections.abc import Sequence
from typing import Any, Literal

from api.shapes import Out, Person, Time, person_of
from api.shown.found import BandRef, Fight, band_ref
from campaigns.battle_sheet import PairShown, PartShown, Sheet, read_sheet
from campaigns.battles import standing_in
from campaigns.fighting import Fighting, fighting_in
from campaigns.models import Battle
from campaigns.services.move_battle import OVER
from campaigns.voiding import Fall
from warbands.battles import battle_name
from warbands.ledger import Act
from warbands.meanwhile import act_title

BattleState = Literal[
    "proposed", "scheduled", "pregame", "playing", "reported", "disputed", "confirmed", "postgame", "closed", "void"
]
Result = Literal["", "won", "won_allied", "lost", "drawn"]
ReportAnswer = Literal["", "confirmed", "disputed"]


class Contender(Out):
    """A warband in a battle of a list."""

    warband: BandRef
    owner: Person
    accepted: bool
    result: Result


class BattleRow(Out):
    """A battle in a list; `round` is the number of its round, if it has one."""

    number: int
    state: BattleState
    state_since: Time
    round: int | None
    scheduled_for: Time | None
    place: str
    scenario: str
    is_final: bool
    version: int
    warbands: list[Contender]


class BattlePart(Out):
    """A warband's part. `stronger`: by how much the strongest of the others is stronger; `bonus`: what that brings."""

    warband: BandRef
    owner: Person
    mine: bool
    accepted: Time | None
    is_fighting: bool
    rating: float
    stronger: float
    bonus: int
    result: Result
    routed: int
    answer: ReportAnswer
    pregame_done: bool


class BattlePair(Out):
    """How two warbands stand to each other, and whether they could be allies."""

    one: str
    other: str
    relation: str
    reasons: list[str]
    allies: bool


class RoutLimit(Out):
    """From how many models out of action on a warband checks for rout."""

    warband: str
    losses: int
    models: int


class BattleStep(Out):
    name: str
    state: Literal["done", "now", "ahead"]


class BattleNext(Out):
    """What happens now, and who has to do it."""

    sentence: str
    people: list[Person]


class BattleDetails(Out):
    """A battle. The seed of its dice is told when it is over; the commitment to it from the start."""

    number: int
    state: BattleState
    state_since: Time
    version: int
    round: int | None
    proposed_by: Person | None
    scheduled_for: Time | None
    place: str
    scenario: str
    scenario_agreed: bool
    is_final: bool
    commitment: str
    seed: str
    reported_by: Person | None
    reported_at: Time | None
    confirms_itself: Time | None
    confirmed_at: Time | None
    closed_at: Time | None
    void_reason: str
    steps: list[BattleStep]
    warbands: list[BattlePart]
    pairs: list[BattlePair]
    routs: list[RoutLimit]
    next: BattleNext
    to_answer: list[int]
    """Your warbands that have not answered the proposal."""
    may_act: bool
    may_withdraw: bool
    may_move: bool


def battle_rows(battles: Sequence[Battle]) -> list[BattleRow]:
    """With whoever fights in them, in one query more."""
    fighting = fighting_in(battles)
    return [_battle_row(battle, [_contender(one) for one in fighting[battle.pk]]) for battle in battles]


def _battle_row(battle: Battle, contenders: list[Contender]) -> BattleRow:
    return BattleRow(
        number=battle.number,
        state=battle.state,  # type: ignore[arg-type]
        state_since=battle.state_since,
        round=battle.round.number if battle.round is not None else None,
        scheduled_for=battle.scheduled_for,
        place=battle.place,
        scenario=battle.scenario,
        is_final=battle.is_final,
        version=battle.version,
        warbands=contenders,
    )


def _contender(one: Fighting) -> Contender:
    return Contender(
        warband=BandRef(id=one.warband, name=one.name),
        owner=Person(id=one.owner, name=one.owner_name),
        accepted=one.accepted,
        result=one.result,  # type: ignore[arg-type]
    )


def battle_details(fight: Fight) -> BattleDetails:
    place, battle = fight.place, fight.battle
    assert place.person.is_authenticated
    standing = standing_in(battle, place.person)
    sheet = read_sheet(battle, place.person, standing)
    return BattleDetails(**_row(battle), **_sheet(sheet), may_act=standing.takes_part and place.may_change)


def _row(battle: Battle) -> dict[str, Any]:
    proposer, reporter = battle.proposed_by, battle.reported_by
    plain = (
        "number", "state", "state_since", "version", "scheduled_for", "place", "scenario", "scenario_agreed",
        "is_final", "commitment", "reported_at", "confirms_itself", "confirmed_at", "closed_at", "void_reason",
    )  # fmt: skip
    return {name: getattr(battle, name) for name in plain} | {
        "round": battle.round.number if battle.round is not None else None,
        "proposed_by": person_of(proposer) if proposer is not None else None,
        "reported_by": person_of(reporter) if reporter is not None else None,
        "seed": battle.seed if battle.state in OVER else "",
    }


def _sheet(sheet: Sheet) -> dict[str, Any]:
    return {
        "steps": [BattleStep(name=str(one.label), state=one.state or "ahead") for one in sheet.steps],  # type: ignore[arg-type]
        "warbands": [_part(part) for part in sheet.parts],
        "pairs": [_pair(pair) for pair in sheet.pairs],
        "routs": [RoutLimit(warband=one.name, losses=one.losses, models=one.models) for one in sheet.routs],
        "next": BattleNext(sentence=sheet.next.sentence, people=[person_of(one) for one in sheet.next.people]),
        "to_answer": [part.warband_id for part in sheet.to_answer],
        "may_withdraw": sheet.may_withdraw,
        "may_move": sheet.may_move,
    }


def _part(shown: PartShown) -> BattlePart:
    part = shown.part
    return BattlePart(
        warband=band_ref(part.warband),
        owner=person_of(part.warband.owner),
        mine=shown.mine,
        accepted=part.accepted,
        is_fighting=part.is_fighting,
        rating=shown.rating,
        stronger=shown.stronger,
        bonus=shown.bonus,
        result=part.result,  # type: ignore[arg-type]
        routed=part.routed,
        answer=part.answer,  # type: ignore[arg-type]
        pregame_done=part.pregame_done is not None,
    )


def _pair(pair: PairShown) -> BattlePair:
    reasons = [str(reason) for reason in pair.reasons]
    return BattlePair(one=pair.one, other=pair.other, relation=str(pair.words), reasons=reasons, allies=pair.allies)


# What falls with it -----------------------------------------------------------------------------------


class FallingAct(Out):
    """Something that a ledger holds; `battle` is the one that it belongs to, in words."""

    title: str
    battle: str


class FallingBand(Out):
    """What voiding would take back: the battle's own acts, and later ones that rest on them."""

    warband: BandRef
    acts: list[FallingAct]
    resting: list[FallingAct]


class VoidPreview(Out):
    """With `needs_cascade` the battle is only voided if what rests on it may go too."""

    warbands: list[FallingBand]
    needs_cascade: bool


def void_preview(falls: list[Fall]) -> VoidPreview:
    bands = [
        FallingBand(
            warband=band_ref(fall.warband), acts=list(map(_act, fall.acts)), resting=list(map(_act, fall.resting))
        )
        for fall in falls
        if fall.acts or fall.resting
    ]
    return VoidPreview(warbands=bands, needs_cascade=any(fall.resting for fall in falls))


def _act(act: Act) -> FallingAct:
    return FallingAct(title=str(act_title(act)), battle=battle_name(act.battle) if act.battle else "")
