"""The table that a roll was made on, and its rows around the one that was hit."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html_join
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from msgspec import Struct, structs

from rules.codex.says import say_all
from rules.engine.dice import Roll
from rules.engine.pack import effects as e
from rules.engine.pack.schema import AdvanceRow, ExplorationResult, InjuryRow, Pack
from rules.engine.phases.advancement import ADVANCEMENT
from rules.engine.state import Fighter
from warbands import words

WHOLE = 6
"""Tables of so many rows are shown whole."""


@dataclass(frozen=True)
class RowShown:
    numbers: str
    name: str
    note: str
    hit: bool


def rows_around(roll: Roll, fighter: Fighter | None, pack: Pack, row: str = "") -> list[RowShown]:
    """Nothing where the roll is on no table."""
    table = table_of(roll.purpose, roll.expression, fighter, pack, row)
    place = next((place for place, one in enumerate(table) if one.low <= roll.total <= one.high), None)
    if place is None:
        return []
    first, last = (0, len(table)) if len(table) <= WHOLE else (max(0, place - 1), place + 2)
    return [_shown(one, number == place) for number, one in enumerate(table)][first:last]


def table_of(purpose: str, expression: str, fighter: Fighter | None, pack: Pack, row: str = "") -> Sequence[Any]:
    """`row` tells apart several tables of one find."""
    if purpose == "injury":
        return pack.injury_higher if expression == "D66" else pack.injury_lower
    if purpose.startswith(ADVANCEMENT):
        if fighter is None:
            return ()
        return pack.advancement_higher if fighter.is_higher else pack.advancement_lower
    if expression == "D6":
        return _further(purpose, pack, row)
    return ()


def _further(cause: str, pack: Pack, row: str) -> Sequence[e.Row]:
    """A table within a row of another: of an injury, of a find."""
    entries: list[InjuryRow | ExplorationResult] = [*pack.injury_higher, *pack.exploration.values()]
    found = [table.rows for entry in entries if entry.name == cause for table in _tables(entry.effects)]
    named = [rows for rows in found if any(row and row in (one.name, f"{one.low}-{one.high}") for one in rows)]
    return (named or found or [()])[0]


def _tables(part: Any) -> Iterator[e.SubTable]:
    if isinstance(part, e.SubTable):
        yield part
    if isinstance(part, tuple | list):
        for inner in part:
            yield from _tables(inner)
    elif isinstance(part, Struct):
        for field in structs.fields(part):
            yield from _tables(getattr(part, field.name))


def _shown(row: Any, hit: bool) -> RowShown:
    return RowShown(numbers(row.low, row.high), row_name(row), _note(row), hit)


def numbers(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


def row_name(row: Any) -> str:
    if isinstance(row, AdvanceRow):
        return capfirst(_(" or ").join(advance(option.key) for option in row.options))
    return row.name or format_html_join(" ", "{}", ((said.text,) for said in say_all(row.effects))) or _("Nothing")


def _note(row: Any) -> str:
    """What an advance is, its name says."""
    return "" if isinstance(row, AdvanceRow) else getattr(row, "text", "")


def advance(key: str) -> str:
    """`Off+Def` as it is called."""
    if key == "skill":
        return _("a skill")
    if key in ("promote", "hero", "new hero"):
        return _("a new hero")
    return _(" and ").join(words.characteristic(short) for short in key.split("+"))
