"""What a battle is called and where its page is, by the key that ledgers and the engine know it by."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from warbands.models import LedgerEntry

_KEY = re.compile(r"(?:(\d+)-|b)?(\d+)")
"""`12-3` is the third battle of campaign 12; the others come from files and tests."""


@dataclass(frozen=True, slots=True)
class BattleShown:
    """A battle to name; without an address where there is no page of it here."""

    name: str
    address: str = ""

    @property
    def title(self) -> str:
        return self.name[:1].upper() + self.name[1:]


def battle_name(key: str) -> str:
    """`battle 3`, for the middle of a sentence."""
    found = _KEY.fullmatch(key)
    return _("battle %(number)s") % {"number": found[2] if found else key}


def battle_names(keys: Iterable[str]) -> dict[str, str]:
    return {key: battle_name(key) for key in keys if key}


def battle_address(key: str) -> str:
    """Its page, or nothing."""
    found = _KEY.fullmatch(key)
    if found is None or found[1] is None:
        return ""
    try:
        return reverse("battle", args=[int(found[1]), int(found[2])])
    except NoReverseMatch:
        return ""


def battle_of(entry: LedgerEntry) -> BattleShown | None:
    """A battle that a file tells of was fought elsewhere: its key would lead to somebody else's."""
    if not entry.battle:
        return None
    return BattleShown(battle_name(entry.battle), "" if entry.is_from_file else battle_address(entry.battle))
