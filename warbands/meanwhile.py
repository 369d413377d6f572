"""What happened to a warband since somebody opened a page about it."""

from itertools import groupby

from django.utils.translation import gettext as _

from warbands.ledger import UNDO, VOID, Act
from warbands.models import LedgerEntry, Warband
from warbands.names import Names, names_of
from warbands.sentences import is_bookkeeping, sentence
from warbands.words import cause, step

MOST = 12
"""Sentences that a person reads before looking at the page again."""


def happened_since(warband: Warband, version: int) -> list[str]:
    """A sentence for each act that came after a version, oldest first."""
    newer = warband.ledger.filter(version__gt=version).select_related("actor").order_by("-sequence")
    entries = list(newer[: MOST * 10])[::-1]
    names = names_of(warband, entries) if entries else Names()
    acts = [_told(list(several), names) for _act, several in groupby(entries, key=lambda entry: entry.act)]
    return acts[-MOST:]


def _told(entries: list[LedgerEntry], names: Names) -> str:
    first = entries[0]
    told = [sentence(entry.change, names) for entry in entries if not is_bookkeeping(entry.change)]
    facts = {"who": first.who, "cause": act_title(first), "changes": " ".join(told[:4])}
    if first.who:
        return (_("%(cause)s, by %(who)s: %(changes)s") % facts).strip()
    return (_("%(cause)s: %(changes)s") % facts).strip()


def act_title(entry: LedgerEntry | Act) -> str:
    """A step of the rules by its name; a correction and everything else by what was said about it."""
    return step(entry.step) if entry.step and entry.step not in (UNDO, VOID) else cause(entry.cause)
