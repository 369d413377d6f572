"""Whether the tables say what the ledgers say. They always must."""

from collections.abc import Iterator
from dataclasses import dataclass

from rules.engine.changes import fold
from rules.engine.plain import change_from_plain, state_from_plain, state_to_plain
from rules.engine.state import Warband as State
from warbands.models import Warband
from warbands.projection import read_state


@dataclass(frozen=True)
class Difference:
    warband: int
    field: str
    ledger: object
    tables: object

    def __str__(self) -> str:
        return f"warband {self.warband}, {self.field}: ledger {self.ledger!r}, tables {self.tables!r}"


def folded(warband: Warband) -> State:
    """The state that the ledger gives."""
    first, *rest = warband.ledger.order_by("sequence").values_list("change", flat=True)
    return fold(state_from_plain(first["state"]), [change_from_plain(change) for change in rest])


def differences(warband: Warband) -> Iterator[Difference]:
    by_ledger = state_to_plain(folded(warband))
    in_tables = state_to_plain(read_state(warband))
    for field, value in by_ledger.items():
        if field != "fighters" and value != in_tables[field]:
            yield Difference(warband.pk, field, value, in_tables[field])
    fighters, rows = by_ledger["fighters"], in_tables["fighters"]
    if list(fighters) != list(rows):
        yield Difference(warband.pk, "fighters", list(fighters), list(rows))
    for key in fighters.keys() & rows.keys():
        for field, value in fighters[key].items():
            if value != rows[key][field]:
                yield Difference(warband.pk, f"{key}.{field}", value, rows[key][field])


def reconcile_all() -> Iterator[Difference]:
    """Every founded warband, one at a time."""
    for warband in Warband.objects.exclude(status=Warband.Status.DRAFT).order_by("pk").iterator(chunk_size=200):
        yield from differences(warband)
