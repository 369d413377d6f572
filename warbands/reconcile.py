"""Whether the tables say what the ledgers say. They always must."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

import msgspec
from django.db import transaction

from rules.engine.errors import InputError
from rules.engine.plain import Plain, state_to_plain
from rules.engine.state import Warband as State
from warbands.ledger import folded
from warbands.models import LedgerEntry, ReconcileRun, Warband
from warbands.projection import read_state, read_states
from warbands.services.apply_changes import lock_warbands

CHUNK = 200
"""Warbands that are read together, in five queries."""

MOST_KEPT, RUNS_KEPT = 500, 90

UNREADABLE = (KeyError, ValueError, TypeError, StopIteration, InputError, msgspec.ValidationError)
"""What folding a damaged ledger fails with."""


@dataclass(frozen=True)
class Difference:
    warband: int
    field: str
    ledger: Any
    tables: Any

    def __str__(self) -> str:
        return f"warband {self.warband}, {self.field}: ledger {self.ledger!r}, tables {self.tables!r}"


def differences(warband: Warband) -> list[Difference]:
    changes = warband.ledger.order_by("sequence").values_list("change", flat=True)
    return list(_compared(warband.pk, changes, read_state(warband)))


def _compared(pk: int, changes: Iterable[Plain], in_tables: State) -> Iterator[Difference]:
    try:
        by_ledger = folded(changes)
    except UNREADABLE as error:
        yield Difference(pk, "ledger", f"cannot be folded: {type(error).__name__} {error}", None)
        return
    yield from _differing(pk, state_to_plain(by_ledger), state_to_plain(in_tables))


def _differing(pk: int, by_ledger: Plain, in_tables: Plain) -> Iterator[Difference]:
    for field, value in by_ledger.items():
        if field != "fighters" and value != in_tables[field]:
            yield Difference(pk, field, value, in_tables[field])
    fighters, rows = by_ledger["fighters"], in_tables["fighters"]
    if list(fighters) != list(rows):
        yield Difference(pk, "fighters", list(fighters), list(rows))
    for key in fighters.keys() & rows.keys():
        for field, value in fighters[key].items():
            if value != rows[key][field]:
                yield Difference(pk, f"{key}.{field}", value, rows[key][field])


# All of them ----------------------------------------------------------------------------------------


def reconcile(progress: Callable[[int], None] = lambda _done: None) -> ReconcileRun:
    """Compare every founded warband, a chunk at a time, and keep what was found."""
    began, done = time.monotonic(), 0
    found: list[dict[str, Any]] = []
    for chunk in _chunks():
        found += [asdict(difference) for difference in _chunk_differences(chunk)][: MOST_KEPT - len(found)]
        done += len(chunk)
        progress(done)
    run = ReconcileRun.objects.create(warbands=done, differences=found, seconds=round(time.monotonic() - began, 3))
    old = ReconcileRun.objects.values_list("pk", flat=True)[RUNS_KEPT:]
    ReconcileRun.objects.filter(pk__in=list(old)).delete()
    return run


def _chunks() -> Iterator[list[Warband]]:
    """By primary key, so that no chunk holds a cursor open while the next one is folded."""
    rows = Warband.objects.exclude(status=Warband.Status.DRAFT).order_by("pk")
    last = 0
    while chunk := list(rows.filter(pk__gt=last)[:CHUNK]):
        yield chunk
        last = chunk[-1].pk


def _chunk_differences(chunk: list[Warband]) -> Iterator[Difference]:
    """A warband that changed between two queries looks wrong: it is asked again under its lock."""
    tables = read_states(chunk)
    changes = _changes(chunk)
    for pk, state in tables.items():
        if next(_compared(pk, changes(pk), state), None) is not None:
            yield from _certain(pk)


def _changes(chunk: list[Warband]) -> Callable[[int], Iterator[Plain]]:
    """The ledgers of a chunk in one query, read as a stream: warbands are asked for in primary-key order."""
    rows = LedgerEntry.objects.filter(warband__in=chunk).order_by("warband", "sequence")
    stream = rows.values_list("warband", "change").iterator(chunk_size=1000)
    by_warband = groupby(stream, key=itemgetter(0))
    waiting: list[tuple[int, Iterator[tuple[int, Plain]]]] = []

    def of(pk: int) -> Iterator[Plain]:
        ahead = waiting.pop() if waiting else next(by_warband, None)
        if ahead is not None and ahead[0] != pk:
            waiting.append(ahead)
            return iter(())
        return (change for _pk, change in ahead[1]) if ahead is not None else iter(())

    return of


@transaction.atomic
def _certain(pk: int) -> list[Difference]:
    locked = lock_warbands([pk])
    return differences(locked[pk]) if pk in locked else []
