"""The ten steps of the post-game sequence, in order (16)."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from rules.engine.battle import Battle
from rules.engine.changes import Change
from rules.engine.dice import DiceSource, Roll
from rules.engine.errors import InputError
from rules.engine.pack.schema import Pack
from rules.engine.phases.advancement import advancement
from rules.engine.phases.allocation import allocation
from rules.engine.phases.experience import experience
from rules.engine.phases.exploration import exploration
from rules.engine.phases.injury import injury
from rules.engine.phases.player_trade import player_trade
from rules.engine.phases.start import start
from rules.engine.phases.trading import trading
from rules.engine.phases.underdog import underdog
from rules.engine.phases.warband import warband
from rules.engine.pregame import PREGAME
from rules.engine.questions import Answer, Choices, Policy, Question
from rules.engine.run import Fact, Needs, Pending, StepFunction, StepRun, go
from rules.engine.settings import CampaignSettings
from rules.engine.state import Warband

STEPS: dict[str, StepFunction] = {
    "start": start,
    "underdog": underdog,
    "injury": injury,
    "exploration": exploration,
    "experience": experience,
    "advancement": advancement,
    "player_trade": player_trade,
    "trading": trading,
    "allocation": allocation,
    "warband": warband,
}

NO_CHOICES = Choices()
DEFAULTS = CampaignSettings()


class Played(Struct, frozen=True):
    """Some steps of one warband: the state they lead to and everything on the way."""

    warbands: Mapping[str, Warband]
    changes: tuple[Change, ...]
    rolls: tuple[Roll, ...]
    facts: tuple[Fact, ...]
    steps: tuple[str, ...]
    """The steps that are complete."""
    pending: tuple[Question, ...] = ()
    needs_dice: tuple[tuple[str, int], ...] = ()
    asked: tuple[tuple[Question, Answer], ...] = ()
    """Questions that were answered, by the player or for him."""


def steps_between(first: str, last: str) -> list[str]:
    """The steps from one to another, both included."""
    names = list(STEPS)
    for name in (first, last):
        if not isinstance(name, str) or name not in STEPS:
            raise InputError("steps", f"{name!r} is no step", ", ".join(names))
    if names.index(first) > names.index(last):
        raise InputError("to", f"{last!r} comes before {first!r}", ", ".join(names[names.index(first) :]))
    return names[names.index(first) : names.index(last) + 1]


def play(
    warbands: Mapping[str, Warband],
    me: str,
    battle: Battle,
    pack: Pack,
    dice: DiceSource,
    *,
    steps: Sequence[str] = tuple(STEPS),
    choices: Choices = NO_CHOICES,
    settings: CampaignSettings = DEFAULTS,
    policy: Policy | None = None,
) -> Played:
    """Play steps one after the other until one waits for somebody."""
    run = StepRun("", warbands, me, battle, pack, dice, choices, settings, policy)
    done: list[str] = []
    pending: Pending = ()
    needs: Needs = ()
    for step in steps:
        run.begin(step)
        pending, needs = go(STEPS.get(step) or PREGAME[step], run)
        if pending or needs:
            break
        done.append(step)
    changes, rolls, facts, asked = tuple(run.changes), tuple(run.rolls), tuple(run.facts), tuple(run.asked)
    return Played(run.warbands, changes, rolls, facts, tuple(done), pending, needs, asked)
