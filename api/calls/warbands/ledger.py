"""The ledger: every change of a warband, with its cause, its dice and what took it back."""

import csv
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from django.db.models import Q, QuerySet
from django.http import StreamingHttpResponse
from msgspec import Meta

from api.call import Ask, call
from api.calls.warbands.tags import readable
from api.changes import AnyChange, change_told
from api.paging import Listed, Page, chosen_order, page
from api.shapes import Out, Time
from rules.engine.dice import Roll
from warbands.models import LedgerEntry, Warband
from warbands.names import Names, foes, mentioned, names_of, referred
from warbands.sentences import sentence
from warbands.timeline import FILTERS, about

Kind = Literal["", "wounds", "experience", "advances", "things", "points", "people", "bookkeeping"]
Event = Literal[
    "", "Founded", "TreasuryChanged", "WarbandSet", "EffectBegan", "EffectEnded", "FighterJoined", "FighterVanquished",
    "ModelsChanged", "IdsTaken", "ExperienceGained", "CharacteristicChanged", "MaximumChanged", "FighterSet", "Gained",
    "Lost", "ItemGained", "ItemLost", "ItemMoved", "Noted",
]  # fmt: skip
Place = Annotated[str, Meta(max_length=24)]

ORDERS = {"oldest": ("sequence", "pk"), "newest": ("-sequence", "-pk")}
AT_ONCE = 500
COLUMNS = ("sequence", "time", "act", "battle", "step", "cause", "who", "event", "change", "undoes")
RISKY = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would run."""


class LedgerRow(Out):
    """One change. Entries of one act share its id, and are undone together; `rolls` stand at the first of them.

    `battle` is the campaign's number and the battle's: `12-3`. `version` is the warband's afterwards, 0 for what came
    from a file. `who` is a name, empty for what nobody did. `undoes` and `undone_by` are numbers of entries.
    """

    sequence: int
    act: UUID
    time: Time
    battle: str
    step: str
    cause: str
    who: str
    version: int
    change: AnyChange
    sentence: str
    rolls: list[Roll]
    undoes: int | None
    undone_by: int | None


class Ledger(Listed):
    """Which entries, in which order."""

    fighter: Place = ""
    step: Place = ""
    battle: Place = ""
    kind: Kind = ""
    event: Event = ""
    act: UUID | None = None
    order: Literal["", "oldest", "newest"] = ""


@call("get", "warbands/{warband}/ledger", tag=readable, serves=("timeline",))
def list_ledger(ask: Ask, warband: int, query: Ledger) -> Page[LedgerRow]:
    """The ledger of a warband: every change there was, oldest first, in the words of the engine."""
    rows = ask.thing.ledger.select_related("actor", "undoes", "undone_by").filter(*_wanted(query))
    found: Page[LedgerEntry] = page(rows, query, lambda row: row, chosen_order(ORDERS, query.order, "oldest"))
    names = names_of(ask.thing, found.items)
    return Page(items=[_row(entry, names) for entry in found.items], next=found.next)


def _wanted(query: Ledger) -> Iterator[Q]:
    plain = {"step": query.step, "battle": query.battle, "change__event": query.event, "act": query.act}
    yield Q(**{column: value for column, value in plain.items() if value})
    if query.fighter:
        yield about(query.fighter)
    if query.kind:
        yield FILTERS[query.kind][1]


def _row(entry: LedgerEntry, names: Names) -> LedgerRow:
    return LedgerRow(
        sequence=entry.sequence,
        act=entry.act,
        time=entry.time,
        battle=entry.battle,
        step=entry.step,
        cause=entry.cause,
        who=entry.who,
        version=entry.version,
        change=change_told(entry.change),
        sentence=sentence(entry.change, names),
        rolls=[msgspec.convert(roll, Roll) for roll in entry.rolls],
        undoes=entry.undoes.sequence if entry.undoes else None,
        undone_by=entry.undone_by.sequence if hasattr(entry, "undone_by") else None,
    )


# As a table -------------------------------------------------------------------------------------------


@call("get", "warbands/{warband}/ledger/csv", tag=readable, gives="text/csv", serves=("timeline",))
def export_ledger(ask: Ask, warband: int) -> StreamingHttpResponse:
    """The whole ledger of a warband as a table, a line an entry."""
    answer = StreamingHttpResponse(_lines(ask.thing), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="ledger-{ask.thing.pk}.csv"'
    return answer


class _Echo:
    """A file for the writer that hands every line on."""

    def write(self, line: str) -> str:
        return line


def _lines(warband: Warband) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield writer.writerow(COLUMNS)
    own = names_of(warband).own
    rows: QuerySet[LedgerEntry] = warband.ledger.select_related("actor", "undoes").order_by("sequence")
    left = rows.iterator(chunk_size=AT_ONCE)
    while entries := list(islice(left, AT_ONCE)):
        names = Names(own, foes(referred(text for entry in entries for text in mentioned(entry.change))))
        for entry in entries:
            yield writer.writerow([_safe(cell) for cell in _cells(entry, names)])


def _cells(entry: LedgerEntry, names: Names) -> Sequence[object]:
    undoes = entry.undoes.sequence if entry.undoes else ""
    return (
        entry.sequence, entry.time.isoformat(), entry.act, entry.battle, entry.step, entry.cause, entry.who,
        entry.change["event"], sentence(entry.change, names), undoes,
    )  # fmt: skip


def _safe(cell: object) -> object:
    """People choose names, and a spreadsheet runs what looks like a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(RISKY) else cell
