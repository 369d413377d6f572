"""Who is meant by the keys in a ledger: our own fighters, the fallen among them, and those of other warbands."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from warbands.models import LedgerEntry, Warband

NOBODY = ""


@dataclass(frozen=True)
class Names:
    """`own` by fighter key; `foes` by `WARBAND` and by `WARBAND/FIGHTER`."""

    own: Mapping[str, str] = field(default_factory=dict)
    foes: Mapping[str, str] = field(default_factory=dict)

    def fighter(self, key: str) -> str:
        return self.own.get(key) or _("somebody who is gone")

    def foe(self, key: str) -> str:
        """A foe who is gone is still known by the warband."""
        if key in self.foes:
            return self.foes[key]
        warband, _slash, fighter = key.partition("/")
        if warband not in self.foes:
            return _("a foe long gone")
        return _("somebody of %(warband)s") % {"warband": self.foes[warband]} if fighter else self.foes[warband]


_REFERENCE = re.compile(r"(?:fighter:|warband:)?(\d+)(?:/\w+)?")


def referred(texts: Iterable[str]) -> set[int]:
    """The primary keys of warbands that `7/f3`, `fighter:7/f3`, `warband:7` and `7` name."""
    return {int(match[1]) for text in texts if text and (match := _REFERENCE.fullmatch(text))}


def foes(keys: set[int]) -> dict[str, str]:
    """One query for all of them, none if there is nobody."""
    if not keys:
        return {}
    found: dict[str, str] = {}
    rows = Warband.objects.filter(pk__in=keys).values_list("pk", "name", "fighters__key", "fighters__name")
    for pk, warband, key, fighter in rows.order_by():
        found[str(pk)] = warband
        if key:
            found[f"{pk}/{key}"] = _("%(fighter)s of %(warband)s") % {"fighter": fighter, "warband": warband}
    return found


def names_of(warband: Warband, entries: Iterable[LedgerEntry] = ()) -> Names:
    """Everybody who is or was on the roster, and whom these entries speak of besides."""
    gone = warband.ledger.filter(change__event="FighterVanquished").order_by("sequence")
    own = dict(gone.values_list("change__fighter__id", "change__fighter__name"))
    own |= dict(warband.fighters.values_list("key", "name"))
    return Names(own, foes(referred(text for entry in entries for text in mentioned(entry.change))))


def mentioned(change: Mapping[str, Any]) -> Iterable[str]:
    """Where a change may name somebody of another warband."""
    trait = change.get("trait")
    if isinstance(trait, dict):
        yield from (trait.get("by", ""), trait.get("against", ""))
    if change.get("field") == "captive_of":
        yield from (change["before"], change["after"])
    yield change.get("by", "")
