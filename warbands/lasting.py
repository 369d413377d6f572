"""What lasts beyond the step that caused it, in a few words: `dice in the next exploration: +1`."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from warbands import words

LASTING: dict[str, Promise] = {
    "next_exploration_dice": _("dice in the next exploration: %(signed)s"),
    "next_exploration_raise": _("one die of the next exploration may be raised by %(value)s"),
    "city_map_dice": _("dice in the exploration after this battle: %(signed)s, by the City Map"),
    "city_map_plus": _("one die of the exploration after this battle may be raised by %(value)s, by the City Map"),
    "tarot": _("die %(value)s of the coming exploration may change by 1, by the Tarot Cards"),
    "exploration_roll": _("exploration dice that lie on the table"),
    "catacombs": _("one die of every exploration may be changed by up to %(value)s"),
    "moneylender": _("the moneylender pays the market status in points after every trading"),
    "rarity_lasting": _("%(signed)s to every rarity roll"),
    "rarity_once": _("%(signed)s to the coming rarity roll"),
    "rarity_maximised": _("the coming rarity roll is maximised"),
    "half_price_hireling": _("one hireling at half price and half rarity in the coming trading"),
    "half_price_mount": _("one mount at half price and half rarity in the coming trading"),
    "counts_as_booze": _("the next game is played as after a Barrel of Booze"),
    "looted_graves": _("Holy Orders hate the warband the next time they meet"),
    "hated_by": _("Holy Orders in this battle hate the warband"),
    "barrel_of_booze": _("everybody drank before this battle"),
    "scout": _("scouts in this battle: %(value)s"),
    "sewer_scout": _("scouts in this battle, not on upper levels: %(value)s"),
    "vanguard": _("vanguards in this battle: %(value)s"),
    "sewers": _("scouts come out of the sewers"),
    "zone_roll": _("%(value)s for the deployment zone"),
    "first_turn_roll": _("%(value)s for the first turn"),
    "pre_game_rating": _("the rating counts as %(signed)s in this pre-game"),
    "choose_scenario": _("the player chooses the scenario"),
    "raise": _("%(value)s %(target)s to be raised"),
    "liquor_upkeep": _("%(value)s more upkeep for the liquor"),
    "underdog": _("an underdog bonus of %(value)s"),
    "ransom_deal": _("a ransom that was agreed on"),
    "ransom_item": _("a thing that was promised as ransom"),
    "ransom_captive": _("a captive who was promised in return"),
    "held_captives": _("the captives of this battle are settled"),
}
"""By the names that the engine gives them; whatever is not here is called by that."""


def lasting(effect: Mapping[str, Any]) -> str:
    text = LASTING.get(effect["name"])
    if text is None:
        return words.plain(effect["name"])
    value = effect.get("value", 0)
    return str(text) % {"value": value, "signed": f"{value:+d}", "target": effect.get("target", "")}
