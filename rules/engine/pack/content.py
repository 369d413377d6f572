"""What a pack holds as plain data: read with every mistake named, checked over other packs, and written again.

Files stop at their first mistake; whoever edits a pack on a page wants to see all of them, each at its row and field.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, Struct

from rules.engine.pack.check import check_content
from rules.engine.pack.load import merge
from rules.engine.pack.schema import Army, FighterType, Files, Header

WHOLE = (
    "underdog", "income", "injury_lower", "injury_higher", "advancement_lower", "advancement_higher", "scenarios",
    "city_map",
)  # fmt: skip
"""Tables that are laid over each other as a whole: with one row missing they would have a hole."""
LABELS = ("name", "faces", "number", "item", "key")
LONGEST_NAME, LONGEST_CODE = 80, 12
MOST_POINTS, MOST_RARITY, MOST_VALUE, MOST_MODELS = 9999, 30, 99, 99
SEVERAL = ";"
"""Between the names of a list in a spreadsheet, so that no name may have it."""


@dataclass(frozen=True, order=True)
class Problem:
    """A mistake in a pack: in which part, in which row, in which field, and what it is."""

    part: str
    row: str
    field: str
    problem: str

    def __str__(self) -> str:
        return ": ".join(each for each in (self.part, self.row, self.field, self.problem) if each)


@dataclass
class Read:
    """What could be read, and what is wrong with the rest."""

    files: Files = field(default_factory=Files)
    problems: list[Problem] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    """Names of rows that could not be read: who refers to them is not wrong."""


def check(plain: Any, below: Sequence[tuple[Header, Sequence[Files]]]) -> list[Problem]:
    """Everything that is wrong with a pack's content when it is laid over these packs, and with them under it."""
    read = read_content(plain)
    found = [*read.problems, *_sane(read.files)]
    whole = merge([header for header, _ in below], [*(part for _, parts in below for part in parts), read.files])
    every = [read.files, *(part for _, parts in below for part in parts)]
    for row, place, problem in (each for files in every for each in check_content(files, whole)):
        part, _, name = row.partition(" ")
        if place != "section" and not any(repr(other) in problem for other in read.broken):
            found.append(Problem(part, name, place, problem))
    found += _shared_names(read.files, [part for _, parts in below for part in parts])
    return list(dict.fromkeys(found))


def to_plain(content: Struct) -> dict[str, Any]:
    """As plain data, without what is as it would be anyway."""
    found: dict[str, Any] = _without_defaults(content)
    return found


