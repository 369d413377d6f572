"""The pre-game of a battle."""

from typing import Annotated, Any

from django.http import Http404
from django.utils.translation import gettext as _
from msgspec import Meta

from api.call import GM, Ask, call
from api.calls.battles.tags import BATTLE, Scenario, State, own_battle
from api.shapes import Face, In, Key
from api.shown.found import Fight, fight_for, the_pregame
from api.shown.pregame import PregameState, pregame_state
from campaigns.services.play_pregame import play_pregame
from campaigns.services.skip_pregame import skip_pregame as skip
from rules.engine.errors import RuleViolation


@call("get", f"{BATTLE}/pregame", tag=the_pregame, serves=("pregame",))
def read_pregame(ask: Ask, campaign: int, number: int) -> PregameState:
    """The pre-game: every seat with its questions, legal answers and rolls that wait, and what came of them."""
    fight: Fight = ask.thing
    if fight.battle.state in (State.PROPOSED, State.SCHEDULED):
        raise RuleViolation("not_begun", _("The pre-game of this battle is not open yet."))
    return pregame_state(fight)


def _play(ask: Ask, campaign: int, number: int, warband: int, **order: Any) -> PregameState:
    """One deed of one's own seat. Whoever sent a version means all seats: the service compares his own."""
    fight: Fight = ask.thing
    battle = own_battle(ask)
    if warband not in fight.versions:
        raise Http404
    seen = fight.versions[warband] if ask.expected_version is not None else None
    play_pregame(actor=ask.person, battle=battle, warband=warband, order=order, version=seen)
    return pregame_state(fight_for(ask, campaign, number))


class PregameAnswer(In):
    """The key of one option, or of several where the question takes any."""

    key: Key
    answer: Key | Annotated[list[Key], Meta(max_length=100)]


@call(
    "post",
    f"{BATTLE}/pregame/{{warband}}/answers",
    tag=the_pregame,
    serves=("pregame",),
    example={"key": "7/activate/activate", "answer": ["f1"]},
)
def answer_pregame(ask: Ask, campaign: int, number: int, warband: int, body: PregameAnswer) -> PregameState:
    """Answer a question of the pre-game, or answer it anew."""
    return _play(ask, campaign, number, warband, do="answer", key=body.key, answer=body.answer)


class RollKey(In):
    key: Key


@call(
    "post",
    f"{BATTLE}/pregame/{{warband}}/rolls",
    tag=the_pregame,
    serves=("pregame",),
    example={"key": "7/deploy/deployment zone"},
)
def roll_pregame(ask: Ask, campaign: int, number: int, warband: int, body: RollKey) -> PregameState:
    """Let the server make a roll that waits."""
    return _play(ask, campaign, number, warband, do="throw", key=body.key)


@call("post", f"{BATTLE}/pregame/{{warband}}/rolls/all", tag=the_pregame, serves=("pregame",))
def roll_all_pregame(ask: Ask, campaign: int, number: int, warband: int) -> PregameState:
    """Let the server make every roll of this warband."""
    return _play(ask, campaign, number, warband, do="throw_all")


class TypedDice(In):
    """What the dice on the table show."""

    key: Key
    faces: Annotated[list[Face], Meta(min_length=1, max_length=40)]


@call(
    "post",
    f"{BATTLE}/pregame/{{warband}}/rolls/typed",
    tag=the_pregame,
    serves=("pregame",),
    example={"key": "7/deploy/deployment zone", "faces": [4]},
)
def type_pregame_dice(ask: Ask, campaign: int, number: int, warband: int, body: TypedDice) -> PregameState:
    """Type in all dice of a roll that waits; a slip is mended by typing it again."""
    return _play(ask, campaign, number, warband, do="type", key=body.key, faces=body.faces)


class FateDie(In):
    """A die of a roll, the first being 0."""

    key: Key
    die: Annotated[int, Meta(ge=0, le=99)]


@call(
    "post",
    f"{BATTLE}/pregame/{{warband}}/fate",
    tag=the_pregame,
    serves=("pregame",),
    example={"key": "7/deploy/deployment zone", "die": 0},
)
def spend_pregame_fate(ask: Ask, campaign: int, number: int, warband: int, body: FateDie) -> PregameState:
    """Throw one die again; that cannot be taken back."""
    return _play(ask, campaign, number, warband, do="reroll", key=body.key, die=str(body.die))


@call("post", f"{BATTLE}/pregame/{{warband}}/done", tag=the_pregame, serves=("pregame",))
def finish_pregame(ask: Ask, campaign: int, number: int, warband: int) -> PregameState:
    """Be done with the pre-game. When everybody is, the game begins."""
    return _play(ask, campaign, number, warband, do="done")


@call("post", f"{BATTLE}/pregame/{{warband}}/reopening", tag=the_pregame, serves=("pregame",))
def reopen_pregame(ask: Ask, campaign: int, number: int, warband: int) -> PregameState:
    """Take back that you are done."""
    return _play(ask, campaign, number, warband, do="reopen")


class PregameSkip(In):
    scenario: Scenario = ""


@call("post", f"{BATTLE}/pregame/skip", tag=the_pregame, serves=("pregame_skip",), example={"scenario": ""})
def skip_pregame(ask: Ask, campaign: int, number: int, body: PregameSkip) -> PregameState:
    """Go on without the rest of the pre-game: at once as the game master, else when all players say so."""
    battle = own_battle(ask)
    if ask.thing.place.runs_it:
        ask.needs(GM)
    seen = battle.version if ask.expected_version is not None else None
    skip(actor=ask.person, battle=battle, version=seen, scenario=body.scenario)
    return pregame_state(fight_for(ask, campaign, number))
