"""The names of characteristics, and numbers as people write them."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rules.engine.expressions import DiceExpression

CHARACTERISTICS: Mapping[str, str | Promise] = {
    "Adv": _("Advance Rate"),
    "Mar": _("March Rate"),
    "Dis": _("Discipline"),
    "HP": _("Health Points"),
    "Def": _("Defensive Skill"),
    "Res": _("Resilience"),
    "Arm": _("Armour"),
    "Att": _("Attack Value"),
    "Off": _("Offensive Skill"),
    "Str": _("Strength"),
    "AP": _("Armour Penetration"),
    "Agi": _("Agility"),
    "BS": _("Ballistic Skill"),
    "Rat": _("Rating"),
    "Upk": _("Upkeep"),
}


def characteristic(short: str) -> str:
    return str(CHARACTERISTICS[short])


def signed(number: int) -> str:
    return f"+{number}" if number >= 0 else f"−{-number}"


def changes(values: Mapping[str, int]) -> list[str]:
    """`+1 Strength` for each."""
    return [f"{signed(value)} {characteristic(short)}" for short, value in values.items()]


def worked(text: str) -> str:
    """A sum as people write it: `10 + 2 x 4` is `10 + 2 × 4`."""
    return text.replace(" x ", " × ").replace(" - ", " − ")


def dice(text: str) -> str:
    """`D6x10` is `D6 × 10`."""
    return str(DiceExpression.parse(text)).replace("x", " × ").replace("+", " + ").replace("-", " − ")


def price(text: str) -> str:
    """`15+2MS` is `15 + 2 MS`, `10+2xPrice` is `10 + 2 × price`."""
    spaced = text.replace("+", " + ").replace("x", " × ").replace("Price", "price")
    return spaced.replace("MS", " MS").replace("  ", " ").strip()


def span(low: int | None, high: int | None) -> str:
    """`3–6`, `5`, `up to 40`, `301 or more`."""
    if low is None:
        return str(_("up to %(high)s") % {"high": high})
    if high is None:
        return str(_("%(low)s or more") % {"low": low})
    return str(low) if low == high else f"{low}–{high}"
