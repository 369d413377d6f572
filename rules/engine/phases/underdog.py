"""Step 2: what a warband gets for having fought a stronger one (16.1)."""

from math import floor

from rules.engine import acts
from rules.engine.changes import EffectBegan
from rules.engine.run import StepRun
from rules.engine.state import Effect

UNDERDOG = "underdog"
"""The effect that remembers the bonus for exploration and experience; the warband phase ends it."""


def underdog(run: StepRun) -> None:
    """Remember the bonus until the warband phase; what is left of an earlier one ends."""
    left_over = run.state.effect(UNDERDOG)
    if left_over is not None:
        acts.end_effect(run, left_over, UNDERDOG)
    bonus = underdog_bonus(run)
    run.note("underdog bonus", row=str(bonus))
    if bonus:
        run.change(EffectBegan(run.me, Effect(UNDERDOG, bonus), UNDERDOG))


def underdog_bonus(run: StepRun) -> int:
    """By how much the strongest warband that was fought is stronger; nothing if nobody was fought.

    Ratings are those that the warbands went in with. Slow learners leave halves in them: a band is reached only
    when its first whole number is (ruling 120). In a last battle there is no bonus (ruling 128).
    """
    opponents = run.battle.opponents(run.me)
    if not opponents or not run.settings.underdog_bonus or run.settings.only_injury_and_warband:
        return 0
    difference = floor(max(opponent.rating for opponent in opponents) - run.part.rating)
    for band in run.pack.underdog:
        if band.high is None or difference <= band.high:
            return band.value
    return 0
