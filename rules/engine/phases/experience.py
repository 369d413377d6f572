"""Step 5: what everybody learned in the battle (16.4)."""

from rules.engine import acts
from rules.engine.battle import WON, Deed
from rules.engine.changes import ExperienceGained, FighterSet
from rules.engine.run import StepRun
from rules.engine.state import Fighter

MOST_FOR_MARKSMANSHIP = 2

PARTICIPATION, UNDERDOG, COMMAND = "participation", "underdog bonus", "command"
MARKSMANSHIP, PROWESS, SCENARIO = "marksmanship", "martial prowess", "scenario"
"""Causes of changes."""


def experience(run: StepRun) -> None:
    """One change a source, for all who took part and are still on the roster; the delayed never took part.

    Only a leader who won without allies commanded (ruling 133). Nothing caps what is learned (ruling 139).
    """
    if run.settings.only_injury_and_warband:
        return
    underdog = run.state.effect("underdog")
    bonus = underdog.value if underdog is not None else 0
    commander = run.state.leader if run.part.result == WON and not run.part.allies else ""
    deeds = run.part.deeds
    for fighter in list(run.state.fighters.values()):
        deed = deeds.get(fighter.id)
        if deed is not None and deed.took_part and not fighter.delayed:
            _count_kills(run, fighter, deed)
            _learn(run, fighter, deed, bonus, fighter.id == commander)


def _learn(run: StepRun, fighter: Fighter, deed: Deed, bonus: int, commands: bool) -> None:
    rate = acts.learning_rate(fighter, run.pack)
    if not rate:
        return
    for amount, cause in _earned(fighter, deed, bonus, commands):
        run.change(ExperienceGained(run.me, fighter.id, amount * rate, cause))


def _earned(fighter: Fighter, deed: Deed, bonus: int, commands: bool) -> list[tuple[int, str]]:
    """Groups learn nothing from whom they take out of action."""
    earned = [(1, PARTICIPATION)]
    if bonus:
        earned.append((bonus, UNDERDOG))
    if commands:
        earned.append((1, COMMAND))
    if deed.ranged_kills and fighter.is_higher:
        earned.append((min(deed.ranged_kills, MOST_FOR_MARKSMANSHIP), MARKSMANSHIP))
    if deed.melee_kills and fighter.is_higher:
        earned.append((deed.melee_kills, PROWESS))
    if deed.scenario_experience:
        earned.append((deed.scenario_experience, SCENARIO))
    return earned


def _count_kills(run: StepRun, fighter: Fighter, deed: Deed) -> None:
    """For the record, groups included and without a limit."""
    if deed.melee_kills:
        before = fighter.melee_kills
        run.change(FighterSet(run.me, fighter.id, "melee_kills", before, before + deed.melee_kills, "battle"))
    if deed.ranged_kills:
        before = fighter.ranged_kills
        run.change(FighterSet(run.me, fighter.id, "ranged_kills", before, before + deed.ranged_kills, "battle"))
