"""The parts of the reference, in the order in which they are shown."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = str | Promise


class Kind(NamedTuple):
    """One part: `key` is its address, `one` names a single entry of it."""

    key: str
    title: Text
    one: Text
    about: Text


KINDS: Mapping[str, Kind] = {
    kind.key: kind
    for kind in (
        Kind("armies", _("Armies"), _("Army"), _("Who fights in them, and how many of each.")),
        Kind("fighters", _("Fighters"), _("Fighter"), _("Heroes, henchmen and hirelings with their profiles.")),
        Kind("items", _("Items"), _("Item"), _("Weapons, armour and everything else on the market, with prices.")),
        Kind("upgrades", _("Upgrades"), _("Upgrade"), _("What makes an item better, and what it fits.")),
        Kind("mounts", _("Mounts"), _("Mount"), _("What can be ridden, and what it adds to its rider.")),
        Kind("skills", _("Skills"), _("Skill"), _("What heroes learn, by list, and who may not.")),
        Kind("rules", _("Model rules"), _("Model rule"), _("What the words on a profile or a weapon mean.")),
        Kind("injuries", _("Injuries"), _("Injury"), _("Both injury tables with the chance of every row.")),
        Kind("exploration", _("Exploration"), _("Exploration"), _("What a set of dice finds, and how likely it is.")),
        Kind("spells", _("Spells"), _("Spell"), _("The paths of magic, spell by spell.")),
        Kind("tables", _("Tables"), _("Table"), _("Advancement, relations, income, species and the others.")),
        Kind("rulings", _("Rulings"), _("Ruling"), _("How the unclear places of the rulebook are read here.")),
    )
}

CATEGORIES: Mapping[str, Text] = {
    "close_combat": _("Close combat weapons"),
    "shooting": _("Shooting weapons"),
    "small_firearm": _("Small firearms"),
    "suit_of_armour": _("Suits of armour"),
    "cloak": _("Cloaks"),
    "hand_held_armour": _("Hand-held armour"),
    "other_armour": _("Other armour"),
    "misc": _("Miscellaneous"),
    "drug": _("Drugs"),
    "curiosity": _("Curiosities"),
    "mount": _("Mounts"),
}
RULE_KINDS: Mapping[str, Text] = {
    "universal": _("Universal rules"),
    "protection": _("Personal protections"),
    "attack": _("Attack attributes"),
    "special": _("Special attacks"),
    "ours": _("Our own rules"),
}
UPGRADE_KINDS: Mapping[str, Text] = {
    "armour": _("For armour"),
    "close_combat": _("For close combat weapons"),
    "shooting": _("For shooting weapons"),
}
INJURY_TABLES: Mapping[str, Text] = {
    "higher": _("Heroes and hirelings, D66"),
    "lower": _("Henchmen, D6"),
}
SETS: Mapping[str, Text] = {
    "2": _("Two of a kind"),
    "3": _("Three of a kind"),
    "4": _("Four of a kind"),
    "5": _("Five of a kind"),
    "6": _("Six of a kind"),
}
RULING_KINDS: Mapping[str, Text] = {
    "given": _("Given to the project"),
    "ours": _("Made by the project"),
}
GROUPS: Mapping[str, Mapping[str, Text]] = {
    "items": CATEGORIES,
    "rules": RULE_KINDS,
    "upgrades": UPGRADE_KINDS,
    "injuries": INJURY_TABLES,
    "exploration": SETS,
    "rulings": RULING_KINDS,
}
"""Names of the groups of a kind; where a kind has none here, a group is called as the pack calls it."""
