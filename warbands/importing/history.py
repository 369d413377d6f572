"""A ledger from a file: each change follows from the state before it, and the end is the state that the file says."""

from itertools import groupby
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from rules.engine import changes as c
from rules.engine.dice import Roll
from rules.engine.errors import InputError
from rules.engine.pack.schema import Pack
from rules.engine.plain import Plain, change_from_plain, change_to_plain, completed, state_to_plain
from rules.engine.state import Fighter, Warband
from warbands.importing.draft import check_draft
from warbands.importing.members import check_state, state_in, tupled
from warbands.importing.text import Refused
from warbands.ledger import FOUNDED, founded_state
from warbands.portable import SELF, Entry, File
from warbands.projection import LISTS, PLAIN_FIGHTER, PLAIN_WARBAND
from warbands.settings import Terms
from warbands.trial import holds, is_sound

FAILURES = (KeyError, ValueError, TypeError, AttributeError, InputError, msgspec.ValidationError)
"""What a change of a file may fail with when it does not fit the state before it."""

SETTABLE_WARBAND = {*PLAIN_WARBAND, "rating", "leader"} - {"next_id"}
SETTABLE_FIGHTER = {*PLAIN_FIGHTER, *LISTS}


def check_history(file: File, state: Warband, terms: Terms) -> None:
    if file.status == "draft":
        check_draft(file, state, terms)
        return
    if not file.ledger or file.ledger[0].change.get("event") != FOUNDED:
        raise Refused(_("The ledger does not begin with the founding."))
    _check_links(file.ledger)
    _check_end(_folded(file.ledger, terms.pack), state)


def _check_links(ledger: list[Entry]) -> None:
    """Numbers without a gap; what is taken back is older, and taken back once."""
    first: dict[Any, int] = {}
    undone: set[int] = set()
    for place, entry in enumerate(ledger, start=1):
        if entry.sequence != place:
            raise Refused(_("Entry %(number)s of the ledger is missing.") % {"number": place})
        if first.setdefault(entry.act, place) == 1 < place:
            raise Refused(_("Entry %(number)s belongs to the founding, which is one entry.") % {"number": place})
        if entry.undoes is None:
            continue
        target = ledger[entry.undoes - 1] if entry.undoes < place else None
        if target is None or first[target.act] >= first[entry.act] or entry.undoes in undone:
            raise Refused(_("Entry %(number)s takes back what it cannot.") % {"number": place})
        undone.add(entry.undoes)


def _folded(ledger: list[Entry], rules: Pack) -> Warband:
    """The state that the ledger gives, with every step of it checked."""
    founding, *rest = ledger
    state = _founding(founding, rules)
    for _act, entries in groupby(rest, key=lambda entry: entry.act):
        before = state
        for entry in entries:
            state = _stepped(entry, state)
        where = _where(entry)
        check_state(state, where, rules, before)
        if not is_sound(state):
            raise Refused(_("%(where)s leaves a warband that cannot be.") % {"where": where})
    return state


def _where(entry: Entry) -> str:
    return _("Entry %(number)s of the ledger") % {"number": entry.sequence}


def _founding(entry: Entry, rules: Pack) -> Warband:
    where = _where(entry)
    _check_rolls(entry)
    if entry.inverse is not None or not isinstance(entry.change.get("state"), dict):
        raise Refused(_("%(where)s is no founding.") % {"where": where})
    state = state_in(entry.change["state"], where)
    roster = entry.change.get("roster")
    if entry.change.keys() - {"event", "state", "roster"} or (
        roster is not None and (not isinstance(roster, list) or sorted(map(str, roster)) != sorted(state.fighters))
    ):
        raise Refused(_("%(where)s is no founding.") % {"where": where})
    check_state(state, where, rules)
    if not is_sound(state):
        raise Refused(_("%(where)s leaves a warband that cannot be.") % {"where": where})
    return founded_state(entry.change)


def _stepped(entry: Entry, state: Warband) -> Warband:
    """The next state: the change is one of ours, follows from this state, and its inverse is its inverse."""
    _check_rolls(entry)
    where = _where(entry)
    try:
        change = change_from_plain(entry.change)
        same = _is(change, entry.change)
        undone = entry.inverse is not None and _is(change.inverse(), entry.inverse)
        if same and undone and change.warband == SELF and _follows(change, state):
            return change.apply(state)
    except FAILURES as error:
        raise Refused(_("%(where)s does not follow from what came before it.") % {"where": where}) from error
    raise Refused(_("%(where)s does not follow from what came before it.") % {"where": where})


def _is(change: c.Change, plain: Plain) -> bool:
    """Whether plain data says just this; what was written before places were kept has none."""
    return bool(change_to_plain(change) == completed(tupled(plain)))


def _follows(change: c.Change, state: Warband) -> bool:
    match change:
        case c.WarbandSet(field=field):
            return field in SETTABLE_WARBAND and _is_set(change, state)
        case c.FighterSet(field=field):
            return field in SETTABLE_FIGHTER and _is_set(change, state.fighters[change.fighter])
        case c.FighterJoined() | c.FighterVanquished():
            return 0 <= change.place <= len(state.fighters) and holds(change, state)
    return holds(change, state)


def _is_set(change: c.WarbandSet | c.FighterSet, thing: Warband | Fighter) -> bool:
    """Its `before` is what is there, and its `after` is of the same kind."""
    now = getattr(thing, change.field)
    if isinstance(now, tuple):
        return now == change.before and isinstance(change.after, tuple) and all(map(_is_name, change.after))
    numbers = (int, float) if isinstance(now, int | float) and not isinstance(now, bool) else (type(now),)
    return bool(now == change.before) and type(change.after) in numbers


def _is_name(thing: Any) -> bool:
    return isinstance(thing, str)


def _check_rolls(entry: Entry) -> None:
    for roll in entry.rolls:
        try:
            made = msgspec.convert(roll, Roll)
            whole = msgspec.to_builtins(made) == tupled(roll)
        except (msgspec.ValidationError, TypeError):
            whole = False
        if not whole or any(not 0 <= face <= 1000 for face in made.faces):
            raise Refused(_("%(where)s has dice that cannot be read.") % {"where": _where(entry)})


def _check_end(folded: Warband, state: Warband) -> None:
    by_ledger, in_file = state_to_plain(folded), state_to_plain(state)
    for field, value in by_ledger.items():
        if value != in_file[field]:
            what = _differing(field, folded, state)
            raise Refused(_("The ledger and the state of the file disagree about %(what)s.") % {"what": what})
    if list(folded.fighters) != list(state.fighters):
        raise Refused(_("The ledger and the state of the file disagree about the order of the roster."))


def _differing(field: str, folded: Warband, state: Warband) -> str:
    if field != "fighters":
        return field
    both = folded.fighters.keys() & state.fighters.keys()
    return next((state.fighters[key].name for key in both if folded.fighters[key] != state.fighters[key]), field)
