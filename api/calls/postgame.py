"""The ten steps after a battle."""

from collections.abc import Callable
from typing import Any, Literal

from django.utils.translation import gettext as _

from api.call import Ask, call
from api.calls.battles.pregame import FateDie, RollKey, TypedDice
from api.calls.battles.tags import BATTLE
from api.paging import Listed, Page, listed, page
from api.shapes import In, Key, Out
from api.shown.found import Walk, all_runs, fight_for, my_run, the_run
from api.shown.postgame.changed import RunChanges, run_changes
from api.shown.postgame.foretold import RunForetold, run_foretold
from api.shown.postgame.progress import RunProgress, run_progress
from api.shown.postgame.questions import Answer
from api.shown.postgame.runs import RunDetails, RunRow, run_details, run_row
from api.shown.postgame.story import StepStory, step_stories
from campaigns.policies import policies_of
from campaigns.proof import Proven, check, proof_of
from campaigns.services.answer_question import answer_question
from campaigns.services.close_step import close_step as close
from campaigns.services.finish_run import finish_run as finish
from campaigns.services.reopen_step import reopen_step as reopen
from campaigns.services.spend_fate import spend_fate as spend
from campaigns.services.throw_dice import throw_all, throw_dice, type_dice
from campaigns.walk.changed import compare, end_of
from campaigns.walk.foretold import foretell
from campaigns.walk.sheet import read_sheet
from rules.engine.errors import RuleViolation
from rules.engine.plain import state_from_plain

RUNS = f"{BATTLE}/postgame"
RUN = f"{RUNS}/{{warband}}"

StepName = Literal[
    "start", "underdog", "injury", "exploration.throw", "exploration.spy", "exploration", "experience", "advancement",
    "player_trade.captives", "player_trade", "trading", "allocation", "warband",
]  # fmt: skip


# Reading ----------------------------------------------------------------------------------------------


class Runs(Listed):
    state: Literal["", "open", "finished", "void"] = ""


RUN_SHOWN = (
    "battle", "state", "step", "version", "waits_for", "begun", "moved", "finished", "warband__name",
    "warband__owner__name",
)  # fmt: skip
"""A run's row holds its choices and the whole warband before it too."""


@call("get", RUNS)
def list_runs(ask: Ask, campaign: int, number: int, query: Runs) -> Page[RunRow]:
    """The post-games of a battle: one for each warband."""
    battle = fight_for(ask, campaign, number).battle
    rows = battle.runs.select_related("warband__owner").only(*RUN_SHOWN)
    chosen = rows.filter(state=query.state) if query.state else rows
    return page(chosen, query, lambda run: run_row(run, ask.person.pk))


def _shown(ask: Ask, walk: Walk) -> RunDetails:
    return run_details(read_sheet(walk.battle, walk.run.warband_id, ask.person))


@call("get", RUN, tag=the_run, serves=("postgame",))
def read_run(ask: Ask, campaign: int, number: int, warband: int) -> RunDetails:
    """A warband's post-game: its steps, and the question or roll that is due, with legal answers and odds."""
    return _shown(ask, ask.thing)


class Stories(Listed):
    step: Literal["", StepName] = ""


@call("get", f"{RUN}/story", tag=the_run)
def list_steps(ask: Ask, campaign: int, number: int, warband: int, query: Stories) -> Page[StepStory]:
    """The closed steps as they went: rolls, answers, facts and changes, in order."""
    walk: Walk = ask.thing
    told = step_stories(read_sheet(walk.battle, warband, ask.person))
    return listed([one for one in told if query.step in ("", one.step)], query)


@call("get", f"{RUN}/progress", tag=all_runs, serves=("postgame_progress",))
def read_progress(ask: Ask, campaign: int, number: int, warband: int) -> RunProgress:
    """What the others do, and what waits for you there. With `If-None-Match` it is cheap while nothing moves."""
    return run_progress(read_sheet(ask.thing.battle, warband, ask.person))


@call("get", f"{RUN}/changes", tag=the_run, serves=("postgame_changed",))
def read_run_changes(ask: Ask, campaign: int, number: int, warband: int) -> RunChanges:
    """What a post-game changed: the warband before and after it, fighter by fighter."""
    walk: Walk = ask.thing
    sheet = read_sheet(walk.battle, warband, ask.person)
    return run_changes(compare(state_from_plain(sheet.run.state_before), end_of(sheet.run), sheet.names))


# Acting -----------------------------------------------------------------------------------------------


def _act(ask: Ask, campaign: int, number: int, act: Callable[..., Any], **order: Any) -> RunDetails:
    """One service, and the run as it is then."""
    walk: Walk = ask.thing
    act(actor=ask.person, run=walk.run, expected_version=ask.expected_version, **order)
    battle = fight_for(ask, campaign, number).battle
    return run_details(read_sheet(battle, walk.run.warband_id, ask.person))


class RunAnswer(In):
    """The key of a question with its answer: a key, several keys, or orders."""

    key: Key
    answer: Answer


