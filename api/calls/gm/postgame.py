"""Answers and dice of a post-game, given by hand."""

from typing import Annotated

from msgspec import Meta

from api.call import GM, Ask, Tagged, call
from api.calls.gm.tags import WhyByHand
from api.calls.postgame import RUN
from api.shapes import Face, In, Key
from api.shown.found import Walk, fight_to_run, the_run
from api.shown.postgame.questions import Answer
from api.shown.postgame.runs import RunDetails, run_details
from campaigns.access import place_to_run
from campaigns.services.answer_for import answer_for
from campaigns.services.set_die import set_die
from campaigns.walk.sheet import read_sheet


def run_to_run(ask: Ask, campaign: int, number: int, warband: int) -> Tagged:
    """A post-game, for those who run the campaign."""
    place_to_run(ask.person, campaign)
    return the_run(ask, campaign, number, warband)


class AnswerByHand(In):
    """The key of a question with its answer, and why you give it."""

    key: Key
    answer: Answer
    reason: WhyByHand


class DiceByHand(In):
    """The faces that count in the end, one a die; without any the server throws all of the roll again."""

    key: Key
    reason: WhyByHand
    faces: Annotated[list[Face], Meta(max_length=40)] | None = None


@call(
    "post",
    f"{RUN}/by-hand/answers",
    scope=GM,
    tag=run_to_run,
    serves=("run_by_hand",),
    example={"key": "7/advancement/f1/advance", "answer": "Off", "reason": "She is on holiday."},
)
def answer_run_for(ask: Ask, campaign: int, number: int, warband: int, body: AnswerByHand) -> RunDetails:
    """Answer a question for a player who is not there."""
    walk: Walk = ask.thing
    answer_for(
        actor=ask.person, run=walk.run, key=body.key, answer=body.answer, reason=body.reason,
        expected_version=ask.expected_version,
    )  # fmt: skip
    return _run(ask, campaign, number, warband)


@call(
    "post",
    f"{RUN}/by-hand/rolls",
    scope=GM,
    tag=run_to_run,
    serves=("run_by_hand",),
    example={"key": "7/injury/f2/injury", "faces": [3, 5], "reason": "The die fell off the table."},
)
def set_run_dice(ask: Ask, campaign: int, number: int, warband: int, body: DiceByHand) -> RunDetails:
    """Lay the dice of a roll of the open step, or have them thrown again. The proof of the dice names you."""
    walk: Walk = ask.thing
    set_die(
        actor=ask.person, run=walk.run, key=body.key, faces=body.faces, reason=body.reason,
        expected_version=ask.expected_version,
    )  # fmt: skip
    return _run(ask, campaign, number, warband)


def _run(ask: Ask, campaign: int, number: int, warband: int) -> RunDetails:
    battle = fight_to_run(ask, campaign, number).battle
    return run_details(read_sheet(battle, warband, ask.person))
