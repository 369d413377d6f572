"""Between the tables and the engine: a warband read as a state, and a state written as the least of rows.

Both are plain statements with JSON that the database puts together and takes apart. Rows are named by their warband and
key, as the engine knows them, so that nothing has to be read again before it is written.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any

import msgspec
from django.db import models
from django.utils import timezone

from rules.engine import state as engine
from warbands.models import Fighter, Injury, Item, Rule, Skill, Trait, Warband
from warbands.rewriting import rewrite
from warbands.statements import as_json, send

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
COLUMNS = {Skill: ("name",), Rule: ("name", "value", "against"), Injury: ("name", "battle", "by")}
"""Of a trait, in the order of the engine's fields."""


# Reading --------------------------------------------------------------------------------------------


def _listed(cells: str, table: str, where: str) -> str:
    """Some rows below another as a JSON list of lists, in their order."""
    return f"(SELECT json_agg({cells} ORDER BY t.position, t.id) FROM {table} t WHERE {where})"  # noqa: S608


_ITEM = "json_build_array(t.key, t.name, t.upgrades, t.detail)"
_PLAIN = ", ".join(f"f.{name}" for name in PLAIN_FIGHTER + LISTS)
BELONGINGS = f"""{_listed(_ITEM, "warbands_item", "t.warband_id = w.id AND t.fighter_id IS NULL")}::text, (
  SELECT json_agg(f)::text FROM (
    SELECT f.key AS id, f.is_leader, f.profile, f.maxima, f.size AS models, {_PLAIN},
      trim_scale(f.experience) AS experience, trim_scale(f.starting_experience) AS starting_experience,
      {_listed(_ITEM, "warbands_item", "t.fighter_id = f.id")} AS items,
      {_listed("t.name", "warbands_skill", "t.fighter_id = f.id")} AS skills,
      {_listed("json_build_array(t.name, t.value, t.against)", "warbands_rule", "t.fighter_id = f.id")} AS rules,
      {_listed("json_build_array(t.name, t.battle, t.by)", "warbands_injury", "t.fighter_id = f.id")} AS injuries
    FROM warbands_fighter f WHERE f.warband_id = w.id ORDER BY f.position, f.id
  ) f
)"""  # noqa: S608
"""Two columns beside a warband `w`: what lies in its stockpile, and its fighters with all that they have."""
READ = f"SELECT w.id, {BELONGINGS} FROM warbands_warband w WHERE w.id = ANY(%s)"  # noqa: S608


def read_state(warband: Warband) -> engine.Warband:
    """One query whatever the size."""
    return read_states([warband])[warband.pk]


def read_states(warbands: Sequence[Warband]) -> dict[int, engine.Warband]:
    """Many at once, in the same query; by primary key."""
    if not warbands:
        return {}
    found = {pk: below for pk, *below in send(READ, [row.pk for row in warbands]).fetchall()}
    return {row.pk: state_of(row, *found.get(row.pk, (None, None))) for row in warbands}


def state_of(warband: Warband, stockpile: str | None, fighters: str | None) -> engine.Warband:
    """A row and its belongings as a state."""
    return _read(warband, _decoded(stockpile), _decoded(fighters))


def _decoded(text: str | None) -> Sequence[Any]:
    found: Sequence[Any] = msgspec.json.decode(text) if text else ()
    return found


def _read(warband: Warband, stockpile: Sequence[Any], fighters: Sequence[dict[str, Any]]) -> engine.Warband:
    return engine.Warband(
        id=str(warband.pk),
        leader=next((fighter["id"] for fighter in fighters if fighter["is_leader"]), ""),
        fighters={fighter["id"]: _read_fighter(fighter) for fighter in fighters},
        stockpile=_read_items(stockpile),
        effects=tuple(msgspec.convert(effect, engine.Effect) for effect in warband.effects),
        rating=number(warband.rating),
        **{name: getattr(warband, name) for name in PLAIN_WARBAND},
    )


def _read_fighter(found: dict[str, Any]) -> engine.Fighter:
    del found["is_leader"]
    for name in LISTS:
        found[name] = tuple(found[name])
    found["items"] = _read_items(found["items"] or ())
    found["skills"] = tuple(found["skills"] or ())
    found["rules"] = tuple([engine.Rule(*rule) for rule in found["rules"] or ()])
    found["injuries"] = tuple([engine.Injury(*hurt) for hurt in found["injuries"] or ()])
    return engine.Fighter(**found)


def _read_items(found: Sequence[Any]) -> tuple[engine.Item, ...]:
    return tuple([engine.Item(key, name, tuple(upgrades), detail) for key, name, upgrades, detail in found])


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


Cells = list[dict[str, Any]]
"""Rows as they go to the database, by column."""


def write_state(warband: Warband, before: engine.Warband, after: engine.Warband) -> None:
    """Make the tables say `after`, touching only what differs, in a number of statements that does not grow."""
    write_states([Rewrite(warband, before, after)])


