"""Filling the table that the search reads from what the packs hold."""

from collections.abc import Iterator

from django.db import connection, transaction

from rules.codex.listing import Codex, Listed, codex
from rules.codex.reading import pack
from rules.codex.rows import table_rows
from rules.codex.words import folded, trigrams
from rules.engine.pack.schema import Entry, FighterType, Item, Pack, Ruling, Spell
from rules.models import CodexEntry

FIELDS = ("name", "folded", "line", "text", "trigrams")
ADDRESS = ("kind", "slug", "anchor")


@transaction.atomic
def load_codex(entries: Codex | None = None, content: Pack | None = None) -> int:
    """All entries and rows, over those that were there; what is in no pack any more is removed."""
    rows = {_address(row): row for row in _rows(codex() if entries is None else entries, content or pack())}
    there = {_address(row): row for row in CodexEntry.objects.defer("vector")}
    changed = [row for address, row in rows.items() if address not in there or _differ(row, there[address])]
    gone = [row.pk for address, row in there.items() if address not in rows]
    CodexEntry.objects.bulk_create(changed, update_conflicts=True, unique_fields=ADDRESS, update_fields=FIELDS)
    CodexEntry.objects.filter(pk__in=gone).delete()
    if changed or gone:
        _count_anew()
    return len(rows)


def _address(row: CodexEntry) -> tuple[str, ...]:
    return tuple(getattr(row, name) for name in ADDRESS)


def _differ(one: CodexEntry, other: CodexEntry) -> bool:
    return any(getattr(one, name) != getattr(other, name) for name in FIELDS)


def _count_anew() -> None:
    """Without fresh statistics the first searches after a load would be planned for an empty table."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE rules_codexentry")


def _rows(entries: Codex, content: Pack) -> Iterator[CodexEntry]:
    for listed in (each for kind in entries.values() for each in kind.values()):
        yield _row(listed, "", listed.name, listed.line, _more(listed))
        if listed.kind == "tables":
            for row in table_rows(listed.slug, content):
                yield _row(listed, row.anchor, row.name, row.line, listed.name)


def _row(listed: Listed, anchor: str, name: str, line: str, text: str) -> CodexEntry:
    return CodexEntry(
        kind=listed.kind,
        slug=listed.slug,
        anchor=anchor,
        name=name,
        folded=folded(name),
        line=line,
        text=text,
        trigrams=trigrams(name),
    )


def _more(listed: Listed) -> str:
    """What else an entry should be found by: its keywords and rules, its group, the notes on how it is read."""
    entry = listed.content
    found = [str(listed.group_title), listed.content.section]
    if isinstance(entry, Ruling):
        found += [entry.reading, entry.setting]
    if isinstance(entry, Entry):
        found.append(entry.ruling)
    if isinstance(entry, Item):
        found += [*entry.keywords, *(rule for bonus in entry.bonuses for rule in bonus.rules)]
    if isinstance(entry, FighterType):
        found += [entry.species, *entry.rules, *entry.skills, *entry.paths]
    if isinstance(entry, Spell):
        found += [entry.type, entry.duration]
    return " ".join(filter(None, found))
