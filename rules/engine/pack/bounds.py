"""Numbers and short texts of a pack that are wrong by themselves: a price below nothing, a rarity above 18."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from rules.engine.pack import effects as e
from rules.engine.pack.schema import (
    Achievement,
    AdvanceOption,
    Army,
    DevotionRow,
    FighterType,
    Files,
    Item,
    Scenario,
    Skill,
    SpecialPrice,
    Upgrade,
    Use,
)

MUCH = 9999
RARITY = (0, 18)

BOUNDS: Mapping[type[Struct], Mapping[str, tuple[int, int]]] = {
    Item: {
        "rarity": RARITY, "hands": (0, 2), "range": (0, MUCH), "shots": (0, 99), "excludes_from": (1, 99),
        "rarity_roll": RARITY, "extra_models": (0, 99),
    },
    Upgrade: {"rarity": RARITY},
    SpecialPrice: {"rarity": RARITY},
    Use: {"per_game": (0, 99)},
    Skill: {"most_per_warband": (0, 99)},
    FighterType: {
        "price": (0, MUCH), "rarity": RARITY, "least": (0, 99), "most": (0, 99), "group": (1, 99),
        "starting_experience": (0, MUCH), "spells": (0, 99),
    },
    Army: {"largest": (1, 999), "smallest": (1, 999), "most_heroes": (1, 999), "starting_points": (0, MUCH)},
    DevotionRow: {"exploration_dice": (0, 20), "relation": (-2, 2)},
    Achievement: {"points": (0, MUCH)},
    Scenario: {"roll": (1, 6)},
    e.Found: {"needed": (0, 6)},
    e.SubTable: {"dice": (1, 20)},
}  # fmt: skip
"""The least and the most that a number can be."""

LOWEST_AP = -9
"""Armour Penetration alone may be below nothing (5.4)."""

NUMBER_OF_A_WEAPON = (r"(User|-|[+-]?\d{1,2})?", "User, +1 or 4")

SHAPES: Mapping[type[Struct], Mapping[str, tuple[str, str]]] = {
    Item: {"strength": NUMBER_OF_A_WEAPON, "ap": NUMBER_OF_A_WEAPON},
    Scenario: {"players": (r"\d{1,2}(-\d{1,2})?", "2 or 2-6")},
    AdvanceOption: {"key": (r".+", "a text")},
    e.Choose: {"topic": (r"\w+", "a word")},
    e.ChooseHero: {"topic": (r"\w+", "a word")},
    e.Way: {"key": (r".+", "a text")},
}
"""What a short text looks like."""

Found = tuple[str, str, str]


def out_of_bounds(content: Files) -> Iterator[Found]:
    """Row, field and problem of each number and text that cannot be."""
    for part in content.__struct_fields__:
        for thing in _things(getattr(content, part)):
            yield from _inside(thing, f"{part} {_called(thing)}")


def _things(value: Any) -> list[Struct]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else (value,)
    return [thing for thing in inner if isinstance(thing, Struct)]


def _called(thing: Struct) -> str:
    """As the other checks call a row: by its name, its faces or its range."""
    for field in ("faces", "name"):
        if getattr(thing, field, ""):
            return str(getattr(thing, field))
    return f"{getattr(thing, 'low', '')}-{getattr(thing, 'high', '')}"


def _inside(thing: Struct, row: str) -> Iterator[Found]:
    for field, (least, most) in BOUNDS.get(type(thing), {}).items():
        number = getattr(thing, field)
        if number is not None and not least <= number <= most:
            yield row, field, f"{number} is not between {least} and {most}"
    for field, (shape, example) in SHAPES.get(type(thing), {}).items():
        text = getattr(thing, field)
        if not re.fullmatch(shape, text):
            yield row, field, f"{text!r} is not as in {example}"
    if isinstance(thing, FighterType):
        yield from _profile(thing, row)
    for field in thing.__struct_fields__:
        for part in _things(getattr(thing, field)):
            yield from _inside(part, f"fighters {part.name}" if isinstance(part, FighterType) else row)


def _profile(kind: FighterType, row: str) -> Iterator[Found]:
    for name, number in kind.profile.items():
        least = LOWEST_AP if name == "AP" else 0
        if not least <= number <= MUCH:
            yield row, "profile", f"{name} {number} is not between {least} and {MUCH}"
