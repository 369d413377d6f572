"""The names and numbers that a scenario may use. What is not among them is a slip and refused, not passed over."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from msgspec import Struct

from rules.engine.errors import InputError
from rules.engine.pack.effects import Choose, ChooseHero
from rules.engine.pack.schema import ARMOUR, WEAPONS, Pack

EFFECTS: dict[str, str] = {
    "underdog": "the bonus of this post-game, for exploration and experience",
    "next_exploration_dice": "so many dice more in the next exploration, or fewer",
    "next_exploration_raise": "one die of the next exploration may be raised by so much",
    "city_map_dice": "the same, from a City Map opened before this game",
    "city_map_plus": "the same, from a City Map opened before this game",
    "tarot": "the die of this number, the first being 1, may change by 1; the target laid the cards",
    "catacombs": "in each exploration one die may change by up to so much",
    "exploration_roll": "dice on the table, as `3,5,1` in the target; 1 when the warband has spied",
    "rarity_once": "added to the coming rarity roll",
    "rarity_lasting": "added to every rarity roll",
    "rarity_maximised": "the coming rarity roll is maximised so often",
    "half_price_hireling": "one hireling at half price and rarity in the coming trading",
    "half_price_mount": "one mount at half price and rarity in the coming trading",
    "moneylender": "the market status in points at the end of each trading",
    "raise": "so many models of the target's type join in the warband phase",
    "liquor_upkeep": "so much more upkeep for the target until the warband phase",
    "counts_as_booze": "the next game counts as one with a Barrel of Booze",
    "looted_graves": "the next warband of Holy Orders that it meets hates it",
    "sewers": "the leader in the target has Hunch without upper levels",
    "ransom_deal": "so many points were agreed on for the captive in the target",
    "ransom_item": "an item is part of that deal: CAPTIVE/ITEM",
    "ransom_captive": "a captive is part of that deal: CAPTIVE/WARBAND/FIGHTER",
    "held_captives": "the captives that the target held are settled",
    "pre_game_rating": "added to the rating before this game",
    "choose_scenario": "a Catacomb Map lets the warband choose the scenario",
    "barrel_of_booze": "everybody drank before this game",
    "hated_by": "the warband in the target hates this one in this game",
    "scout": "so many models of the target have Scout in this game",
    "sewer_scout": "the same, but not on upper levels",
    "vanguard": "so many models of the target have Vanguard in this game",
    "zone_roll": "the D6x10 for the deployment zone",
    "first_turn_roll": "the D6 for the first turn; the target is the first turn value",
}
"""What a warband can remember beyond a step, and what value and target say."""

TOPICS = (
    "used_in_battle", "vanquish_before_injuries", "healing_herb", "devotion", "pits", "pits_weapons", "ransom",
    "modify_exploration", "espionage", "keep_six", "which_set", "which_die", "upkeep", "share_experience", "lucky_foot",
    "advance", "skill", "choose_proficiencies", "warrior_wizard", "seventh_hero", "skill_lists", "rescue",
    "captive_fate", "player_trade", "streetwise", "path", "trade", "allocate", "vanquish", "equal_equipment",
    "too_many_heroes", "leader", "city_map", "scenario_chart", "scenario", "activate", "hunch", "tactician",
    "special_deployment", "first_turn_value",
)  # fmt: skip
"""What the engine asks about; the exploration table has topics of its own."""

NAMES: Mapping[str, Callable[[Pack], Collection[str]]] = {
    "army": lambda pack: {**pack.relations, **pack.armies},
    "species": lambda pack: {**pack.maxima, **{entry.species: () for entry in pack.fighters.values()}},
    "rules": lambda pack: pack.rules,
    "skills": lambda pack: pack.skills,
    "skill_lists": lambda pack: sorted({name for skill in pack.skills.values() for name in skill.lists}),
    "spells": lambda pack: pack.spells,
    "injuries": lambda pack: [row.name for row in (*pack.injury_lower, *pack.injury_higher)],
    "advances": lambda pack: [
        option.key for row in (*pack.advancement_lower, *pack.advancement_higher) for option in row.options
    ],
    "addictions": lambda pack: [entry.name for entry in pack.items.values() if entry.drug],
    "used": lambda pack: [*pack.items, *pack.upgrades],
    "weapon_proficiencies": lambda pack: _of_categories(WEAPONS, pack),
    "armour_proficiencies": lambda pack: _of_categories(ARMOUR, pack),
    "achievements": lambda pack: pack.achievements,
    "effects": lambda _: EFFECTS,
    "policy": lambda pack: [*TOPICS, *_asked_by(row.effects for row in pack.exploration.values())],
}
"""Where a name stands, and which there are."""

LEAST: Mapping[str, int] = dict.fromkeys(
    (
        "experience", "starting_experience", "coming_delays", "hands_lost", "melee_kills", "ranged_kills",
        "out_of_action", "scenario_experience", "routed", "markers", "fate_rerolls", "rarity_pool", "market_status",
    ),
    0,
) | {"next_id": 1}  # fmt: skip
MOST: Mapping[str, int] = {"rarity_pool": 18, "market_status": 6}
"""The least and the most that these numbers can be."""


def _of_categories(categories: Iterable[str], pack: Pack) -> list[str]:
    """Things by name, or all of a category."""
    return [*categories, *(entry.name for entry in pack.items.values() if entry.category in categories)]


def _asked_by(effects: Iterable[Any]) -> list[str]:
    """The topics of choices in a table, however deep they stand."""
    found = []
    for part in effects:
        inner = part if isinstance(part, tuple) else [getattr(part, name) for name in part.__struct_fields__]
        found += [part.topic] if isinstance(part, Choose | ChooseHero) else []
        found += _asked_by(thing for thing in inner if isinstance(thing, tuple | Struct))
    return found


def refuse_unknown(field: str, names: Iterable[Any], pack: Pack, where: str) -> None:
    """Refuse the first name of a field that nothing in the packs has."""
    known = NAMES[field](pack)
    for name in names:
        if not isinstance(name, str) or name not in known:
            raise InputError(where, f"{name!r} is not known", ", ".join(known))


def refuse_out_of_bounds(entry: Mapping[str, Any], where: str) -> None:
    """Refuse numbers below the least or above the most that they can be."""
    for field, value in entry.items():
        if field not in LEAST or not isinstance(value, int | float):
            continue
        if value < LEAST[field]:
            raise InputError(f"{where}.{field}", f"{value} is too low", f"{LEAST[field]} or more")
        if field in MOST and value > MOST[field]:
            raise InputError(f"{where}.{field}", f"{value} is too high", f"{MOST[field]} or less")
