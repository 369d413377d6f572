"""Step 1: models are restored, what was used up is gone, and drugs have their side effects (16, 17.7)."""

from collections.abc import Iterator, Sequence

from rules.engine import acts
from rules.engine.changes import EffectBegan, Gained
from rules.engine.equipment import item_label
from rules.engine.pack.schema import Pack
from rules.engine.pregame import CITY_MAP, FIRST_TURN
from rules.engine.questions import ANY, Option, Question
from rules.engine.run import StepRun
from rules.engine.state import Effect, Fighter, Item
from rules.engine.traits import LIQUOR_UPKEEP, is_immune_to_drugs

START = "start of the post-game"
ADDICTED_ON = 3
"""The highest 2D6 that makes who used an addictive drug addicted to it."""
LIQUOR = "liquor"
LIQUOR_COSTS = 5
IN_THE_GAME, BEFORE_IT = ("game", "recovery"), "pre_game"
"""When things are used: the pre-game asks about its own, where it was played here."""
GONE, DEARER = "It is gone", f"{LIQUOR_COSTS} points more upkeep"


def start(run: StepRun) -> None:
    """Health and being off the table are states of the game and end with it; only what was used has to be seen to."""
    _ask_what_was_used(run)
    for fighter in list(run.state.fighters.values()):
        if fighter.used:
            if not run.settings.only_injury_and_warband:
                _side_effects(run, fighter)
            for name in fighter.used:
                acts.lose(run, fighter.id, "used", name, START)


def _ask_what_was_used(run: StepRun) -> None:
    """At the table, by those who were there: what has one use is gone then (17.7).

    What is used before the game belongs to it where nobody played the pre-game here. In a last battle nobody is
    asked (ruling 128).
    """
    key = run.key("used")
    if run.takes_default(key) or run.settings.only_injury_and_warband:
        return
    things = {f"{fighter.id}/{item.id}": (fighter, item, means) for fighter, item, means in _usable(run)}
    if not things:
        return
    options = tuple(
        Option(thing, f"{fighter.name}: {item_label(item)}", means) for thing, (fighter, item, means) in things.items()
    )
    question = Question(key, "used_in_battle", ANY, options, default=[], most=len(options))
    for choice in run.ask_any(question):
        fighter, item, means = things[choice]
        run.change(Gained(run.me, fighter.id, "used", item.name, item.name))
        if means == GONE:
            acts.destroy(run, fighter.id, item, f"{item.name} used")


def _usable(run: StepRun) -> Iterator[tuple[Fighter, Item, str]]:
    """Things that leave a trace when they are used in a game, each with what it means."""
    when = IN_THE_GAME if run.state.effect(FIRST_TURN) is not None else (*IN_THE_GAME, BEFORE_IT)
    for fighter in run.state.present():
        if run.part.deed(fighter.id).took_part:
            for item in fighter.items:
                means = _trace(item, when, run.pack)
                if means:
                    yield fighter, item, means


def _trace(item: Item, when: Sequence[str], pack: Pack) -> str:
    """A map is of no use once the scenario is known."""
    upgrade, entry = pack.upgrades.get(item.name), pack.items.get(item.name)
    if upgrade is not None:
        return GONE if upgrade.one_use and (not upgrade.pre_game or BEFORE_IT in when) else ""
    for use in entry.uses if entry is not None else ():
        if use.when in when and use.one_use and use.what != CITY_MAP:
            return GONE
        if use.what == LIQUOR:
            return DEARER
    return ""


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
