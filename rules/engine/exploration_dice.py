"""The dice of an exploration: how many there are, and what changes them once they are rolled (16.3.1, 16.3.2).

Effects that the pre-game sequence leaves for them: `city_map_dice` (so many dice more or fewer), `city_map_plus`
(one die may be raised by the value) and `tarot` (the die whose number is its value, the first being 1, may be changed
by 1, unless the hero in its target is no longer there, ruling 132). They end with the roll.

The player's orders name dice by their place in the roll, the first being 0, as fate rerolls do.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.engine import acts
from rules.engine.battle import WON
from rules.engine.dice import Roll
from rules.engine.errors import InputError, RuleViolation
from rules.engine.expressions import dice_of
from rules.engine.pack.schema import Pack
from rules.engine.questions import ORDERS, Question
from rules.engine.run import StepRun
from rules.engine.skills import knows
from rules.engine.state import Effect, Fighter, Warband
from rules.engine.traits import belongings, between_them
from rules.engine.trials import test

MORE_DICE = ("next_exploration_dice", "city_map_dice")
RAISES = ("next_exploration_raise", "city_map_plus")
"""Rows of the pack remember the first of each, City Maps the second."""
TAROT, CATACOMBS = "tarot", "catacombs"
ONE_TIME = (*MORE_DICE, *RAISES, TAROT)

EXPLORER, DOWSER = "explorer", "dowser"
DELAYED_ON = 12


# Rolling ----------------------------------------------------------------------------------------------


def dice_sources(run: StepRun) -> dict[str, int]:
    """How many dice the warband rolls, by where they come from (16.3.1); who had allies won not alone (ruling 133)."""
    state = run.state
    underdog = state.effect("underdog")
    sources = {
        f"{state.devotion} devotion": run.pack.devotion[state.devotion].exploration_dice,
        "underdog": underdog.value if underdog is not None else 0,
        "victory": int(run.part.result == WON and not run.part.allies),
        "explorers": _explorers(state, run.pack),
        "earlier events": sum(effect.value for effect in state.effects if effect.name in MORE_DICE),
    }
    return {source: dice for source, dice in sources.items() if dice}


def _explorers(state: Warband, pack: Pack) -> int:
    """A die for each, up to as many as a warband may have."""
    if EXPLORER not in between_them(state, pack):
        return 0
    there = sum([fighter.models for fighter in state.present() if knows(fighter, EXPLORER, pack)])
    return min(there, sum(skill.most_per_warband for skill in pack.skills.values() if skill.what == EXPLORER))


@dataclass
class Dice:
    """The dice of one exploration roll, and what there still is to change them with."""

    faces: list[int]
    rerolled: set[int] = field(default_factory=set)
    """A die is rerolled once, by fate or by a dowser."""
    dowsers: dict[str, str] = field(default_factory=dict)
    """Who may still dowse, and with what."""
    catacombs: int = 0
    raises: list[int] = field(default_factory=list)
    tarot: list[int] = field(default_factory=list)
    """Places of dice that the cards were read for."""

    def can_change(self) -> bool:
        """Whether there is anything left to ask the player about."""
        return bool(self.faces and (self.dowsers or self.catacombs or self.raises or self.tarot))

    def facts(self) -> dict[str, Any]:
        """What a page needs to ask for changes of dice."""
        return {
            "dice": list(self.faces),
            "rerolled": sorted(self.rerolled),
            "dowser": list(self.dowsers),
            "catacombs": self.catacombs,
            "city_map": list(self.raises),
            "tarot": list(self.tarot),
        }

    def modify(self, die: int, by: int) -> None:
        """Never below 1 or above 6 (ruling 47)."""
        self.faces[die] = min(6, max(1, self.faces[die] + by))


def roll_dice(run: StepRun) -> list[int]:
    """All dice in one roll, modified; effects for one exploration are used up."""
    sources = dice_sources(run)
    number = max(0, sum(sources.values()))
    working = ", ".join(f"{dice} {source}" for source, dice in sources.items())
    once = [effect for effect in run.state.effects if effect.name in ONE_TIME]
    roll = run.roll("dice", dice_of(number), purpose=f"exploration: {working}")
    for effect in once:
        acts.end_effect(run, effect, "exploration")
    dice = _gathered(run, roll, once)
    _modify(run, dice)
    return dice.faces


def _gathered(run: StepRun, roll: Roll, once: Sequence[Effect]) -> Dice:
    catacombs = run.state.effect(CATACOMBS)
    if not once and catacombs is None and DOWSER not in between_them(run.state, run.pack):
        return Dice(list(roll.faces))
    there = run.state.present()
    names = {fighter.id for fighter in there}
    last = len(roll.faces) - 1
    return Dice(
        faces=list(roll.faces),
        rerolled={reroll.die for reroll in roll.rerolls},
        dowsers={fighter.id: name for fighter in there if (name := _dowser(fighter, run.pack))},
        catacombs=catacombs.value if catacombs is not None else 0,
        raises=[effect.value for effect in once if effect.name in RAISES],
        tarot=[
            min(max(effect.value - 1, 0), last)
            for effect in once
            if effect.name == TAROT and (not effect.target or effect.target in names)
        ],
    )


def _dowser(fighter: Fighter, pack: Pack) -> str:
    """The name of its dowser, if it carries one; nobody carries two."""
    if not fighter.items or DOWSER not in belongings(fighter, pack).uses:
        return ""
    for item in fighter.items:
        entry = pack.items.get(item.name)
        for use in entry.uses if entry is not None else ():
            if use.what == DOWSER:
                return item.name
    return ""


# Modifying --------------------------------------------------------------------------------------------

Order = Mapping[str, Any]


def _modify(run: StepRun, dice: Dice) -> None:
    """In any order that the player likes; he is asked again until he has enough, because a dowser may surprise."""
    while dice.can_change():
        key = run.key("modify")
        orders = run.ask_orders(Question(key, "modify_exploration", ORDERS, default=[], facts=dice.facts()))
        if not orders:
            return
        for place, order in enumerate(orders):
            where = f"{key}[{place}]"
            use, before = _use(order, where), list(dice.faces)
            _USES[use](run, dice, order, where)
            run.note("dice modified", row=f"{use}: {_difference(before, dice.faces)}")


def _use(order: Order, where: str) -> str:
    use = order.get("use")
    if not isinstance(use, str) or use not in _USES:
        raise InputError(where, f"{use!r} modifies no dice", ", ".join(_USES))
    for name in order:
        if name not in ("use", "fighter", "die", "by"):
            raise InputError(where, f"{name!r} is no part of this order", "use, fighter, die, by")
    return use


def _difference(before: Sequence[int], after: Sequence[int]) -> str:
    changed = [f"{old} to {new}" for old, new in zip(before, after, strict=True) if old != new]
    return ", ".join(changed) or "no change"


def _dowse(run: StepRun, dice: Dice, order: Order, where: str) -> None:
    """A discipline test; passed, the die is rerolled. Twelve delays the bearer, after the warband phase (ruling 42)."""
    who = order.get("fighter")
    if not isinstance(who, str) or who not in run.state.fighters:
        raise InputError(where, f"{who!r} is no fighter", ", ".join(dice.dowsers))
    if who not in dice.dowsers:
        raise RuleViolation("cannot_dowse", f"{run.fighter(who).name} cannot use a dowser now.")
    die = _die(order, dice, where)
    if die in dice.rerolled:
        raise RuleViolation("no_reroll", f"Die {die + 1} of this roll was rerolled already.")
    name = dice.dowsers.pop(who)
    passed, roll = test(run, who, "Dis", f"{who}/dowser test")
    run.note("passed" if passed else "failed", who, name, roll)
    if roll.total == DELAYED_ON:
        acts.delay(run, who, 1, name)
    if passed:
        dice.faces[die] = run.roll(f"{who}/dowser", purpose=f"{name}: die {die + 1} again", fate=False).total
        dice.rerolled.add(die)


def _use_catacombs(run: StepRun, dice: Dice, order: Order, where: str) -> None:
    if not dice.catacombs:
        raise RuleViolation("nothing_to_modify_with", "The catacombs change one die, and only where they are known.")
    dice.modify(_die(order, dice, where), _by(order, range(-dice.catacombs, dice.catacombs + 1), where))
    dice.catacombs = 0


def _use_city_map(run: StepRun, dice: Dice, order: Order, where: str) -> None:
    if not dice.raises:
        raise RuleViolation("nothing_to_modify_with", "Only an accurate city map raises a die, and only one.")
    dice.modify(_die(order, dice, where), dice.raises[0])
    del dice.raises[0]


def _use_tarot(run: StepRun, dice: Dice, order: Order, where: str) -> None:
    die = _die(order, dice, where)
    if die not in dice.tarot:
        raise RuleViolation("not_the_die_of_the_cards", f"The cards were not read for die {die + 1} of this roll.")
    dice.modify(die, _by(order, (-1, 1), where))
    dice.tarot.remove(die)


def _die(order: Order, dice: Dice, where: str) -> int:
    die = order.get("die")
    if isinstance(die, bool) or not isinstance(die, int) or not 0 <= die < len(dice.faces):
        raise InputError(where, f"{die!r} is no die of this roll", f"0 to {len(dice.faces) - 1}")
    return die


def _by(order: Order, allowed: Iterable[int], where: str) -> int:
    by = order.get("by")
    if isinstance(by, bool) or not isinstance(by, int) or by not in allowed:
        raise InputError(where, f"{by!r} is no change of a die here", ", ".join(map(str, allowed)))
    return by


_USES: dict[str, Callable[[StepRun, Dice, Order, str], None]] = {
    "dowser": _dowse,
    "catacombs": _use_catacombs,
    "city_map": _use_city_map,
    "tarot": _use_tarot,
}
