"""The one write path: after founding, nothing else changes what a warband is in play."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from accounts.models import User
from rules.engine.changes import Change, fold
from rules.engine.errors import RuleViolation
from rules.engine.plain import Plain, change_to_plain
from rules.engine.state import Warband as State
from warbands.meanwhile import happened_since
from warbands.models import LedgerEntry, Warband
from warbands.projection import read_state, write_state


class Stale(RuleViolation):
    """Somebody else was faster; `current` is the version that counts now, `happened` what came in between."""

    def __init__(self, current: int, happened: Sequence[str] = ()) -> None:
        super().__init__("stale", _("This warband has changed since you opened the page. Look at it again first."))
        self.current = current
        self.happened = happened


def refuse_stale(warband: Warband, expected_version: int | None) -> None:
    """The row is locked; a form that was made for another version says what it has missed."""
    if expected_version is not None and expected_version != warband.version:
        raise Stale(warband.version, happened_since(warband, expected_version))


def lock_warbands(keys: Iterable[int]) -> dict[int, Warband]:
    """The rows, locked in primary-key order, which is the one lock order there is."""
    found = Warband.objects.select_for_update().filter(pk__in=list(keys)).order_by("pk")
    return {warband.pk: warband for warband in found}


@transaction.atomic
def apply_changes(
    *,
    warband: Warband,
    changes: Sequence[Change],
    actor: User | None,
    cause: str,
    rolls: Sequence[Plain] = (),
    step: str = "",
    battle: str = "",
    expected_version: int | None = None,
    undoes: Sequence[LedgerEntry | None] = (),
    act: UUID | None = None,
) -> State:
    """Write changes to the ledger and to the tables, in one transaction, under the warband's lock."""
    locked = lock_warbands([warband.pk])[warband.pk]
    refuse_stale(locked, expected_version)
    before = read_state(locked)
    after = fold(before, changes)
    _refuse_debt(after)
    last = locked.ledger.aggregate(last=Max("sequence"))["last"] or 0
    shared: dict[str, Any] = {
        "warband": locked, "act": act or uuid4(), "step": step, "battle": battle, "cause": cause, "actor": actor,
        "version": locked.version + 1,
    }  # fmt: skip
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            sequence=last + place,
            change=change_to_plain(change),
            inverse=change_to_plain(change.inverse()),
            rolls=list(rolls) if place == 1 else [],
            undoes=undoes[place - 1] if undoes else None,
            **shared,
        )
        for place, change in enumerate(changes, start=1)
    )
    write_state(locked, before, after)
    return after


def _refuse_debt(after: State) -> None:
    if after.treasury < 0:
        raise RuleViolation("treasury_negative", _("The treasury does not hold that much."))
