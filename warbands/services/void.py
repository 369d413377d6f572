"""Taking any act back, with a reason: what rests on it is named first and can be taken back with it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from rules.engine import changes as c
from rules.engine.errors import RuleViolation
from rules.engine.plain import Plain
from rules.engine.rating import warband_rating
from rules.engine.state import Warband as State
from rules.texts import plain_line
from warbands.access import runs_its_campaign
from warbands.ledger import VOID, Act, History, inverse_of, read_history
from warbands.models import LedgerEntry, Warband
from warbands.projection import read_state
from warbands.services.apply_changes import apply_changes, lock_warband, refuse_stale
from warbands.settings import pack_for
from warbands.trial import COUNTED, PASSING, Story, alike, applied, is_sound, read_story, recounted

CASCADE: Final = "cascade"
KEEP: Final = "keep"
STOP: Final = "stop"
Cascade = Literal["cascade", "keep", "stop"]
"""What becomes of later acts that rest on it: void them too, keep them if that is possible, or do nothing."""

LONGEST_REASON = 160
MENDED = ("delayed", "coming_delays", "hands_lost", "captive_of", "rolls_taken")
"""Values of a fighter that acts set, one over the other."""


def may_void(person: User, warband: Warband) -> bool:
    """An operator, and whoever is game master where the warband is enrolled."""
    return person.is_superuser or runs_its_campaign(person, warband)


@dataclass(frozen=True)
class _Case:
    row: Warband
    history: History
    story: Story
    tip: Act

    @property
    def is_undoing(self) -> bool:
        """Voiding what was undone does it again."""
        return self.history.depth[self.tip.id] % 2 == 1


def dependants(warband: Warband, act: UUID) -> list[Act]:
    """The later acts of this warband that rest on an act, oldest first."""
    history = read_history(warband)
    return _resting(_case(warband, history, act))


def _case(warband: Warband, history: History, act: UUID) -> _Case:
    if act not in history.acts:
        raise RuleViolation("no_such_act", _("This act is not in the ledger."))
    tip = history.acts[history.tip(act)]
    if tip.is_founding:
        raise RuleViolation("founding", _("The founding cannot be voided: everything after it rests on it."))
    if not history.stands(act):
        raise RuleViolation("taken_back", _("It is taken back already."))
    return _Case(warband, history, read_story(warband, history), tip)


def _resting(case: _Case) -> list[Act]:
    if case.is_undoing:
        return []
    return [case.history.acts[act] for act in case.story.resting_on(case.tip.id)]


@transaction.atomic
def void_act(
    *,
    actor: User,
    warband: Warband,
    act: UUID,
    reason: str,
    cascade: Cascade = STOP,
    expected_version: int | None = None,
) -> list[Act]:
    """Add the inverses of an act, and with `cascade` of all that rest on it; gives the acts that were taken back."""
    if not may_void(actor, warband):
        raise RuleViolation("may_not_void", _("Only a game master of its campaign can void what a warband did."))
    row = lock_warband(warband)
    refuse_stale(row, expected_version)
    case = _case(row, read_history(row), act)
    resting = _resting(case)
    _refuse_unasked(resting, cascade)
    gone = [case.tip, *(resting if cascade == CASCADE else ())]
    _take_back(case, gone, actor, checked_reason(reason), kept=resting if cascade == KEEP else ())
    return gone


def checked_reason(reason: str) -> str:
    """One line that says why, for the ledger."""
    tidy = plain_line(reason)
    if not tidy:
        raise RuleViolation("no_reason", _("Say why: the reason stays in the ledger."))
    if len(tidy) > LONGEST_REASON:
        raise RuleViolation("reason_too_long", _("A reason has at most %(most)s letters.") % {"most": LONGEST_REASON})
    return tidy


def _refuse_unasked(resting: Sequence[Act], cascade: Cascade) -> None:
    if resting and cascade == STOP:
        raise RuleViolation("others_rest_on_it", _("Later acts rest on it. Void them too, or keep them."))


def _take_back(case: _Case, gone: Sequence[Act], actor: User, reason: str, kept: Sequence[Act]) -> None:
    state = read_state(case.row)
    entries = list(case.row.ledger.filter(act__in=[act.id for act in gone]).order_by("-sequence"))
    after, pairs = _taken_back(state, entries)
    expected = _expected(case, gone, kept, state)
    mended = list(_mended(after, expected)) if expected else []
    after = c.fold(after, mended)
    if not is_sound(after) or not (alike(expected, after) if expected else _is_whole(entries, pairs)):
        raise RuleViolation("cannot_void", _("What came later cannot stand without it. Void that too."))
    changes = [*(change for change, _entry in pairs), *mended]
    undoes: list[LedgerEntry | None] = [*(entry for _change, entry in pairs), *([None] * len(mended))]
    rating = warband_rating(after, pack_for(case.row))
    if rating != after.rating:
        changes.append(c.WarbandSet(state.id, "rating", after.rating, rating, VOID))
        undoes.append(None)
    apply_changes(
        warband=case.row, changes=changes, actor=actor, cause=_("Voided: %(reason)s") % {"reason": reason},
        step=VOID, battle=case.tip.battle, undoes=undoes,
    )  # fmt: skip


def _mended(after: State, expected: State) -> Iterator[c.Change]:
    """Plain values of fighters that no inverse could reach, because something later had set them again."""
    for key in after.fighters.keys() & expected.fighters.keys():
        for field in MENDED:
            is_now, should_be = getattr(after.fighters[key], field), getattr(expected.fighters[key], field)
            if is_now != should_be:
                yield c.FighterSet(after.id, key, field, is_now, should_be, VOID)


def _taken_back(state: State, entries: Sequence[LedgerEntry]) -> tuple[State, list[tuple[c.Change, LedgerEntry]]]:
    """Every inverse that still has something to take back; numbers that were given out stay given out."""
    pairs = []
    for entry in entries:
        inverse = _fitting(inverse_of(entry), state)
        after = applied(inverse, state) if inverse is not None else None
        if inverse is not None and after is not None:
            state = after
            pairs.append((inverse, entry))
    return state, pairs


def _fitting(inverse: c.Change, state: State) -> c.Change | None:
    """The inverse for a state that has gone on since."""
    if isinstance(inverse, c.IdsTaken):
        return None
    if isinstance(inverse, c.WarbandSet) and inverse.field in PASSING:
        return inverse if getattr(state, inverse.field) == inverse.before else None
    if isinstance(inverse, c.FighterSet) and inverse.field in COUNTED and inverse.fighter in state.fighters:
        return recounted(inverse, state)
    return inverse


def _is_passing(change: Plain) -> bool:
    """What need not be taken back: it says nothing that outlasts a battle."""
    return change["event"] == "IdsTaken" or (change["event"] == "WarbandSet" and change["field"] in PASSING)


def _is_whole(entries: Sequence[LedgerEntry], pairs: Sequence[tuple[c.Change, LedgerEntry]]) -> bool:
    taken = {entry.pk for _change, entry in pairs}
    return all(entry.pk in taken or _is_passing(entry.change) for entry in entries)


def _expected(case: _Case, gone: Sequence[Act], kept: Sequence[Act], before: State) -> State | None:
    """How it would be if the acts had never been; nothing where a fold does not tell."""
    anyway = case.story.without(()).fallen
    if case.is_undoing or not alike(case.story.without((), anyway).state, before):
        return None
    trial = case.story.without({act.id for act in gone}, {*anyway, *(act.id for act in kept)})
    if trial.fallen:
        raise RuleViolation("cannot_void", _("What came later cannot stand without it. Void that too."))
    return trial.state
