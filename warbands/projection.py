"""Between the tables and the engine: a warband read as a state, and a state written as the least of rows."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, TypeVar

import msgspec
from django.db import models

from rules.engine import state as engine
from warbands.models import Fighter, Injury, Item, Rule, Skill, Warband

PLAIN_WARBAND = (
    "name", "army", "devotion", "chaotic", "treasury", "fate_rerolls", "rarity_pool", "market_status", "next_id",
)  # fmt: skip
PLAIN_FIGHTER = (
    "name", "kind", "type", "species", "delayed", "coming_delays", "hands_lost", "captive_of", "devotion", "recruited",
    "melee_kills", "ranged_kills", "rolls_taken",
)  # fmt: skip
LISTS = (
    "skill_lists", "spells", "weapon_proficiencies", "armour_proficiencies", "advances", "addictions", "used",
)  # fmt: skip
TRAITS: tuple[type[Skill | Rule | Injury], ...] = (Skill, Rule, Injury)
BELOW = {Skill: "skills", Rule: "rules", Injury: "injuries"}

Row = TypeVar("Row", bound=models.Model)


# Reading --------------------------------------------------------------------------------------------


def read_state(warband: Warband) -> engine.Warband:
    """Five queries whatever the size: fighters, items, skills, rules, injuries."""
    fighters = list(warband.fighters.all())
    items = list(warband.items.all())
    held: dict[int | None, list[engine.Item]] = defaultdict(list)
    for item in items:
        held[item.fighter_id].append(engine.Item(item.key, item.name, tuple(item.upgrades), item.detail))
    traits = {kind: _by_fighter(kind, fighters) for kind in TRAITS}
    return engine.Warband(
        id=str(warband.pk),
        leader=next((fighter.key for fighter in fighters if fighter.is_leader), ""),
        fighters={fighter.key: _read_fighter(fighter, held[fighter.pk], traits) for fighter in fighters},
        stockpile=tuple(held[None]),
        effects=tuple(msgspec.convert(effect, engine.Effect) for effect in warband.effects),
        rating=number(warband.rating),
        **{name: getattr(warband, name) for name in PLAIN_WARBAND},
    )


def _by_fighter(kind: Any, fighters: Iterable[Fighter]) -> Mapping[int, list[Any]]:
    found: dict[int, list[Any]] = defaultdict(list)
    for row in kind.objects.filter(fighter__in=[fighter.pk for fighter in fighters]):
        found[row.fighter_id].append(row)
    return found


def _read_fighter(row: Fighter, items: list[engine.Item], traits: Any) -> engine.Fighter:
    return engine.Fighter(
        id=row.key,
        profile=row.profile,
        maxima=row.maxima,
        models=row.size,
        experience=number(row.experience),
        starting_experience=number(row.starting_experience),
        items=tuple(items),
        skills=tuple(skill.name for skill in traits[Skill][row.pk]),
        rules=tuple(engine.Rule(rule.name, rule.value, rule.against) for rule in traits[Rule][row.pk]),
        injuries=tuple(engine.Injury(hurt.name, hurt.battle, hurt.by) for hurt in traits[Injury][row.pk]),
        **_plain(row),
    )


def _plain(row: Fighter) -> dict[str, Any]:
    plain: dict[str, Any] = {name: getattr(row, name) for name in PLAIN_FIGHTER}
    return plain | {name: tuple(getattr(row, name)) for name in LISTS}


def number(value: Decimal | float) -> float:
    """Whole numbers stay whole: only slow learners have halves."""
    return int(value) if value == int(value) else float(value)


# Writing --------------------------------------------------------------------------------------------


def write_state(warband: Warband, before: engine.Warband, after: engine.Warband) -> None:
    """Make the tables say `after`, touching only what differs, in a number of statements that does not grow."""
    _write_warband(warband, after)
    rows = {row.key: row for row in warband.fighters.all()}
    _take_leave(warband, before, after, rows)
    _write_fighters(warband, before, after, rows)
    _write_items(warband, before, after, rows)
    for kind in TRAITS:
        _write_traits(kind, before, after, rows)


def _write_warband(warband: Warband, after: engine.Warband) -> None:
    for name in PLAIN_WARBAND:
        setattr(warband, name, getattr(after, name))
    warband.rating = Decimal(str(after.rating))
    warband.effects = msgspec.to_builtins(after.effects)
    warband.version += 1
    warband.save(update_fields=[*PLAIN_WARBAND, "rating", "effects", "version"])


def _take_leave(warband: Warband, before: engine.Warband, after: engine.Warband, rows: dict[str, Fighter]) -> None:
    """Who is gone, and whoever no longer leads: before anybody else does, or there would be two."""
    gone = [rows.pop(key).pk for key in before.fighters if key not in after.fighters]
    if gone:
        Fighter.objects.filter(pk__in=gone).delete()
    if before.leader != after.leader and before.leader in rows:
        warband.fighters.filter(key=before.leader).update(is_leader=False)


def _write_fighters(warband: Warband, before: engine.Warband, after: engine.Warband, rows: dict[str, Fighter]) -> None:
    new, changed = [], []
    old_places = {key: place for place, key in enumerate(before.fighters)}
    for place, (key, fighter) in enumerate(after.fighters.items()):
        leads = key == after.leader
        if key not in rows:
            rows[key] = Fighter(warband=warband, key=key)
            new.append(_filled(rows[key], fighter, place, leads))
        elif before.fighters[key] != fighter or old_places[key] != place or leads != (key == before.leader):
            changed.append(_filled(rows[key], fighter, place, leads))
    if new:
        Fighter.objects.bulk_create(new)
    if changed:
        columns = [*PLAIN_FIGHTER, *LISTS, "profile", "maxima", "size", "experience", "starting_experience"]
        Fighter.objects.bulk_update(changed, [*columns, "position", "is_leader"])


def _filled(row: Fighter, fighter: engine.Fighter, place: int, leads: bool) -> Fighter:
    for name in PLAIN_FIGHTER:
        setattr(row, name, getattr(fighter, name))
    for name in LISTS:
        setattr(row, name, list(getattr(fighter, name)))
    row.profile, row.maxima, row.size = dict(fighter.profile), dict(fighter.maxima), fighter.models
    row.experience = Decimal(str(fighter.experience))
    row.starting_experience = Decimal(str(fighter.starting_experience))
    row.position, row.is_leader = place, leads
    return row


Placed = dict[str, tuple[str, int, engine.Item]]
"""Item key to holder, place in his hands, and the item."""


def _placed(state: engine.Warband) -> Placed:
    held = {"": state.stockpile} | {key: fighter.items for key, fighter in state.fighters.items()}
    return {item.id: (holder, place, item) for holder, items in held.items() for place, item in enumerate(items)}


def _write_items(warband: Warband, before: engine.Warband, after: engine.Warband, rows: dict[str, Fighter]) -> None:
    old, new = _placed(before), _placed(after)
    gone = old.keys() - new.keys()
    if gone:
        warband.items.filter(key__in=gone).delete()
    fresh = [_item_row(warband, new[key], rows) for key in new if key not in old]
    if fresh:
        Item.objects.bulk_create(fresh)
    moved = {key for key in new.keys() & old.keys() if new[key] != old[key]}
    if moved:
        there = list(warband.items.filter(key__in=moved))
        for row in there:
            holder, place, item = new[row.key]
            row.fighter, row.position = rows.get(holder), place
            row.name, row.upgrades, row.detail = item.name, list(item.upgrades), item.detail
        Item.objects.bulk_update(there, ["fighter", "position", "name", "upgrades", "detail"])


def _item_row(warband: Warband, placed: tuple[str, int, engine.Item], rows: dict[str, Fighter]) -> Item:
    holder, place, item = placed
    return Item(
        warband=warband, fighter=rows.get(holder), key=item.id, position=place,
        name=item.name, upgrades=list(item.upgrades), detail=item.detail,
    )  # fmt: skip


def _write_traits(kind: Any, before: engine.Warband, after: engine.Warband, rows: dict[str, Fighter]) -> None:
    """Whoever's list changed gets it anew: a list is short, and its order is part of it."""
    field = BELOW[kind]
    changed = [
        fighter
        for key, fighter in after.fighters.items()
        if getattr(fighter, field) != (getattr(before.fighters[key], field) if key in before.fighters else ())
    ]
    if not changed:
        return
    kind.objects.filter(fighter__in=[rows[fighter.id].pk for fighter in changed]).delete()
    kind.objects.bulk_create(
        kind(fighter=rows[fighter.id], position=place, **_trait_columns(trait))
        for fighter in changed
        for place, trait in enumerate(getattr(fighter, field))
    )


def _trait_columns(trait: Any) -> dict[str, str]:
    if isinstance(trait, str):
        return {"name": trait}
    columns: dict[str, str] = msgspec.to_builtins(trait)
    return columns
