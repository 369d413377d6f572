"""Which pack an entry comes from, and which rulings bear on it."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from rules.codex.listing import Listed, codex
from rules.codex.reading import pack
from rules.codex.tables import Table
from rules.engine.pack.schema import Entry, Files, Header, Ruling
from rules.library import sources

PARTS = {
    "items": "items",
    "mounts": "items",
    "upgrades": "upgrades",
    "skills": "skills",
    "rules": "rules",
    "armies": "armies",
    "exploration": "exploration",
    "spells": "spells",
}
"""Kinds whose entries replace each other by name when packs are laid over each other."""


@cache
def _origins() -> dict[tuple[str, str], Header]:
    found: dict[tuple[str, str], Header] = {}
    for header, parts in sources():
        for files in parts:
            for key in _keys(files):
                found[key] = header
    return found


def _keys(files: Files) -> Iterator[tuple[str, str]]:
    """Everything that a file brings: entries by kind and name, whole tables by their part."""
    for kind, part in PARTS.items():
        yield from ((kind, entry.name) for entry in getattr(files, part))
    yield from (("fighters", entry.name) for army in files.armies for entry in army.fighters)
    yield from (("fighters", entry.name) for entry in files.hirelings)
    yield from (("rulings", str(ruling.number)) for ruling in files.rulings)
    yield from (("", part) for part in files.__struct_fields__ if getattr(files, part))


def origin(listed: Listed) -> Header:
    """The last pack that brings it; what no file names, as the experience tracks, is the first one's."""
    return _origins().get(_key(listed), pack().headers[0])


def _key(listed: Listed) -> tuple[str, str]:
    content = listed.content
    if isinstance(content, Ruling):
        return "rulings", str(content.number)
    if isinstance(content, Table):
        return "", content.part
    if listed.kind == "injuries":
        return "", f"injury_{listed.group}"
    return listed.kind, listed.name


# Rulings ------------------------------------------------------------------------------------------

_NOTE = re.compile(r"(?:^|(?<=\. ))(\d+(?:, \d+)*): ")


class Cited(NamedTuple):
    """A ruling and what it means here, where the entry says so."""

    ruling: Ruling
    here: str


def rulings(listed: Listed) -> list[Cited]:
    """Those that the entry's note cites, then those that are about it or about the table it is."""
    notes = _notes(listed.content.ruling) if isinstance(listed.content, Entry) else {}
    cited = [Cited(pack().rulings[number], note) for number, note in notes.items() if number in pack().rulings]
    about = listed.content.part if isinstance(listed.content, Table) else listed.name
    return cited + [Cited(ruling, "") for ruling in _about(about) if ruling.number not in notes]


def kind_rulings(kind: str) -> list[Cited]:
    """Those about a whole part of the packs."""
    parts = ("injury_higher", "injury_lower") if kind == "injuries" else (kind,)
    return [Cited(ruling, "") for part in parts for ruling in _about(part)]


def _about(name: str) -> list[Ruling]:
    return [ruling for ruling in pack().rulings.values() if name in ruling.about]


def _notes(text: str) -> dict[int, str]:
    """`10: hands are lost. 28: its name.` by number."""
    _, *parts = _NOTE.split(text)
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return {int(number): note.strip() for numbers, note in pairs for number in numbers.split(", ")}


@cache
def _citing() -> dict[int, list[Listed]]:
    found: dict[int, list[Listed]] = {}
    everything: Iterable[Listed] = (each for entries in codex().values() for each in entries.values())
    for listed in everything:
        if listed.kind != "rulings":
            for cited in rulings(listed):
                found.setdefault(cited.ruling.number, []).append(listed)
    return found


def citing(ruling: Ruling) -> list[Listed]:
    """The entries that a ruling bears on."""
    return _citing().get(ruling.number, [])
