"""What an edition changes against the one before it, in words for a page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rules.engine.pack.content import read_content
from rules.engine.pack.diff import ADDED, CHANGED, Difference, FieldChange, differences, plain_fields
from rules.models import PackEdition
from rules.pack_files import value_yaml
from rules.pack_forms import label_for
from rules.pack_parts import FIGHTERS, HIRELINGS, PARTS, Text, standard

LONGEST = 300


@dataclass(frozen=True)
class FieldShown:
    label: str
    before: str
    after: str


@dataclass(frozen=True)
class EntryShown:
    """`kind` is added, removed or changed; what came or went needs no fields."""

    name: str
    kind: str
    fields: tuple[FieldShown, ...]


@dataclass(frozen=True)
class PartShown:
    title: Text
    entries: tuple[EntryShown, ...]


def before_it(edition: PackEdition) -> PackEdition | None:
    """The edition that was the newest one before this; withdrawn ones count, they were played."""
    older = edition.pack.editions.filter(number__lt=edition.number)
    return older.order_by("-number").first()


def changes_in(content: Any, before: Any) -> list[Difference]:
    """What cannot be read is left out: the mistakes name it."""
    return differences(read_content(before).files, read_content(content).files)


def shown(found: Sequence[Difference]) -> list[PartShown]:
    parts = dict.fromkeys(each.part for each in found)
    return [PartShown(_title(part), tuple(_entry(each) for each in found if each.part == part)) for part in parts]


def _title(part: str) -> Text:
    return PARTS[part].title if part in PARTS else part


def _entry(found: Difference) -> EntryShown:
    changed = found.fields if found.kind == CHANGED else _against_the_site(found) if found.kind == ADDED else None
    if changed is None:
        return EntryShown(found.name, found.kind, ())
    fields = (FieldShown(label_for(each.field), said(each.before), said(each.after)) for each in changed)
    return EntryShown(found.name, CHANGED, tuple(fields))


def _against_the_site(found: Difference) -> list[FieldChange] | None:
    """An entry that is new in a pack may replace one of the site: then that is what it changes."""
    keys = (FIGHTERS, HIRELINGS) if found.part == FIGHTERS else (found.part,)
    parts = (PARTS[key] for key in keys if key in PARTS and not PARTS[key].is_table)
    usual = next((known[found.name] for part in parts if found.name in (known := standard(part))), None)
    if usual is None:
        return None
    before, after = plain_fields(usual), {each.field: each.after for each in found.fields}
    names = (name for name in dict.fromkeys((*before, *after)) if before.get(name) != after.get(name))
    return [FieldChange(name, before.get(name), after.get(name)) for name in names]


def said(value: Any) -> str:
    if value is None or value == "":
        return "–"
    if isinstance(value, list) and all(isinstance(each, str | int) for each in value):
        text = ", ".join(map(str, value)) or "–"
    else:
        text = value if isinstance(value, str) else value_yaml(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
