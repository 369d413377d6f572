"""Step 1: models are restored, and drugs used in the battle have their side effects (16, 17.7.5)."""

from rules.engine import acts
from rules.engine.changes import EffectBegan, Gained
from rules.engine.run import StepRun
from rules.engine.state import Effect, Fighter
from rules.engine.traits import LIQUOR_UPKEEP, is_immune_to_drugs

START = "start of the post-game"
ADDICTED_ON = 3
"""The highest 2D6 that makes who used an addictive drug addicted to it."""
LIQUOR = "liquor"
LIQUOR_COSTS = 5


def start(run: StepRun) -> None:
    """Health and being off the table are states of the game and end with it; only what was used has to be seen to."""
    for fighter in list(run.state.fighters.values()):
        if fighter.used:
            if not run.settings.only_injury_and_warband:
                _side_effects(run, fighter)
            for name in fighter.used:
                acts.lose(run, fighter.id, "used", name, START)


def _side_effects(run: StepRun, fighter: Fighter) -> None:
    """Once for each drug, however often it was taken, but not in a last battle (ruling 128).

    The dearer upkeep lasts until the warband phase ends it.
    """
    if is_immune_to_drugs(fighter, run.pack):
        return
    for name in dict.fromkeys(fighter.used):
        entry = run.pack.items.get(name)
        for use in entry.uses if entry is not None else ():
            if use.addictive:
                _risk_addiction(run, fighter, name)
            if use.what == LIQUOR:
                run.change(EffectBegan(run.me, Effect(LIQUOR_UPKEEP, LIQUOR_COSTS, fighter.id), name))


def _risk_addiction(run: StepRun, fighter: Fighter, drug: str) -> None:
    if drug in fighter.addictions:
        return
    roll = run.roll(f"{fighter.id}/{drug}", "2D6", purpose=f"addiction to {drug}")
    if roll.total <= ADDICTED_ON:
        run.change(Gained(run.me, fighter.id, "addiction", drug, drug))
