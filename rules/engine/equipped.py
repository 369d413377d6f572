"""What a model's values are with all that it wears, carries and rides (5.4, 17.3, 17.7)."""

from collections.abc import Iterable, Iterator

from rules.engine.acts import FLOORS, carried_by
from rules.engine.pack.schema import Bonus, Item, Pack
from rules.engine.state import Fighter, evolve
from rules.engine.traits import as_worn, belongings, granted_rules, mount_of

TOP_ARMOUR = 6
"""Nothing makes armour better (5.4)."""
SET_ARMOUR = "Armour 1 at most"
"""The keyword of what sets armour, and lets nothing improve it (17.7.3.1)."""


def equipped(fighter: Fighter, pack: Pack) -> dict[str, int]:
    """The profile of one model with its things; a rider moves as the mount does (17.7.6)."""
    if not fighter.items:
        return dict(fighter.profile)
    share = carried_by(fighter, 1) if fighter.models > 1 else fighter.items
    one = as_worn(evolve(fighter, models=1, items=share), pack)
    values = dict(one.profile)
    mount = mount_of(one, pack)
    if mount is not None and mount.mount is not None:
        values |= {"Adv": mount.mount.adv, "Mar": mount.mount.mar}
        _add(values, mount.mount.rider)
    met = _conditions(one, pack)
    for bonus in _bonuses(one, pack):
        _add(values, bonus.changes if bonus.when in met else {})
    values = {name: max(value, min(one.profile[name], FLOORS.get(name, 0))) for name, value in values.items()}
    return values | {"Arm": limited_armour(values["Arm"], belongings(one, pack).entries)}


def _bonuses(one: Fighter, pack: Pack) -> Iterator[Bonus]:
    """Of things, their upgrades and the rules that come along; some count once, however many there are."""
    seen = set()
    for item in one.items:
        for source in (item.name, *item.upgrades):
            entry = pack.items.get(source) or pack.upgrades.get(source)
            for bonus in entry.bonuses if entry is not None else ():
                if not bonus.once or source not in seen:
                    yield bonus
            seen.add(source)
    for name in {rule.name for rule in granted_rules(one, pack)}:
        if name in pack.rules:
            yield from pack.rules[name].bonuses


def _add(values: dict[str, int], changes: dict[str, int]) -> None:
    for name, by in changes.items():
        values[name] += by


def _conditions(one: Fighter, pack: Pack) -> set[str]:
    """Those that a model meets by what it has. Others depend on the game, and what they bring is not counted.

    Limited Motions are a matter of who goes on foot, and not of the strong-legged (17.2, 17.6.4, ruling 104).
    """
    known = belongings(one, pack)
    met = {"", "on_foot" if known.mount is None else "mounted"}
    if one.carries("Barding"):
        met.add("with_barding")
    if known.mount is None and "Limited Motions" in known.rule_names:
        met.add("" if "ignores_limited_motions" in known.mechanisms else "with_limited_motions")
    return met


def limited_armour(value: int, things: Iterable[Item]) -> int:
    """Armour as these things let it be."""
    return 1 if any(SET_ARMOUR in thing.keywords for thing in things) else min(value, TOP_ARMOUR)
