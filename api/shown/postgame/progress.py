"""What the others at the table do."""

from api.shapes import Out, Person, person_of
from api.shown.battle import BattleState
from api.shown.found import BandRef
from api.shown.postgame.questions import RunQuestion, run_question
from api.shown.postgame.runs import RunState, bands_of
from campaigns.walk.elsewhere import Elsewhere
from campaigns.walk.rail import place_of
from campaigns.walk.sheet import Sheet


class OtherRollTold(Out):
    who: str
    what: str
    total: str


class OtherRun(Out):
    """Another warband at the table, in a sentence, and its last rolls."""

    warband: BandRef
    owner: Person
    state: RunState
    step: str
    number: int
    says: str
    waits_for: list[int]
    rolls: list[OtherRollTold]


class MatterElsewhere(Out):
    """Something at the tables of others that is yours to say: an offer, a ransom. `page` is where the site shows it."""

    kind: str
    sentence: str
    terms: str
    waits: bool
    page: str


class RunProgress(Out):
    """What the others do, and what waits for you there."""

    battle: int
    battle_state: BattleState
    others: list[OtherRun]
    questions: list[RunQuestion]
    """In the post-games of others, for you to answer: what becomes of a captive."""
    elsewhere: list[MatterElsewhere]


def run_progress(sheet: Sheet) -> RunProgress:
    bands = bands_of(sheet)
    mine = sheet.for_me if sheet.mine else []
    return RunProgress(
        battle=sheet.battle.number,
        battle_state=sheet.battle.state,  # type: ignore[arg-type]
        others=[
            OtherRun(
                warband=bands[one.seat.run.warband_id],
                owner=person_of(one.seat.owner),
                state=one.seat.run.state,  # type: ignore[arg-type]
                step=one.seat.run.step,
                number=place_of(one.seat.run),
                says=one.seat.says,
                waits_for=list(one.seat.waits),
                rolls=[OtherRollTold(who=str(roll.who), what=str(roll.what), total=roll.total) for roll in one.rolls],
            )
            for one in sheet.others
        ],
        questions=[run_question(one, bands) for one in mine],
        elsewhere=[_elsewhere(one) for one in sheet.elsewhere],
    )


def _elsewhere(one: Elsewhere) -> MatterElsewhere:
    return MatterElsewhere(kind=one.kind, sentence=one.sentence, terms=one.terms, waits=one.waits, page=one.address)