def write_states(rewrites: Sequence[Rewrite]) -> None:
    """The same for many: a statement a table and kind of writing, whatever the number of warbands and fighters."""
    _write_warbands(rewrites)
    _run(_DEPOSE, _deposed(rewrites))
    _run(_WRITE_FIGHTERS, [cells for one in rewrites for cells in _differing(one)])
    _write_items(rewrites)
    _run(_LEAVE, _gone(rewrites))
    _write_traits(rewrites)


def _run(statement: str, cells: Cells) -> None:
    """Unless there is nothing to write."""
    if cells:
        send(statement, as_json(cells))


def _write_warbands(rewrites: Sequence[Rewrite]) -> None:
    now = timezone.now()
    for one in rewrites:
        for name in PLAIN_WARBAND:
            setattr(one.row, name, getattr(one.after, name))
        one.row.rating = Decimal(str(one.after.rating))
        one.row.effects = msgspec.to_builtins(one.after.effects)
        one.row.version += one.acts
        one.row.saved = now
    columns = [*PLAIN_WARBAND, "rating", "effects", "version", "saved", "draft_log"]
    rewrite([one.row for one in rewrites], columns)


_FIGHTER = (*PLAIN_FIGHTER, *LISTS, "profile", "maxima", "size", "experience", "starting_experience", "position",
            "is_leader")  # fmt: skip
_SET = ", ".join(f"{name} = excluded.{name}" for name in _FIGHTER)
_WRITE_FIGHTERS = f"""
INSERT INTO warbands_fighter (warband_id, key, {", ".join(_FIGHTER)})
SELECT warband_id, key, {", ".join(_FIGHTER)} FROM jsonb_populate_recordset(NULL::warbands_fighter, %s)
ON CONFLICT (warband_id, key) DO UPDATE SET {_SET}
"""  # noqa: S608
_ITS_KEY = "(SELECT t.id FROM {table} t WHERE (t.warband_id, t.key) = (new.warband_id, new.{key}))"
"""Looked up one by one: how many there are the database cannot know, and guesses far too many."""
_WHO = _ITS_KEY.format(table="warbands_fighter", key="key")
_DEPOSE = f"""
UPDATE warbands_fighter SET is_leader = false
WHERE id = ANY(ARRAY(SELECT {_WHO} FROM jsonb_populate_recordset(NULL::warbands_fighter, %s) new))
"""  # noqa: S608
_LEAVE = f"""
WITH gone AS (SELECT {_WHO} AS id FROM jsonb_populate_recordset(NULL::warbands_fighter, %s) new),
items AS (DELETE FROM warbands_item WHERE fighter_id = ANY(ARRAY(SELECT id FROM gone))),
skills AS (DELETE FROM warbands_skill WHERE fighter_id = ANY(ARRAY(SELECT id FROM gone))),
rules AS (DELETE FROM warbands_rule WHERE fighter_id = ANY(ARRAY(SELECT id FROM gone))),
injuries AS (DELETE FROM warbands_injury WHERE fighter_id = ANY(ARRAY(SELECT id FROM gone)))
DELETE FROM warbands_fighter WHERE id = ANY(ARRAY(SELECT id FROM gone))
"""  # noqa: S608


def _deposed(rewrites: Sequence[Rewrite]) -> Cells:
    """Whoever no longer leads, before somebody else does; without anybody else there is nothing to hurry."""
    changed = [one for one in rewrites if one.before.leader and one.after.leader not in ("", one.before.leader)]
    return [{"warband_id": one.row.pk, "key": one.before.leader} for one in changed]


def _gone(rewrites: Sequence[Rewrite]) -> Cells:
    """What others have got of theirs is in other hands by then."""
    return [
        {"warband_id": one.row.pk, "key": key}
        for one in rewrites
        for key in one.before.fighters
        if key not in one.after.fighters
    ]


def _differing(one: Rewrite) -> Iterator[dict[str, Any]]:
    """Fighters that are new, changed, moved or came to lead."""
    old = {key: (place, key == one.before.leader, it) for place, (key, it) in enumerate(one.before.fighters.items())}
    for place, (key, fighter) in enumerate(one.after.fighters.items()):
        leads = key == one.after.leader
        if old.get(key) != (place, leads, fighter):
            yield {"warband_id": one.row.pk, "key": key, **_columns(fighter), "position": place, "is_leader": leads}


def _columns(fighter: engine.Fighter) -> dict[str, Any]:
    """What a fighter is by itself, without its place."""
    columns = {name: getattr(fighter, name) for name in (*PLAIN_FIGHTER, *LISTS, "profile", "maxima")}
    return columns | {
        "size": fighter.models,
        "experience": fighter.experience,
        "starting_experience": fighter.starting_experience,
    }


Placed = dict[str, tuple[str, int, engine.Item]]
"""Item key to holder, place in his hands, and the item."""


def _placed(state: engine.Warband) -> Placed:
    held = {"": state.stockpile} | {key: fighter.items for key, fighter in state.fighters.items()}
    return {item.id: (holder, place, item) for holder, items in held.items() for place, item in enumerate(items)}


