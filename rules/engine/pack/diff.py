"""What is different between two packs, or between two editions of one, entry by entry."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from rules.engine.pack.content import label_of, to_plain
from rules.engine.pack.schema import Army, Files, Pack

ADDED, REMOVED, CHANGED = "added", "removed", "changed"
SILENT = ("headers", "hirelings")
"""Who a pack is is no content; hirelings stand among the fighters."""


@dataclass(frozen=True)
class FieldChange:
    """A field before and after, as plain data; None where it was not said."""

    field: str
    before: Any
    after: Any


@dataclass(frozen=True)
class Difference:
    """An entry that came, went or changed."""

    part: str
    name: str
    kind: str
    fields: tuple[FieldChange, ...] = ()

    def field(self, name: str) -> FieldChange | None:
        """What happened to one field, if anything did."""
        return next((change for change in self.fields if change.field == name), None)


def differences(before: Files | Pack, after: Files | Pack) -> list[Difference]:
    """In the order of the parts, what is new last in each."""
    old, new = _parts(before), _parts(after)
    return [
        found for part in dict.fromkeys((*old, *new)) for found in _compared(part, old.get(part, {}), new.get(part, {}))
    ]


def _compared(part: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Difference]:
    if old == new:
        return
    for name, entry in old.items():
        if name not in new:
            yield Difference(part, name, REMOVED, tuple(_fields(entry, None)))
        elif fields := tuple(_fields(entry, new[name])):
            yield Difference(part, name, CHANGED, fields)
    for name, entry in new.items():
        if name not in old:
            yield Difference(part, name, ADDED, tuple(_fields(None, entry)))


def _fields(old: Any, new: Any) -> Iterator[FieldChange]:
    if old is new:
        return
    one, other = plain_fields(old), plain_fields(new)
    for name in dict.fromkeys((*one, *other)):
        if one.get(name) != other.get(name):
            yield FieldChange(name, one.get(name), other.get(name))


def plain_fields(entry: Any) -> dict[str, Any]:
    """An entry as it is compared, field by field."""
    if entry is None:
        return {}
    if isinstance(entry, Army):
        plain = to_plain(entry)
        return {name: value for name, value in plain.items() if name != "fighters"} | {
            "fighters": [each.name for each in entry.fighters]
        }
    if isinstance(entry, Struct):
        return to_plain(entry)
    return dict(entry) if isinstance(entry, dict) else {"value": entry}


def _parts(whole: Files | Pack) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for part in whole.__struct_fields__:
        if part not in SILENT:
            found[part] = _entries(part, getattr(whole, part))
    if isinstance(whole, Files):
        inner = (each for army in whole.armies for each in army.fighters)
        found["fighters"] = {each.name: each for each in (*inner, *whole.hirelings)}
    return found


def _entries(part: str, content: Any) -> dict[str, Any]:
    """By a name that stays: armies by their code, rows of tables by their range."""
    if isinstance(content, dict):
        return {str(key): entry for key, entry in content.items()}
    named: dict[str, Any] = {}
    for place, entry in enumerate(content, 1):
        key = entry.code if isinstance(entry, Army) else _label(part, entry, place)
        named[key if key not in named else f"{key} ({place})"] = entry
    return named


def _label(part: str, entry: Any, place: int) -> str:
    if hasattr(entry, "low"):
        ends = ("" if end is None else str(end) for end in (entry.low, entry.high))
        return "-".join(ends)
    if part == "scenarios":
        return f"{entry.players}: {entry.roll}"
    return label_of({name: getattr(entry, name) for name in ("faces", "number", "name") if hasattr(entry, name)}, place)
