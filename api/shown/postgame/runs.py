"""Runs in a list, and one run as it stands."""

from typing import Literal

from api.shapes import Out, Person, Time, person_of
from api.shown.battle import BattleState
from api.shown.found import BandRef, band_ref
from api.shown.postgame.questions import FateOffer, RunQuestion, WantedRoll, fate_offer, run_question, wanted_roll
from api.shown.postgame.story import StoryLine, story_lines
from campaigns.models import Run
from campaigns.postgame import waits_on
from campaigns.walk import words
from campaigns.walk.rail import place_of
from campaigns.walk.sheet import Sheet
from rules.engine.rounds import step_of
from rules.engine.sequence import STEPS

RunState = Literal["open", "finished", "void"]

# Lists ------------------------------------------------------------------------------------------------


class RunRow(Out):
    """A warband's post-game in a list; `number` is the step it is at, of ten, and 11 once it is finished."""

    warband: BandRef
    owner: Person
    mine: bool
    state: RunState
    step: str
    step_name: str
    number: int
    version: int
    waits_for: list[int]
    begun: Time
    moved: Time
    finished: Time | None


def run_row(run: Run, reader: int) -> RunRow:
    return RunRow(
        warband=band_ref(run.warband),
        owner=person_of(run.warband.owner),
        mine=run.warband.owner_id == reader,
        state=run.state,  # type: ignore[arg-type]
        step=run.step,
        step_name=str(words.step(step_of(run.step))) if run.step else "",
        number=place_of(run),
        version=run.version,
        waits_for=list(run.waits_for),
        begun=run.begun,
        moved=run.moved,
        finished=run.finished,
    )


# A run ------------------------------------------------------------------------------------------------


class RailStop(Out):
    """One of the ten steps."""

    step: str
    name: str
    number: int
    state: Literal["done", "now", "ahead"]


class RunDetails(Out):
    """A warband's post-game now. `lines` are what happened in the open step so far."""

    battle: int
    battle_state: BattleState
    warband: BandRef
    owner: Person
    mine: bool
    may_act: bool
    state: RunState
    step: str
    """The step, or the round of it, that it is at; empty when it is finished."""
    step_name: str
    step_about: str
    number: int
    version: int
    waits_for: list[BandRef]
    rail: list[RailStop]
    question: RunQuestion | None
    changeable: list[RunQuestion]
    """Answers that may be given anew: no die was thrown since."""
    wanted: WantedRoll | None
    fate: FateOffer | None
    is_complete: bool
    """Nothing is open in this step: it can be closed."""
    reopens: str
    """The step that may be opened again, if there is one."""
    lines: list[StoryLine]


def bands_of(sheet: Sheet) -> dict[int, BandRef]:
    return {key: band_ref(row) for key, row in sheet.table.rows.items()}


def run_details(sheet: Sheet) -> RunDetails:
    run, outcome, bands = sheet.run, sheet.outcome, bands_of(sheet)
    late = waits_on(sheet.table, run) if sheet.is_open else []
    return RunDetails(
        battle=sheet.battle.number,
        battle_state=sheet.battle.state,  # type: ignore[arg-type]
        warband=bands[run.warband_id],
        owner=person_of(sheet.owners[run.warband_id]),
        mine=sheet.mine,
        may_act=sheet.may_act,
        state=run.state,  # type: ignore[arg-type]
        step=run.step,
        step_name=str(sheet.step_name),
        step_about=sheet.step_about,
        number=sheet.number,
        version=run.version,
        waits_for=[bands[key] for key in late],
        rail=_rail(run),
        question=run_question(sheet.question, bands) if sheet.question is not None else None,
        changeable=[run_question(one, bands) for one in sheet.changeable],
        wanted=wanted_roll(sheet, sheet.wanted) if sheet.wanted is not None else None,
        fate=fate_offer(sheet.fate) if sheet.fate is not None else None,
        is_complete=outcome is not None and outcome.complete,
        reopens=sheet.reopens.step if sheet.reopens is not None else "",
        lines=story_lines(outcome.traced.story, sheet.names) if outcome is not None else [],
    )


def _rail(run: Run) -> list[RailStop]:
    now = place_of(run)
    return [
        RailStop(step=name, name=str(words.step(name)), number=number, state=_state(number, now))
        for number, name in enumerate(STEPS, 1)
    ]


def _state(number: int, now: int) -> Literal["done", "now", "ahead"]:
    return "done" if number < now else "now" if number == now else "ahead"
