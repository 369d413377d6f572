"""One act of a ledger as a page shows it: what it changed, its dice, and what can be done about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.http import Http404
from django.utils.translation import gettext as _

from accounts.models import User
from rules.engine.errors import RuleViolation
from rules.engine.plain import Plain
from warbands.battles import BattleShown, battle_name, battle_of
from warbands.described import Line, described
from warbands.ledger import Act, History, changes_of, read_history, state_before
from warbands.meanwhile import act_title
from warbands.models import LedgerEntry, Warband
from warbands.names import names_of
from warbands.services.undo import undo_refusal
from warbands.services.void import dependants, may_void


@dataclass(frozen=True)
class Face:
    face: int
    state: str
    was: int | None = None

    @property
    def is_drawn(self) -> bool:
        return all(1 <= face <= 6 for face in (self.face, self.was or 1))


@dataclass(frozen=True)
class RollShown:
    purpose: str
    expression: str
    faces: Sequence[Face]
    total: int


@dataclass(frozen=True)
class Named:
    """An act to point at."""

    id: UUID
    title: str
    battle: str


@dataclass(frozen=True)
class Sheet:
    entries: Sequence[LedgerEntry]
    title: str
    battle: BattleShown | None
    lines: Sequence[Line]
    rolls: Sequence[RollShown]
    takes_back: Sequence[Named]
    taken_back_by: Named | None
    is_again: bool
    """Undoing it now would do something again."""
    refusal: RuleViolation | None
    """Why its owner cannot undo it."""
    may_void: bool
    resting: Sequence[Named]
    void_refusal: RuleViolation | None

    @property
    def first(self) -> LedgerEntry:
        return self.entries[0]


def read_act(warband: Warband, act: UUID, reader: User) -> Sheet:
    entries = list(warband.ledger.filter(act=act).select_related("actor").order_by("sequence"))
    if not entries:
        raise Http404
    history = read_history(warband)
    voids = may_void(reader, warband)
    resting, void_refusal = _resting(warband, act) if voids else ([], None)
    by = history.undone_by.get(act)
    return Sheet(
        entries=entries,
        title=act_title(entries[0]),
        battle=battle_of(entries[0]),
        lines=_lines(warband, entries),
        rolls=[_roll(roll) for entry in entries for roll in entry.rolls],
        takes_back=[_named(history.acts[target]) for target in history.acts if target in history.acts[act].undoes],
        taken_back_by=_named(history.acts[by]) if by else None,
        is_again=_is_again(history, act),
        refusal=undo_refusal(warband, history, act),
        may_void=voids,
        resting=[_named(one) for one in resting],
        void_refusal=void_refusal,
    )


def _lines(warband: Warband, entries: Sequence[LedgerEntry]) -> list[Line]:
    if entries[0].sequence == 1:
        return []
    before = state_before(warband, entries[0].sequence)
    return list(described(before, changes_of(entries), names_of(warband, entries)))


def _is_again(history: History, act: UUID) -> bool:
    return history.depth[history.tip(act)] % 2 == 1


def _resting(warband: Warband, act: UUID) -> tuple[list[Act], RuleViolation | None]:
    try:
        return dependants(warband, act), None
    except RuleViolation as refusal:
        return [], refusal


def _named(act: Act) -> Named:
    return Named(act.id, act_title(act), battle_name(act.battle) if act.battle else "")


def _roll(roll: Plain) -> RollShown:
    kept, typed = set(roll["kept"]), "typed" if roll["physical"] else ""
    was = {again["die"]: again["was"] for again in roll["rerolls"]}
    dropped = len(kept) < len(roll["faces"])
    faces = [
        Face(face, " ".join(filter(None, [_kept(place in kept, dropped), typed])), was.get(place))
        for place, face in enumerate(roll["faces"])
    ]
    return RollShown(roll["purpose"] or _("roll"), roll["expression"], faces, roll["total"])


def _kept(counts: bool, dropped: bool) -> str:
    if not dropped:
        return ""
    return "kept" if counts else "gone"
