"""Between the tables and the engine: a warband read as a state, and a state written as the least of rows."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeVar

import msgspec
from django.db import models
from django.db.models import F, Value
from django.utils import timezone

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
BESIDES: dict[Any, tuple[Any, Any]] = {
    Skill: (Value(""), Value("")),
    Rule: (F("value"), F("against")),
    Injury: (F("battle"), F("by")),
}
"""The columns of a trait beside its name, in the order of the engine's fields."""

Row = TypeVar("Row", bound=models.Model)


# Reading --------------------------------------------------------------------------------------------


def read_state(warband: Warband) -> engine.Warband:
    """Three queries whatever the size: fighters, items, and what fighters have by name."""
    fighters, items = list(warband.fighters.all()), list(warband.items.all())
    return _read(warband, fighters, items, _by_fighter([warband]))


def read_states(warbands: Sequence[Warband]) -> dict[int, engine.Warband]:
    """Many at once, in the same three queries; by primary key."""
    fighters: dict[int, list[Fighter]] = defaultdict(list)
    for fighter in Fighter.objects.filter(warband__in=warbands):
        fighters[fighter.warband_id].append(fighter)
    items: dict[int, list[Item]] = defaultdict(list)
    for item in Item.objects.filter(warband__in=warbands):
        items[item.warband_id].append(item)
    traits = _by_fighter(warbands)
    return {row.pk: _read(row, fighters[row.pk], items[row.pk], traits) for row in warbands}


def _read(warband: Warband, fighters: list[Fighter], items: list[Item], traits: "Found") -> engine.Warband:
    held: dict[int | None, list[engine.Item]] = defaultdict(list)
    for item in items:
        held[item.fighter_id].append(engine.Item(item.key, item.name, tuple(item.upgrades), item.detail))
    return engine.Warband(
        id=str(warband.pk),
        leader=next((fighter.key for fighter in fighters if fighter.is_leader), ""),
        fighters={fighter.key: _read_fighter(fighter, held[fighter.pk], traits) for fighter in fighters},
        stockpile=tuple(held[None]),
        effects=tuple(msgspec.convert(effect, engine.Effect) for effect in warband.effects),
        rating=number(warband.rating),
        **{name: getattr(warband, name) for name in PLAIN_WARBAND},
    )


Found = Mapping[tuple[str, int], list[tuple[str, str, str]]]
"""A fighter's traits by what they are and whose: name, and the two columns that rules and injuries have besides."""


def _by_fighter(warbands: Sequence[Warband]) -> Found:
    """Skills, rules and injuries in one query, because every page about a warband needs all of them."""
    first, *others = (_trait_rows(kind, warbands, *more) for kind, more in BESIDES.items())
    found: dict[tuple[str, int], list[tuple[str, str, str]]] = defaultdict(list)
    for what, fighter, _place, _pk, *trait in first.union(*others, all=True).order_by(
        "what", "fighter", "place", "row"
    ):
        found[what, fighter].append((trait[0], trait[1], trait[2]))
    return found


def _trait_rows(kind: Any, warbands: Sequence[Warband], second: Any, third: Any) -> Any:
    columns = {"what": Value(BELOW[kind]), "place": F("position"), "row": F("pk"), "second": second, "third": third}
    rows = kind.objects.order_by().filter(fighter__warband__in=warbands).annotate(**columns)
    return rows.values_list("what", "fighter", "place", "row", "name", "second", "third")


def _read_fighter(row: Fighter, items: list[engine.Item], traits: Found) -> engine.Fighter:
    return engine.Fighter(
        id=row.key,
        profile=row.profile,
        maxima=row.maxima,
        models=row.size,
        experience=number(row.experience),
        starting_experience=number(row.starting_experience),
        items=tuple(items),
        skills=tuple(name for name, _second, _third in traits["skills", row.pk]),
        rules=tuple(engine.Rule(*rule) for rule in traits["rules", row.pk]),
        injuries=tuple(engine.Injury(*hurt) for hurt in traits["injuries", row.pk]),
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
    warband.saved = timezone.now()
    warband.save(update_fields=[*PLAIN_WARBAND, "rating", "effects", "version", "saved"])


def _take_leave(warband: Warband, before: engine.Warband, after: engine.Warband, rows: dict[str, Fighter]) -> None:
    """Who is gone, with what nobody else has got since; and whoever no longer leads, before anybody else does."""
    gone = [rows.pop(key).pk for key in before.fighters if key not in after.fighters]
    if gone:
        warband.items.filter(fighter__in=gone, key__in=_placed(after).keys()).update(fighter=None)
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


# Checking -------------------------------------------------------------------------------------------


def warband_row(state: engine.Warband) -> Warband:
    """A warband as a row that is not saved, to ask the columns whether they can hold it."""
    plain = {name: getattr(state, name) for name in PLAIN_WARBAND}
    return Warband(rating=Decimal(str(state.rating)), effects=msgspec.to_builtins(state.effects), **plain)


def fighter_rows(fighter: engine.Fighter) -> Iterator[models.Model]:
    """The same for a fighter, with everything it has."""
    row = _filled(Fighter(key=fighter.id), fighter, 0, leads=False)
    yield row
    for item in fighter.items:
        yield item_row(item)
    for kind in TRAITS:
        for place, trait in enumerate(getattr(fighter, BELOW[kind])):
            yield kind(position=place, **_trait_columns(trait))


def item_row(item: engine.Item) -> Item:
    return Item(key=item.id, position=0, name=item.name, upgrades=list(item.upgrades), detail=item.detail)
