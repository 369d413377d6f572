"""Items, armies and fighters of a pack as spreadsheets, and back. `docs/pack-files.md` has the columns.

A sheet holds what fits into cells. What does not, such as what a thing adds while it is carried, stays as the draft
has it, or as the packs below have it.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, Struct

from rules.engine.pack.content import SEVERAL, to_plain
from rules.engine.pack.schema import Army, FighterType, Files, Item, Pack
from rules.engine.state import HIRELING, PROFILE

ITEM_COLUMNS = (
    "name", "category", "price", "rarity", "hands", "range", "shots", "strength", "ap", "keywords", "sellable",
    "equippable", "only_mounted", "not_mounted", "only_large", "slots", "excludes", "excludes_from", "rarity_roll",
    "extra_models", "drug", "text", "section", "ruling",
)  # fmt: skip
FIGHTER_COLUMNS = (
    "army", "name", "kind", "leader", "species", *PROFILE, "price", "rarity", "least", "most", "group",
    "starting_experience", "rules", "skills", "skill_lists", "weapons", "armour", "mounts", "equipment", "paths",
    "spells", "devotion", "hirers", "large", "found_only", "text", "section", "ruling",
)  # fmt: skip
ARMY_COLUMNS = (
    "code", "name", "largest", "smallest", "most_heroes", "starting_points", "names", "warband_names", "text",
    "section", "ruling",
)  # fmt: skip
MOST_ROWS, LARGEST = 2000, 1_000_000
YES, NO = "yes", "no"
RISKY = ("=", "+", "-", "@", "\t", "\r", "'")
"""Spreadsheets take a text that begins so for a formula; an apostrophe before it says that it is none."""

Plain = dict[str, Any]


@dataclass(frozen=True, order=True)
class SheetProblem:
    """A mistake in a sheet: the line of the file, the column, and what it is."""

    line: int
    column: str
    problem: str

    def __str__(self) -> str:
        return ": ".join((f"line {self.line}", *filter(None, (self.column, self.problem))))


@dataclass(frozen=True)
class Sheet:
    """The content with what a sheet says, or what is wrong with the sheet; then the content is as it was."""

    content: Plain
    problems: list[SheetProblem]
    rows: int = 0


# Writing ------------------------------------------------------------------------------------------


def items_csv(content: Files) -> str:
    return _written(ITEM_COLUMNS, (_cells(entry, ITEM_COLUMNS) for entry in content.items))


def armies_csv(content: Files) -> str:
    """Their limits and names; their fighters are a sheet of their own."""
    return _written(ARMY_COLUMNS, (_cells(entry, ARMY_COLUMNS) for entry in content.armies))


def fighters_csv(content: Files) -> str:
    """The fighters of its armies, then its hirelings."""
    own = ((army.code, entry) for army in content.armies for entry in army.fighters)
    hired = ((entry.army, entry) for entry in content.hirelings)
    return _written(FIGHTER_COLUMNS, (_fighter_cells(code, entry) for code, entry in (*own, *hired)))


def _written(columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> str:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, columns, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _fighter_cells(code: str, entry: FighterType) -> dict[str, str]:
    profile = {short: str(entry.profile[short]) if short in entry.profile else "" for short in PROFILE}
    return _cells(entry, [each for each in FIGHTER_COLUMNS if each not in PROFILE]) | profile | {"army": code}


def _cells(entry: Struct, columns: Iterable[str]) -> dict[str, str]:
    return {column: _cell(getattr(entry, column)) for column in columns}


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return YES if value else NO
    if isinstance(value, int):
        return str(value)
    text = f"{SEVERAL} ".join(value) if isinstance(value, tuple) else str(value)
    return f"'{text}" if text.startswith(RISKY) else text


# Reading ------------------------------------------------------------------------------------------


def with_items(content: Plain, text: str, below: Pack) -> Sheet:
    """Rows change or add items by name; what the sheet does not name stays."""
    reader = _Reader(text, ITEM_COLUMNS, Item)
    known = {name: to_plain(entry) for name, entry in below.items.items()}
    rows = _by_name(content.get("items")) if reader.rows else {}
    for line in reader.rows:
        name = line.text("name")
        rows[name] = reader.laid_over(line, rows.get(name) or known.get(name) or {})
    return reader.sheet(content, {"items": list(rows.values())})


def with_armies(content: Plain, text: str, below: Pack) -> Sheet:
    """By code. One that only the packs below have is taken over whole, with its fighters and its market."""
    reader = _Reader(text, ARMY_COLUMNS, Army)
    armies = {str(army.get("code")): dict(army) for army in _dicts(content.get("armies"))}
    for line in reader.rows:
        code = line.text("code")
        if not code:
            reader.wrong(line.number, "code", "is missing")
        known = to_plain(below.armies[code]) if code in below.armies else {}
        armies[code] = reader.laid_over(line, armies.get(code) or known)
    return reader.sheet(content, {"armies": list(armies.values())})


def with_fighters(content: Plain, text: str, below: Pack) -> Sheet:
    """An army that the draft does not have yet is taken over whole from the packs below."""
    reader = _Reader(text, FIGHTER_COLUMNS, FighterType)
    armies = {str(army.get("code")): dict(army) for army in _dicts(content.get("armies"))}
    hirelings = _by_name(content.get("hirelings"))
    known = {name: to_plain(entry) for name, entry in below.fighters.items()}
    for line in reader.rows:
        name, code = line.text("name"), line.text("army")
        if line.text("kind") == HIRELING:
            hirelings[name] = reader.laid_over(line, hirelings.get(name) or known.get(name) or {})
            continue
        army = armies.get(code) or (to_plain(below.armies[code]) if code in below.armies else None)
        if army is None:
            reader.wrong(line.number, "army", f"there is no army {code!r}" if code else "is missing")
            continue
        fighters = _by_name(army.get("fighters"))
        row = reader.laid_over(line, fighters.get(name) or {})
        row.pop("army", None)
        armies[code] = army | {"fighters": list((fighters | {name: row}).values())}
    return reader.sheet(content, {"armies": list(armies.values()), "hirelings": list(hirelings.values())})


def _dicts(rows: Any) -> list[Plain]:
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _by_name(rows: Any) -> dict[str, Plain]:
    return {str(row.get("name")): row for row in _dicts(rows)}


@dataclass(frozen=True)
class _Line:
    number: int
    cells: Mapping[str, str]

    def text(self, column: str) -> str:
        return self.cells.get(column, "").strip()


class _Reader:
    def __init__(self, text: str, columns: Sequence[str], kind: type[Struct]) -> None:
        self.kind, self.columns = kind, columns
        self.problems: list[SheetProblem] = []
        self.rows: list[_Line] = []
        try:
            self.rows = list(self._lines(text))
        except csv.Error as error:
            self.wrong(1, "", f"is not readable as CSV: {error}")

    def wrong(self, line: int, column: str, problem: str) -> None:
        self.problems.append(SheetProblem(line, column, problem))

    def _lines(self, text: str) -> Iterator[_Line]:
        plain = text.removeprefix("\ufeff")
        if len(plain) > LARGEST or "\x00" in plain:
            return self.wrong(1, "", "is too large" if len(plain) > LARGEST else "is no text")
        first = plain.split("\n", 1)[0]
        reader = csv.reader(io.StringIO(plain, newline=""), delimiter=max(",;\t", key=first.count))
        header = [cell.strip() for cell in next(reader, [])]
        if not self._accepted(header):
            return None
        seen: set[str] = set()
        for cells in reader:
            if any(cell.strip() for cell in cells):
                if len(seen) >= MOST_ROWS:
                    return self.wrong(reader.line_num, "", f"has more than {MOST_ROWS} rows")
                line = _Line(reader.line_num, dict(zip(header, map(_unshielded, cells), strict=False)))
                if len(cells) > len(header):
                    self.wrong(line.number, "", "has more cells than there are columns")
                name = line.text("name")
                if not name or name in seen:
                    self.wrong(line.number, "name", f"{name!r} stands here twice" if name else "is missing")
                seen.add(name)
                yield line
        return None

    def _accepted(self, header: Sequence[str]) -> bool:
        for name in header:
            if name not in self.columns:
                self.wrong(1, name, "there is no such column" if name else "a column has no name")
            elif header.count(name) > 1:
                self.wrong(1, name, "stands here twice")
        for name in ("army", "code", "name", "kind"):
            if name in self.columns and name not in header:
                self.wrong(1, name, "is missing")
        return not self.problems

    def laid_over(self, line: _Line, row: Plain) -> Plain:
        """The row with the cells of the line; a cell that is empty means the default."""
        made = dict(row)
        profile = dict(made.get("profile") or {})
        for column in line.cells:
            if column in PROFILE:
                _put(profile, column, self._whole(line, column))
            else:
                self._take(made, line, column)
        if self.kind is FighterType:
            made["profile"] = profile
        return made

    def _take(self, made: Plain, line: _Line, column: str) -> None:
        hint, default = _field(self.kind, column)
        value = _READERS[_shape(hint)](self, line, column)
        usual = list(default) if isinstance(default, tuple) else default
        made.pop(column, None)
        if value is not None and value != usual:
            made[column] = value

    def _text(self, line: _Line, column: str) -> str | None:
        return line.text(column) or None

    def _whole(self, line: _Line, column: str) -> int | None:
        text = line.text(column)
        digits = text.removeprefix("-")
        if not text:
            return None
        if digits.isascii() and digits.isdecimal() and len(digits) < 7:
            return int(text)
        self.wrong(line.number, column, f"{text!r} is no whole number")
        return None

    def _yes(self, line: _Line, column: str) -> bool | None:
        text = line.text(column).lower()
        if text in (YES, NO, ""):
            return text == YES if text else None
        self.wrong(line.number, column, f"{text!r} is neither {YES} nor {NO}")
        return None

    def _names(self, line: _Line, column: str) -> list[str]:
        return [part.strip() for part in line.text(column).split(SEVERAL) if part.strip()]

    def sheet(self, content: Plain, parts: Mapping[str, list[Plain]]) -> Sheet:
        if not self.problems and not self.rows:
            self.wrong(1, "", "there are no rows")
        if self.problems:
            return Sheet(content, sorted(self.problems))
        written = {part: rows for part, rows in parts.items() if rows or part in content}
        return Sheet(content | written, [], len(self.rows))


def _put(profile: Plain, short: str, value: int | None) -> None:
    if value is None:
        profile.pop(short, None)
    else:
        profile[short] = value


def _unshielded(cell: str) -> str:
    return cell[1:] if cell.startswith("'") else cell


@cache
def _field(kind: type[Struct], column: str) -> tuple[Any, Any]:
    default = next(each.default for each in msgspec.structs.fields(kind) if each.name == column)
    return get_type_hints(kind)[column], None if default is NODEFAULT else default


def _shape(hint: Any) -> type[Any]:
    if isinstance(hint, UnionType):
        hint = next(each for each in get_args(hint) if each is not type(None))
    if get_origin(hint) is tuple:
        return tuple
    return hint if isinstance(hint, type) else str


_READERS: dict[type[Any], Callable[[_Reader, _Line, str], Any]] = {
    str: _Reader._text,
    int: _Reader._whole,
    bool: _Reader._yes,
    tuple: _Reader._names,
}
