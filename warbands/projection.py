"""Between the tables and the engine: a warband read as a state, and a state written as the least of rows."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeVar

import msgspec
from django.db import models
from django.db.models import F, Value
from django.utils import timezone

from rules.engine import state as engine
from warbands.models import Fighter, Injury, Item, Rule, Skill, Warband
from warbands.rewriting import rewrite

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


@dataclass(frozen=True)
class Rewrite:
    """One warband that is to be written: its row, what the tables say, what they shall say, and by how many acts."""

    row: Warband
    before: engine.Warband
    after: engine.Warband
    acts: int = 1


def write_state(warband: Warband, before: engine.Warband, after: engine.Warband) -> None:
    """Make the tables say `after`, touching only what differs, in a number of statements that does not grow."""
    write_states([Rewrite(warband, before, after)])


def write_states(rewrites: Sequence[Rewrite]) -> None:
    """The same for many: a statement a table and kind of writing, whatever the number of warbands and fighters."""
    _write_warbands(rewrites)
    rows: Rows = {
        (row.warband_id, row.key): row for row in Fighter.objects.filter(warband__in=[one.row for one in rewrites])
    }
    touched = _touched_items(rewrites)
    _take_leave(rewrites, rows, touched)
    _write_fighters(rewrites, rows)
    _write_items(rewrites, rows, touched)
    for kind in TRAITS:
        _write_traits(kind, rewrites, rows)


Rows = dict[tuple[int, str], Fighter]
"""Fighters by warband and key."""


def _write_warbands(rewrites: Sequence[Rewrite]) -> None:
    now = timezone.now()
    for one in rewrites:
        for name in PLAIN_WARBAND:
            setattr(one.row, name, getattr(one.after, name))
        one.row.rating = Decimal(str(one.after.rating))
        one.row.effects = msgspec.to_builtins(one.after.effects)
        one.row.version += one.acts
        one.row.saved = now
    columns = [*PLAIN_WARBAND, "rating", "effects", "version", "saved"]
    rewrite([one.row for one in rewrites], columns)


def _take_leave(rewrites: Sequence[Rewrite], rows: Rows, touched: "Touched") -> None:
    """Who is gone, with what nobody else has got since; and whoever no longer leads, before anybody else does."""
    gone = [
        rows.pop((one.row.pk, key)).pk
        for one in rewrites
        for key in one.before.fighters
        if key not in one.after.fighters
    ]
    if gone:
        left = [item.pk for item, stays in touched.values() if stays and item.fighter_id in gone]
        Item.objects.filter(pk__in=left).update(fighter=None)
        Fighter.objects.filter(pk__in=gone).delete()
    deposed = [
        rows[one.row.pk, one.before.leader].pk
        for one in rewrites
        if one.before.leader != one.after.leader and (one.row.pk, one.before.leader) in rows
    ]
    if deposed:
        Fighter.objects.filter(pk__in=deposed).update(is_leader=False)


def _write_fighters(rewrites: Sequence[Rewrite], rows: Rows) -> None:
    new: list[Fighter] = []
    changed: list[Fighter] = []
    for one in rewrites:
        for place, key, fighter in _differing(one):
            is_new = (one.row.pk, key) not in rows
            row = rows.setdefault((one.row.pk, key), Fighter(warband=one.row, key=key))
            (new if is_new else changed).append(_filled(row, fighter, place, leads=key == one.after.leader))
    if new:
        Fighter.objects.bulk_create(new)
    if changed:
        columns = [*PLAIN_FIGHTER, *LISTS, "profile", "maxima", "size", "experience", "starting_experience"]
        rewrite(changed, [*columns, "position", "is_leader"])


def _differing(one: Rewrite) -> Iterator[tuple[int, str, engine.Fighter]]:
    """Fighters that are new, changed, moved or came to lead, with their places."""
    old = {key: (place, key == one.before.leader, it) for place, (key, it) in enumerate(one.before.fighters.items())}
    for place, (key, fighter) in enumerate(one.after.fighters.items()):
        if old.get(key) != (place, key == one.after.leader, fighter):
            yield place, key, fighter


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


Touched = dict[tuple[int, str], tuple[Item, bool]]
"""Rows of items that go or change, by warband and key, and whether they stay."""


def _touched_items(rewrites: Sequence[Rewrite]) -> Touched:
    stays: dict[tuple[int, str], bool] = {}
    for one in rewrites:
        old, new = _placed(one.before), _placed(one.after)
        stays |= {(one.row.pk, key): key in new for key in old if new.get(key) != old[key]}
    if not stays:
        return {}
    found = Item.objects.filter(
        warband__in={warband for warband, _key in stays}, key__in={key for _warband, key in stays}
    )
    rows = {(row.warband_id, row.key): row for row in found}
    return {key: (rows[key], remains) for key, remains in stays.items() if key in rows}


def _write_items(rewrites: Sequence[Rewrite], rows: Rows, touched: Touched) -> None:
    gone = [row.pk for row, stays in touched.values() if not stays]
    if gone:
        Item.objects.filter(pk__in=gone).delete()
    new: list[Item] = []
    moved: list[Item] = []
    for one in rewrites:
        old = _placed(one.before)
        for key, placed in _placed(one.after).items():
            if key not in old:
                new.append(_laid(Item(warband=one.row, key=key), placed, rows))
            elif (one.row.pk, key) in touched:
                moved.append(_laid(touched[one.row.pk, key][0], placed, rows))
    if new:
        Item.objects.bulk_create(new)
    if moved:
        rewrite(moved, ["fighter", "position", "name", "upgrades", "detail"])


def _laid(row: Item, placed: tuple[str, int, engine.Item], rows: Rows) -> Item:
    holder, row.position, item = placed
    row.fighter = rows.get((row.warband_id, holder))
    row.name, row.upgrades, row.detail = item.name, list(item.upgrades), item.detail
    return row


def _write_traits(kind: Any, rewrites: Sequence[Rewrite], rows: Rows) -> None:
    """Whoever's list changed gets it anew: a list is short, and its order is part of it."""
    field = BELOW[kind]
    changed = [
        (rows[one.row.pk, key], getattr(fighter, field))
        for one in rewrites
        for key, fighter in one.after.fighters.items()
        if getattr(fighter, field) != (getattr(one.before.fighters[key], field) if key in one.before.fighters else ())
    ]
    if not changed:
        return
    kind.objects.filter(fighter__in=[row.pk for row, _traits in changed]).delete()
    kind.objects.bulk_create(
        kind(fighter=row, position=place, **_trait_columns(trait))
        for row, traits in changed
        for place, trait in enumerate(traits)
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
