"""What the engine's short words are called on a page."""

from collections.abc import Iterable

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

Word = str | Promise

CHARACTERISTICS: dict[str, Word] = {
    "Adv": gettext_lazy("Advance Rate"),
    "Mar": gettext_lazy("March Rate"),
    "Dis": gettext_lazy("Discipline"),
    "HP": gettext_lazy("Health Points"),
    "Def": gettext_lazy("Defensive Skill"),
    "Res": gettext_lazy("Resilience"),
    "Arm": gettext_lazy("Armour"),
    "Att": gettext_lazy("Attack Value"),
    "Off": gettext_lazy("Offensive Skill"),
    "Str": gettext_lazy("Strength"),
    "AP": gettext_lazy("Armour Penetration"),
    "Agi": gettext_lazy("Agility"),
    "BS": gettext_lazy("Ballistic Skill"),
    "Upk": gettext_lazy("Upkeep"),
    "Rat": gettext_lazy("Rating"),
}
STEPS: dict[str, Word] = {
    "pregame": gettext_lazy("Pre-game"),
    "start": gettext_lazy("Start of the post-game"),
    "underdog": gettext_lazy("Underdog"),
    "injury": gettext_lazy("Injury"),
    "exploration": gettext_lazy("Exploration"),
    "experience": gettext_lazy("Experience"),
    "advancement": gettext_lazy("Advancement"),
    "player_trade": gettext_lazy("Player trade"),
    "trading": gettext_lazy("Trading"),
    "allocation": gettext_lazy("Equipment"),
    "warband": gettext_lazy("Warband phase"),
    "intervention": gettext_lazy("By the game master’s hand"),
    "note": gettext_lazy("Noted for the game master"),
}
CAUSES: dict[str, Word] = {
    "participation": gettext_lazy("took part"),
    "command": gettext_lazy("led the warband to victory"),
    "martial prowess": gettext_lazy("took an enemy out of action"),
    "marksmanship": gettext_lazy("took an enemy out of action from afar"),
    "advancement": gettext_lazy("advance"),
    "Dead": gettext_lazy("dead"),
    "allocated": gettext_lazy("equipment handed out"),
    "zone_roll": gettext_lazy("rolled"),
    "first_turn_roll": gettext_lazy("rolled"),
}
"""Causes of the engine that read badly as they are; a row of a table keeps its name."""

DEVOTIONS: dict[str, Word] = {
    "low": gettext_lazy("low"),
    "medium": gettext_lazy("medium"),
    "high": gettext_lazy("high"),
}
KINDS: dict[str, Word] = {
    "hero": gettext_lazy("hero"),
    "henchmen": gettext_lazy("henchmen"),
    "hireling": gettext_lazy("hireling"),
}


def cause(text: str) -> str:
    return str(CAUSES.get(text, plain(text)))


def plain(name: str) -> str:
    """`next_exploration_dice` as words."""
    return name.replace("_", " ")


def step(name: str) -> str:
    return str(STEPS.get(name, plain(name)))


def characteristic(short: str) -> str:
    return str(CHARACTERISTICS.get(short, short))


def number(value: float) -> str:
    """Whole where it is whole; a slow learner's half stays one."""
    return str(int(value)) if value == int(value) else str(value)


def several(parts: Iterable[str]) -> str:
    return ", ".join(parts)