@call(
    "post",
    f"{RUN}/answers",
    tag=the_run,
    serves=("postgame_answer",),
    example={"key": "7/advancement/f1/advance", "answer": "Off"},
)
def answer_run(ask: Ask, campaign: int, number: int, warband: int, body: RunAnswer) -> RunDetails:
    """Answer the question that is open, or one after which no die was thrown anew.

    What becomes of a captive is asked in its owner's post-game and answered there by its captor.
    """
    return _act(ask, campaign, number, answer_question, key=body.key, answer=body.answer)


@call("post", f"{RUN}/rolls", tag=the_run, serves=("postgame_roll",), example={"key": "7/injury/f2/injury"})
def roll_run(ask: Ask, campaign: int, number: int, warband: int, body: RollKey) -> RunDetails:
    """Let the server make the roll that is due."""
    return _act(ask, campaign, number, throw_dice, key=body.key)


@call("post", f"{RUN}/rolls/all", tag=the_run, serves=("postgame_roll",))
def roll_step(ask: Ask, campaign: int, number: int, warband: int) -> RunDetails:
    """Let the server make every roll of the open step."""
    return _act(ask, campaign, number, throw_all)


@call(
    "post",
    f"{RUN}/rolls/typed",
    tag=the_run,
    serves=("postgame_type",),
    example={"key": "7/injury/f2/injury", "faces": [3, 5]},
)
def type_run_dice(ask: Ask, campaign: int, number: int, warband: int, body: TypedDice) -> RunDetails:
    """Type in what the dice on the table show, for the roll that is due; after fate, the die that was thrown again."""
    return _act(ask, campaign, number, type_dice, key=body.key, faces=body.faces)


@call(
    "post",
    f"{RUN}/fate",
    tag=the_run,
    serves=("postgame_fate",),
    example={"key": "7/injury/f2/injury", "die": 0},
)
def spend_fate(ask: Ask, campaign: int, number: int, warband: int, body: FateDie) -> RunDetails:
    """Spend a fate reroll on one die of the last roll."""
    return _act(ask, campaign, number, spend, key=body.key, die=body.die)


class RunStepOrder(In):
    step: StepName


@call(
    "post",
    f"{RUN}/closed-steps",
    tag=the_run,
    serves=("postgame_close",),
    example={"step": "injury"},
)
def close_step(ask: Ask, campaign: int, number: int, warband: int, body: RunStepOrder) -> RunDetails:
    """Close the step that a run is at: what it changed is written, and the run goes on."""
    return _act(ask, campaign, number, close, step=body.step)


@call(
    "post",
    f"{RUN}/reopened-steps",
    tag=the_run,
    serves=("postgame_reopen",),
    example={"step": "injury"},
)
def reopen_step(ask: Ask, campaign: int, number: int, warband: int, body: RunStepOrder) -> RunDetails:
    """Open the last closed step again, while no later die was thrown."""
    return _act(ask, campaign, number, reopen, step=body.step)


@call("get", f"{RUN}/finish", tag=my_run, serves=("postgame_finish",))
def preview_finish(ask: Ask, campaign: int, number: int, warband: int) -> RunForetold:
    """What finishing by habit would do, without a look at the dice."""
    walk: Walk = ask.thing
    sheet = read_sheet(walk.battle, warband, ask.person)
    if not sheet.is_open:
        raise RuleViolation("run_finished", _("This post-game is finished."))
    policy = policies_of([ask.person.pk], sheet.campaign).get(ask.person.pk)
    return run_foretold(foretell(sheet, policy))


class RunFinish(In):
    """`step`: only that one; else all that is left."""

    step: Literal["", StepName] = ""


@call("post", f"{RUN}/finish", tag=my_run, serves=("postgame_finish",), example={"step": ""})
def finish_run(ask: Ask, campaign: int, number: int, warband: int, body: RunFinish) -> RunDetails:
    """Let the rest be answered by your habits, with the server's dice. It stops where somebody else is needed."""
    return _act(ask, campaign, number, finish, step=body.step)


# The dice ---------------------------------------------------------------------------------------------


class BattleProof(Out):
    """Every roll of the closed steps. The seed is told when the battle is over; before, nothing can be checked."""

    format: str
    battle: str
    commitment: str
    seed: str
    rolls: list[Proven]
    is_true: bool | None
    """Whether the seed fits the commitment and every roll of the server fits the seed."""


@call("get", f"{BATTLE}/proof", tag=all_runs, serves=("proof", "proof_data"))
def read_proof(ask: Ask, campaign: int, number: int) -> BattleProof:
    """The dice of a battle, to be recomputed by anybody: commitment, rolls, and the seed when it is over."""
    found = proof_of(ask.thing.battle)
    return BattleProof(
        format=found.format,
        battle=found.battle,
        commitment=found.commitment,
        seed=found.seed,
        rolls=list(found.rolls),
        is_true=check(found).is_true if found.seed else None,
    )
