"""The one write path: after founding, nothing else changes what a warband is in play."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.acting import hand_of
from accounts.models import User
from rules.engine.changes import Change, fold
from rules.engine.errors import RuleViolation
from rules.engine.plain import Plain, change_to_plain
from rules.engine.state import Warband as State
from warbands.meanwhile import happened_since
from warbands.models import LedgerEntry, Warband
from warbands.projection import Rewrite, read_states, write_states
from warbands.rewriting import insert_cells


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
    """The rows, locked in primary-key order, which is the one lock order there is; `keys` may be a query."""
    chosen = keys if isinstance(keys, QuerySet) else list(keys)
    found = Warband.objects.select_for_update(no_key=True).filter(pk__in=chosen).order_by("pk")
    return {warband.pk: warband for warband in found}


def lock_warband(warband: Warband) -> Warband:
    """One row; a draft may have been thrown away on another device."""
    row = lock_warbands([warband.pk]).get(warband.pk)
    if row is None:
        raise RuleViolation("gone", _("This warband is not there any more."))
    return row


@dataclass(frozen=True)
class Act:
    """What one warband did or suffered at once. Acts of several warbands are one by the same id."""

    warband: int
    changes: Sequence[Change]
    cause: str
    rolls: Sequence[Plain] = ()
    step: str = ""
    battle: str = ""
    undoes: Sequence[LedgerEntry | None] = ()
    id: UUID | None = None


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
    locked = lock_warbands([warband.pk])
    refuse_stale(locked[warband.pk], expected_version)
    done = Act(warband.pk, changes, cause, rolls=rolls, step=step, battle=battle, undoes=undoes, id=act)
    return write_acts(locked=locked, acts=[done], actor=actor)[warband.pk]


def write_acts(
    *,
    locked: Mapping[int, Warband],
    acts: Sequence[Act],
    actor: User | None,
    states: Mapping[int, State] | None = None,
) -> dict[int, State]:
    """Write acts of one or many warbands, in their order, in a number of statements that does not grow.

    The caller has locked the rows in this transaction; they carry the new values afterwards. `states` are how the
    warbands are, if the caller has read them under the lock. Gives how they are then. A refusal comes before anything
    is written.
    """
    rows = [locked[pk] for pk in dict.fromkeys(act.warband for act in acts)]
    if not rows:
        return dict(states or {})
    before = dict(states) if states is not None else read_states(rows)
    after = dict(before)
    for act in acts:
        after[act.warband] = fold(after[act.warband], act.changes)
        _refuse_debt(after[act.warband])
    insert_cells(LedgerEntry, list(_entries(locked, acts, actor)), sequence=_SEQUENCE)
    count = Counter(act.warband for act in acts)
    write_states([Rewrite(row, before[row.pk], after[row.pk], count[row.pk]) for row in rows])
    return after


_SEQUENCE = """new.sequence + coalesce(
  (SELECT max(old.sequence) FROM warbands_ledgerentry old WHERE old.warband_id = new.warband_id), 0
)"""
"""Entries are counted from one and put behind what the ledger has."""


def _entries(locked: Mapping[int, Warband], acts: Sequence[Act], actor: User | None) -> Iterator[dict[str, Any]]:
    """By column: a whole post-game writes many, and a model of each would take longer than the statement."""
    count: Counter[int] = Counter()
    hand = hand_of(actor)
    now = timezone.now()
    versions: Counter[int] = Counter()
    for act in acts:
        versions[act.warband] += 1
        shared: dict[str, Any] = {
            "warband_id": act.warband, "act": act.id or uuid4(), "step": act.step, "battle": act.battle,
            "cause": act.cause, "actor_id": hand.pk if hand else None, "actor_name": "",
            "version": locked[act.warband].version + versions[act.warband], "time": now,
        }  # fmt: skip
        for place, change in enumerate(act.changes):
            count[act.warband] += 1
            undone = act.undoes[place] if act.undoes else None
            yield {
                "sequence": count[act.warband],
                "change": change_to_plain(change),
                "inverse": change_to_plain(change.inverse()),
                "rolls": act.rolls if place == 0 else (),
                "undoes_id": undone.pk if undone else None,
                **shared,
            }


def _refuse_debt(after: State) -> None:
    if after.treasury < 0:
        raise RuleViolation("treasury_negative", _("The treasury does not hold that much."))
