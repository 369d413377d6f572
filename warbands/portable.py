"""A warband as a file: everything that is known of it, and nothing that depends on this database.

Its own number stands in the file as `self`. Numbers of other warbands stay as they are, and so do the keys of rolls:
the faces were made from them, and anybody may want to recompute those.
"""

import base64
import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any, Final, Literal
from uuid import UUID

from msgspec import Meta, Struct, to_builtins

from rules.engine.plain import Plain, state_to_plain
from rules.engine.state import Warband as State
from rules.engine.state import evolve
from warbands.ledger import FOUNDED
from warbands.lore import LONGEST
from warbands.models import LedgerEntry, Warband
from warbands.projection import read_state
from warbands.settings import pack_for

FORMAT: Final = "aftermath-warband"
VERSION: Final = 1
SELF = "self"

LARGEST_FILE = 5 * 1024 * 1024
MOST_FIGHTERS = 200
MOST_ENTRIES = 50_000
READ_AT_ONCE = 500
"""Entries of a ledger."""

Line = Annotated[str, Meta(max_length=200)]
Key = Annotated[str, Meta(max_length=24)]
Text = Annotated[str, Meta(max_length=LONGEST)]
Number = Annotated[int, Meta(ge=1, le=MOST_ENTRIES)]


class PackUsed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: Line
    version: Line


class Entry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ledger entry; `undoes` is the number of the entry that it takes back."""

    sequence: Number
    act: UUID
    step: Key
    battle: Key
    cause: Line
    actor: Annotated[str, Meta(max_length=60)]
    rolls: list[Plain]
    change: Plain
    inverse: Plain | None
    undoes: Number | None
    time: Annotated[datetime, Meta(tz=True)]


class File(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole file. `roster` is the order of the fighters, which an object of JSON does not have."""

    format: Literal["aftermath-warband"]
    version: Literal[1]
    packs: list[PackUsed]
    overrides: Plain = {}
    status: Literal["draft", "ready", "retired"]
    founded: Annotated[datetime, Meta(tz=True)]
    order: Annotated[list[Key], Meta(max_length=MOST_FIGHTERS)]
    lore: Text
    notes: Text
    portrait: str | None
    state: Plain
    roster: Annotated[list[Key], Meta(max_length=MOST_FIGHTERS)]
    ledger: Annotated[list[Entry], Meta(max_length=MOST_ENTRIES)]


def export_warband(warband: Warband, with_portrait: bool = True) -> bytes:
    """The file, the same bytes for the same warband wherever it is."""
    return b"".join(export_parts(warband, with_portrait))


def export_parts(warband: Warband, with_portrait: bool = True) -> Iterator[bytes]:
    """The same, part by part: the ledger, which is most of it, stands last and is read as it is sent."""
    yield _plain(_without_ledger(warband, with_portrait)).removesuffix("]}").encode()
    rows = warband.ledger.select_related("actor", "undoes").order_by("sequence")
    for place, row in enumerate(rows.iterator(chunk_size=READ_AT_ONCE)):
        yield f"{',' if place else ''}{_plain(_entry(row))}".encode()
    yield b"]}"


def _plain(part: File | Entry) -> str:
    return json.dumps(to_builtins(part), ensure_ascii=False, separators=(",", ":"))


def _without_ledger(warband: Warband, with_portrait: bool) -> File:
    state = read_state(warband)
    return File(
        format=FORMAT,
        version=VERSION,
        packs=[PackUsed(id=header.id, version=header.version) for header in pack_for(warband).headers],
        overrides=warband.founded_for.get("overrides") or {},
        status=warband.status,  # type: ignore[arg-type]
        founded=warband.founded,
        order=list(warband.order),
        lore=warband.lore,
        notes=warband.notes,
        portrait=_portrait(warband) if with_portrait else None,
        state=state_to_plain(evolve(state, id=SELF)),
        roster=list(state.fighters),
        ledger=[],
    )


def _portrait(warband: Warband) -> str | None:
    if not warband.portrait:
        return None
    with warband.portrait.open() as picture:
        return base64.b64encode(picture.read()).decode()


def _entry(row: LedgerEntry) -> Entry:
    return Entry(
        sequence=row.sequence,
        act=row.act,
        step=row.step,
        battle=row.battle,
        cause=row.cause,
        actor=row.who,
        rolls=row.rolls,
        change=owned(row.change, SELF),
        inverse=owned(row.inverse, SELF) if row.inverse is not None else None,
        undoes=row.undoes.sequence if row.undoes else None,
        time=row.time,
    )


def owned(change: Mapping[str, Any], key: str) -> Plain:
    """A change with another name for the warband it happened to."""
    if change["event"] == FOUNDED:
        return {**change, "state": {**change["state"], "id": key}}
    return {**change, "warband": key}


def state_of(file: File, state: State) -> State:
    """The state of a file with its roster in order."""
    return evolve(state, fighters={key: state.fighters[key] for key in file.roster})