def _without_defaults(value: Any) -> Any:
    if isinstance(value, Struct):
        tag = {value.__struct_config__.tag_field: value.__struct_config__.tag} if value.__struct_config__.tag else {}
        given = {each.name: getattr(value, each.name) for each in msgspec.structs.fields(value)}
        usual = _defaults(type(value))
        return tag | {
            name: _without_defaults(one) for name, one in given.items() if name not in usual or one != usual[name]
        }
    if isinstance(value, dict):
        return {key: _without_defaults(one) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return [_without_defaults(one) for one in value]
    return value


@cache
def _defaults(kind: type[Struct]) -> Mapping[str, Any]:
    found = {}
    for each in msgspec.structs.fields(kind):
        if each.default is not NODEFAULT:
            found[each.name] = each.default
        elif each.default_factory is not NODEFAULT:
            found[each.name] = each.default_factory()
    return found


# Reading ------------------------------------------------------------------------------------------


def read_content(plain: Any) -> Read:
    """Row by row, so that one mistake does not hide the next."""
    read = Read()
    if not isinstance(plain, dict):
        read.problems.append(Problem("", "", "", "is no pack: parts by name are expected"))
        return read
    good: dict[str, Any] = {}
    for part, value in plain.items():
        hint = _hints(Files).get(part) if isinstance(part, str) else None
        if hint is None:
            read.problems.append(Problem(str(part), "", "", "there is no such part"))
        elif get_origin(hint) is tuple:
            good[part] = list(_rows(part, value, get_args(hint)[0], read))
        else:
            good[part] = dict(_keyed(part, value, hint, read))
    torn = {problem.part for problem in read.problems} & set(WHOLE)
    read.files = msgspec.convert({part: value for part, value in good.items() if part not in torn}, Files)
    return read


def _rows(part: str, value: Any, kind: Any, read: Read) -> Iterator[Any]:
    if not isinstance(value, list | tuple):
        read.problems.append(Problem(part, "", "", "must be a list of rows"))
        return
    for place, row in enumerate(value, 1):
        wrong = list(_wrong(row, kind, part, label_of(row, place), ""))
        if wrong:
            read.broken |= set(_names_in(row))
            read.problems += wrong
        else:
            yield row


def _keyed(part: str, value: Any, hint: Any, read: Read) -> Iterator[tuple[Any, Any]]:
    if not isinstance(value, dict):
        read.problems.append(Problem(part, "", "", "must have a name for each of its rows"))
        return
    for key, row in value.items():
        problem, path = _converted({key: row}, hint)
        if problem:
            read.broken.add(str(key))
            read.problems.append(Problem(part, str(key), path.replace("[...]", "").strip("."), problem))
        else:
            yield key, row


def label_of(row: Any, place: int) -> str:
    """How a row is called where something is said about it."""
    if isinstance(row, dict):
        for name in LABELS:
            if row.get(name):
                return str(row[name])
        if "low" in row or "high" in row:
            return f"{row.get('low', '')}-{row.get('high', '')}"
    return str(place)


def _names_in(row: Any) -> Iterator[str]:
    """A broken row's own name, and for an army those of its fighters, who fall out with it."""
    if isinstance(row, dict):
        yield from (str(row[name]) for name in ("name", "code") if row.get(name))
        fighters = row.get("fighters")
        for inner in fighters if isinstance(fighters, list | tuple) else ():
            yield from _names_in(inner)


@cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    return get_type_hints(kind)


def _wrong(value: Any, kind: Any, part: str, row: str, within: str) -> Iterator[Problem]:
    """What is wrong with a row or a struct inside it, field by field."""
    if not isinstance(kind, type) or not issubclass(kind, Struct) or not isinstance(value, dict):
        problem, path = _converted(value, kind)
        if problem:
            yield Problem(part, row, (within + path).strip(". "), problem)
        return
    fields = {each.name: each for each in msgspec.structs.fields(kind)}
    for name in value:
        if name not in fields:
            yield Problem(part, row, f"{within}{name}", "there is no such field")
    for name, each in fields.items():
        if name in value:
            yield from _wrong_field(value[name], _hints(kind)[name], (part, row), within, name)
        elif each.default is NODEFAULT and each.default_factory is NODEFAULT:
            yield Problem(part, row, f"{within}{name}", "is missing")


def _wrong_field(value: Any, hint: Any, spot: tuple[str, str], within: str, name: str) -> Iterator[Problem]:
    inner = get_args(hint)[0] if get_origin(hint) is tuple else None
    if isinstance(inner, type) and issubclass(inner, Struct) and isinstance(value, list | tuple):
        for place, row in enumerate(value, 1):
            if inner is FighterType:
                yield from _wrong(row, inner, "fighters", label_of(row, place), "")
            else:
                yield from _wrong(row, inner, *spot, f"{within}{name} {place} ")
        return
    kind = _only(hint)
    nested = isinstance(kind, type) and issubclass(kind, Struct) and isinstance(value, dict)
    yield from _wrong(value, kind if nested else hint, *spot, f"{within}{name}" + " " * nested)


def _only(hint: Any) -> Any:
    """`MountProfile | None` is a MountProfile where something is given."""
    if isinstance(hint, UnionType) or get_origin(hint) is not None:
        kinds = [each for each in get_args(hint) if each is not type(None)]
        if len(kinds) == 1 and type(None) in get_args(hint):
            return kinds[0]
    return hint


def _converted(value: Any, hint: Any) -> tuple[str, str]:
    """What msgspec says against it, and where inside."""
    try:
        msgspec.convert(value, hint)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at `$")
        return problem, path.rstrip("`")
    return "", ""


# What types cannot say ----------------------------------------------------------------------------


def _sane(content: Files) -> Iterator[Problem]:
    """Names that fit where they are kept, and numbers that a game can bear."""
    for part in ("items", "upgrades", "skills", "rules", "spells", "achievements", "armies"):
        for entry in getattr(content, part):
            yield from _name(part, entry.name)
    for item in content.items:
        yield from _between("items", item.name, "rarity", item.rarity, 0, MOST_RARITY)
    for upgrade in content.upgrades:
        yield from _between("upgrades", upgrade.name, "rarity", upgrade.rarity, 0, MOST_RARITY)
    for army in content.armies:
        yield from _army(army)
    for fighter in (*content.hirelings, *(each for army in content.armies for each in army.fighters)):
        yield from _fighter(fighter)
    for hireling in content.hirelings:
        if hireling.kind != "hireling":
            yield Problem("fighters", hireling.name, "kind", "must be hireling outside of an army")


def _name(part: str, name: str) -> Iterator[Problem]:
    if not name.strip() or name != name.strip():
        yield Problem(part, name, "name", "must not be empty, nor begin or end with a space")
    if len(name) > LONGEST_NAME:
        yield Problem(part, name, "name", f"is longer than {LONGEST_NAME} letters")
    if SEVERAL in name or "\n" in name:
        yield Problem(part, name, "name", "must not have a semicolon or a line break")


def _between(part: str, row: str, place: str, value: int, low: int, high: int) -> Iterator[Problem]:
    if not low <= value <= high:
        yield Problem(part, row, place, f"{value} is not between {low} and {high}")


def _army(army: Army) -> Iterator[Problem]:
    if not army.code or len(army.code) > LONGEST_CODE:
        yield Problem("armies", army.name, "code", f"must have 1 to {LONGEST_CODE} letters")
    yield from _between("armies", army.name, "largest", army.largest, 1, MOST_MODELS)
    yield from _between("armies", army.name, "smallest", army.smallest, 1, army.largest)
    yield from _between("armies", army.name, "most_heroes", army.most_heroes, 1, MOST_MODELS)
    yield from _between("armies", army.name, "starting_points", army.starting_points, 1, MOST_POINTS)
    for row in army.market:
        yield from _between("armies", army.name, f"market {row.item} rarity", row.rarity, 0, MOST_RARITY)
    for fighter in army.fighters:
        if fighter.kind == "hireling":
            yield Problem("fighters", fighter.name, "kind", "a hireling belongs to no army: put it among the hirelings")


def _fighter(entry: FighterType) -> Iterator[Problem]:
    yield from _name("fighters", entry.name)
    yield from _between("fighters", entry.name, "price", entry.price, 0, MOST_POINTS)
    yield from _between("fighters", entry.name, "rarity", entry.rarity, 0, MOST_RARITY)
    yield from _between("fighters", entry.name, "group", entry.group, 1, MOST_MODELS)
    yield from _between("fighters", entry.name, "least", entry.least, 0, entry.most)
    yield from _between("fighters", entry.name, "spells", entry.spells, 0, MOST_VALUE if entry.paths else 0)
    yield from _between("fighters", entry.name, "starting_experience", entry.starting_experience, 0, MOST_VALUE)
    for short, value in entry.profile.items():
        yield from _between("fighters", entry.name, f"profile {short}", value, 0, MOST_POINTS)


def _shared_names(content: Files, below: Iterable[Files]) -> Iterator[Problem]:
    """A fighter type has its name alone: two armies that shared one would share the fighter."""
    armies = {army.code: army for part in below for army in part.armies}
    armies |= {army.code: army for army in content.armies}
    ours = {army.code for army in content.armies}
    where: dict[str, list[str]] = {}
    for code, army in armies.items():
        for entry in army.fighters:
            where.setdefault(entry.name, []).append(code)
    for name, codes in where.items():
        if len(codes) > 1 and ours & set(codes):
            yield Problem("fighters", name, "name", f"stands in several armies: {', '.join(codes)}")