_DROP_ITEMS = f"""
DELETE FROM warbands_item WHERE id = ANY(ARRAY(
  SELECT {_ITS_KEY.format(table="warbands_item", key="key")}
  FROM jsonb_populate_recordset(NULL::warbands_item, %s) new
))
"""  # noqa: S608
_LAY_ITEMS = f"""
INSERT INTO warbands_item (warband_id, fighter_id, key, position, name, upgrades, detail)
SELECT new.warband_id, {_ITS_KEY.format(table="warbands_fighter", key="holder")}, new.key, new.position, new.name,
  new.upgrades, new.detail
FROM jsonb_to_recordset(%s) AS new (
  warband_id bigint, holder text, key text, position smallint, name text, upgrades text[], detail text
)
ON CONFLICT (warband_id, key) DO UPDATE SET fighter_id = excluded.fighter_id, position = excluded.position,
  name = excluded.name, upgrades = excluded.upgrades, detail = excluded.detail
"""  # noqa: S608


def _write_items(rewrites: Sequence[Rewrite]) -> None:
    """What is lost with somebody who leaves goes when they do."""
    laid: Cells = []
    dropped: Cells = []
    for one in rewrites:
        old, new = _placed(one.before), _placed(one.after)
        stays = {"", *one.after.fighters}
        lost = (key for key, (holder, _place, _item) in old.items() if key not in new and holder in stays)
        dropped += [{"warband_id": one.row.pk, "key": key} for key in lost]
        laid += [_laid(one.row.pk, key, *placed) for key, placed in new.items() if old.get(key) != placed]
    _run(_DROP_ITEMS, dropped)
    _run(_LAY_ITEMS, laid)


def _laid(warband: int, key: str, holder: str, place: int, item: engine.Item) -> dict[str, Any]:
    return {
        "warband_id": warband, "holder": holder, "key": key, "position": place, "name": item.name,
        "upgrades": item.upgrades, "detail": item.detail,
    }  # fmt: skip


def _write_traits(rewrites: Sequence[Rewrite]) -> None:
    """Whoever's list changed gets it anew: a list is short, and its order is part of it."""
    cells = [found for one in rewrites for found in _traits(one)]
    kinds = tuple(kind for kind in TRAITS if any(BELOW[kind] in found for found in cells))
    if kinds:
        _run(_trait_statement(kinds), cells)


def _traits(one: Rewrite) -> Iterator[dict[str, Any]]:
    """The lists of a fighter that are not as they were."""
    for key, fighter in one.after.fighters.items():
        old = one.before.fighters.get(key)
        lists = {
            field: [_trait_columns(trait) for trait in getattr(fighter, field)]
            for field in BELOW.values()
            if getattr(fighter, field) != (getattr(old, field) if old is not None else ())
        }
        if lists:
            yield {"warband_id": one.row.pk, "key": key, **lists}


@cache
def _trait_statement(kinds: tuple[type[Trait], ...]) -> str:
    """One for all kinds: their old rows go, and the new ones come."""
    lists = ", ".join(BELOW[kind] for kind in kinds)
    parts = ", ".join(part for kind in kinds for part in _anew(kind, BELOW[kind], COLUMNS[kind]))
    return f"""
WITH who AS (
  SELECT {_WHO} AS id, {lists} FROM jsonb_to_recordset(%s) AS new (
    warband_id bigint, key text, {", ".join(f"{BELOW[kind]} jsonb" for kind in kinds)}
  )
), {parts}
SELECT
"""  # noqa: S608


def _anew(kind: type[Trait], listed: str, columns: Sequence[str]) -> tuple[str, str]:
    table = kind._meta.db_table
    return (
        f"""old_{listed} AS (
  DELETE FROM {table} WHERE fighter_id = ANY(ARRAY(SELECT id FROM who WHERE {listed} IS NOT NULL))
)""",  # noqa: S608
        f"""new_{listed} AS (
  INSERT INTO {table} (fighter_id, position, {", ".join(columns)})
  SELECT who.id, t.place - 1, {", ".join(f"t.trait ->> '{name}'" for name in columns)}
  FROM who, jsonb_array_elements(who.{listed}) WITH ORDINALITY AS t (trait, place)
)""",  # noqa: S608
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
    plain = {name: list(value) if name in LISTS else value for name, value in _columns(fighter).items()}
    exact = {name: Decimal(str(plain[name])) for name in ("experience", "starting_experience")}
    yield Fighter(key=fighter.id, position=0, **(plain | exact))
    for item in fighter.items:
        yield item_row(item)
    for kind in TRAITS:
        for place, trait in enumerate(getattr(fighter, BELOW[kind])):
            yield kind(position=place, **_trait_columns(trait))


def item_row(item: engine.Item) -> Item:
    return Item(key=item.id, position=0, name=item.name, upgrades=list(item.upgrades), detail=item.detail)
