"""Which names of a pack a warband uses, and which of them another pack does not have."""

from collections.abc import Iterator
from dataclasses import dataclass

from rules.engine.pack.schema import Pack
from rules.engine.state import Item, Warband


@dataclass(frozen=True)
class Used:
    """A name, the part of the pack that has it, and the fighter who uses it; nobody for the warband itself."""

    part: str
    name: str
    fighter: str = ""


def used_names(state: Warband) -> Iterator[Used]:
    """Everything that would be gone or meaningless without its entry."""
    yield Used("armies", state.army)
    for item in state.stockpile:
        yield from _of_item(item, "")
    for fighter in state.fighters.values():
        if fighter.type:
            yield Used("fighters", fighter.type, fighter.id)
        yield Used("maxima", fighter.species, fighter.id)
        for item in fighter.items:
            yield from _of_item(item, fighter.id)
        yield from (Used("skills", name, fighter.id) for name in fighter.skills)
        yield from (Used("rules", rule.name, fighter.id) for rule in fighter.rules)
        yield from (Used("spells", name, fighter.id) for name in fighter.spells)


def _of_item(item: Item, fighter: str) -> Iterator[Used]:
    yield Used("items", item.name, fighter)
    yield from (Used("upgrades", name, fighter) for name in item.upgrades)


def is_known(used: Used, pack: Pack) -> bool:
    """Whether the pack has it; an upgrade that is a thing of its own stands among the items of a fighter."""
    return used.name in getattr(pack, used.part) or (used.part == "items" and used.name in pack.upgrades)


def unknown_names(state: Warband, pack: Pack, *, before: Pack | None = None) -> list[Used]:
    """What the pack lacks; with `before`, only what that one had."""
    found = (used for used in dict.fromkeys(used_names(state)) if not is_known(used, pack))
    return [used for used in found if before is None or is_known(used, before)]
