"""Reading a ledger: what it folds to, how the warband was before an entry, and which acts stand."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from rules.engine.changes import Change
from rules.engine.plain import Plain, change_from_plain, state_from_plain
from rules.engine.state import Warband as State
from rules.engine.state import evolve
from warbands.models import LedgerEntry, Warband
from warbands.projection import read_state

FOUNDED = "Founded"
"""The first entry of every ledger: the whole state, which the changes after it are folded into."""

UNDO, VOID, NOTE = "undo", "void", "note"
"""Steps of entries that take others back: by the owner, and by whoever settles disputes."""


def founded_state(change: Plain) -> State:
    """Where a ledger begins. The database does not keep the order of an object, so the roster stands beside it."""
    state = state_from_plain(change["state"])
    roster = change.get("roster", state.fighters)
    return evolve(state, fighters={key: state.fighters[key] for key in roster})


def folded(changes: Iterable[Plain]) -> State:
    """The state that a ledger gives, one entry at a time."""
    entries = iter(changes)
    state = founded_state(next(entries))
    for change in entries:
        state = change_from_plain(change).apply(state)
    return state


def state_before(warband: Warband, sequence: int) -> State:
    """How it was before an entry: what came since is taken back, which is little for what happened lately."""
    later = warband.ledger.filter(sequence__gte=sequence).order_by("-sequence").values_list("inverse", flat=True)
    state = read_state(warband)
    for inverse in later:
        state = _taken(inverse).apply(state)
    return state


def inverse_of(entry: LedgerEntry) -> Change:
    return _taken(entry.inverse)


def _taken(inverse: Plain | None) -> Change:
    """Only the founding has none, and nobody takes that back."""
    assert inverse is not None
    return change_from_plain(inverse)


@dataclass(frozen=True)
class Act:
    """Entries that were made together; `undoes` names the acts that they took back."""

    id: UUID
    first: int
    last: int
    newest: int
    """The primary key of its last entry: later ones, of any warband, are younger."""
    step: str
    battle: str
    cause: str
    undoes: frozenset[UUID]
    is_from_file: bool = False

    @property
    def is_founding(self) -> bool:
        return self.first == 1


@dataclass(frozen=True)
class History:
    """The acts of one warband in their order."""

    acts: Mapping[UUID, Act]

    @cached_property
    def undone_by(self) -> dict[UUID, UUID]:
        return {target: act.id for act in self.acts.values() for target in act.undoes}

    def tip(self, act: UUID) -> UUID:
        """The last link of its chain: the act itself, what undid it, what undid that, and so on."""
        while act in self.undone_by:
            act = self.undone_by[act]
        return act

    def origin(self, act: UUID) -> UUID:
        """The first link: what was done in the first place."""
        while self.acts[act].undoes:
            act = min(self.acts[act].undoes, key=lambda target: self.acts[target].first)
        return act

    @cached_property
    def depth(self) -> dict[UUID, int]:
        """Nothing for what was done, one for its undoing, two for doing it again."""
        depths: dict[UUID, int] = {}
        for act in self.acts.values():
            depths[act.id] = max((1 + depths[target] for target in act.undoes), default=0)
        return depths

    def stands(self, act: UUID) -> bool:
        """Whether it has an effect now."""
        links = 0
        while act in self.undone_by:
            act = self.undone_by[act]
            links += 1
        return links % 2 == 0

    @cached_property
    def live(self) -> list[UUID]:
        """Whose changes make up the state: without what was taken back, and without the taking back."""
        return [act for act in self.acts if act not in self.undone_by and self.depth[act] % 2 == 0]

    @cached_property
    def stacks(self) -> tuple[list[UUID], list[UUID]]:
        """What can be undone and what can be done again, the next one last."""
        done: list[UUID] = []
        undone: list[UUID] = []
        for act in self.acts.values():
            if act.step == NOTE:
                continue
            if done and act.undoes == {done[-1]}:
                done.pop()
                undone = [] if act.step == VOID else [*undone, act.id]
            elif undone and act.undoes == {undone[-1]} and act.step != VOID:
                done.append(act.id)
                undone = undone[:-1]
            else:
                done.append(act.id)
                undone = []
        return done, undone


_COLUMNS = ("act", "sequence", "pk", "step", "battle", "cause", "version", "undoes__act")


def read_history(warband: Warband) -> History:
    """One query, without the changes themselves."""
    rows: dict[UUID, list[tuple[Any, ...]]] = {}
    for row in warband.ledger.order_by("sequence").values_list(*_COLUMNS):
        rows.setdefault(row[0], []).append(row)
    return History({act: _act(act, entries) for act, entries in rows.items()})


def _act(act: UUID, entries: list[tuple[Any, ...]]) -> Act:
    _same, first, _pk, step, battle, cause, version, _target = entries[0]
    targets = frozenset(entry[-1] for entry in entries if entry[-1] is not None)
    return Act(act, first, entries[-1][1], entries[-1][2], step, battle, cause, targets, not version)


def changes_of(entries: Iterable[LedgerEntry]) -> list[Change]:
    return [change_from_plain(entry.change) for entry in entries]
