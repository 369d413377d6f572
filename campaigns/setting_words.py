"""What each setting is called, what it does, and how its values are said."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaigns.models import Campaign
from campaigns.settings import House
from rules.engine.settings import CampaignSettings

Text = str | Promise


class Word(NamedTuple):
    """A setting's label and one line about it."""

    label: Text
    explains: Text


WORDS: dict[str, Word] = {
    "name": Word(gettext_lazy("Name"), gettext_lazy("What the campaign is called.")),
    "motto": Word(gettext_lazy("Motto"), gettext_lazy("A line below the name.")),
    "links": Word(
        gettext_lazy("Links"),
        gettext_lazy("For the campaign’s page. One a line: a name, then the address, such as Our chat https://…"),
    ),
    "visibility": Word(
        gettext_lazy("Who can look in"),
        gettext_lazy("Outsiders see standings, chronicle and warbands; they change nothing."),
    ),
    "gating": Word(
        gettext_lazy("Waiting in the post-game"),
        gettext_lazy("Whether everybody waits before a step that is shared."),
    ),
    "alliances": Word(
        gettext_lazy("Alliances"), gettext_lazy("Warbands of a battle with several players may win together.")
    ),
    "underdog_bonus": Word(
        gettext_lazy("Underdog bonus"), gettext_lazy("A warband with a lower rating gets more experience.")
    ),
    "rout_percent": Word(
        gettext_lazy("Rout check, percent"),
        gettext_lazy("A warband that has lost this share of its models checks for rout."),
    ),
    "starting_points": Word(
        gettext_lazy("Starting points"), gettext_lazy("What a new warband may spend. Empty: what its army says.")
    ),
    "warbands_per_player": Word(
        gettext_lazy("Warbands a player"), gettext_lazy("How many warbands one person may enrol.")
    ),
    "most_warbands": Word(
        gettext_lazy("Warbands in all"), gettext_lazy("The campaign is full at this number. 0: no limit.")
    ),
    "dice": Word(gettext_lazy("Dice"), gettext_lazy("Who throws the dice of the post-game.")),
    "confirm_hours": Word(
        gettext_lazy("Hours to answer a report"),
        gettext_lazy("After that an unanswered report counts as confirmed. 0: never."),
    ),
    "run_hours": Word(
        gettext_lazy("Hours for a post-game"),
        gettext_lazy("After that the player’s standing answers finish it. 0: never."),
    ),
    "winner": Word(gettext_lazy("Who wins the campaign"), gettext_lazy("What the standings are ordered by.")),
    "points": Word(gettext_lazy("Victory points"), gettext_lazy("What a battle brings, where points decide.")),
    "achievements_once_per": Word(
        gettext_lazy("An achievement counts"), gettext_lazy("How often a warband gets the points of the same one.")
    ),
    "achievement_points": Word(
        gettext_lazy("Points of achievements"), gettext_lazy("What each is worth here. Empty: what the rules say.")
    ),
    "final_rout_percent": Word(
        gettext_lazy("Rout check in the final battle, percent"),
        gettext_lazy("The last battle is fought harder: warbands check later."),
    ),
    "final_skips_steps": Word(
        gettext_lazy("Short post-game after the final battle"),
        gettext_lazy("Only injuries and the warband’s own step are played."),
    ),
    "pairing_score": Word(
        gettext_lazy("Pair by"), gettext_lazy("Warbands with a similar score meet in the next round.")
    ),
    "rounds": Word(gettext_lazy("Rounds"), gettext_lazy("How many rounds the tournament has.")),
    "table_size": Word(gettext_lazy("Warbands at a table"), gettext_lazy("How many meet in one battle.")),
    "knockout": Word(
        gettext_lazy("Knock-out of the best"), gettext_lazy("So many play on after the last round until one is left.")
    ),
    "higher_thresholds": Word(
        gettext_lazy("Thick boxes of heroes and hirelings"),
        gettext_lazy("At each of these a fighter rolls for an advancement. Numbers with commas between."),
    ),
    "higher_track": Word(
        gettext_lazy("Boxes of heroes and hirelings"), gettext_lazy("More experience than this is not counted.")
    ),
    "lower_thresholds": Word(
        gettext_lazy("Thick boxes of henchmen"),
        gettext_lazy("At each of these a group rolls for an advancement. Numbers with commas between."),
    ),
    "lower_track": Word(gettext_lazy("Boxes of henchmen"), gettext_lazy("More experience than this is not counted.")),
    "packs": Word(
        gettext_lazy("Stay on these versions of the rules"),
        gettext_lazy("The campaign says so when the site has others. Without it, it takes what is there."),
    ),
}

OPTIONS: dict[str, tuple[tuple[str, Text], ...]] = {
    "visibility": (
        ("private", gettext_lazy("Members only")),
        ("link", gettext_lazy("Whoever has the link")),
        ("public", gettext_lazy("Everybody, and it stands in the list of open campaigns")),
    ),
    "gating": (
        ("relaxed", gettext_lazy("Only where the rules need somebody else")),
        ("strict", gettext_lazy("Everybody waits before each shared step")),
    ),
    "dice": (
        ("either", gettext_lazy("As each player likes")),
        ("server", gettext_lazy("The site throws them all")),
        ("physical", gettext_lazy("Thrown at the table and typed in")),
    ),
    "winner": (
        ("rating", gettext_lazy("The highest warband rating")),
        ("final_battle", gettext_lazy("A final battle")),
        ("points", gettext_lazy("Victory points")),
        ("markers", gettext_lazy("Campaign markers")),
    ),
    "points": (
        ("achievements", gettext_lazy("By achievements")),
        ("rout_order", gettext_lazy("By who routed first")),
        ("winner_takes", gettext_lazy("The winner takes all")),
        ("scenario", gettext_lazy("By the scenario")),
    ),
    "achievements_once_per": (
        ("battle", gettext_lazy("Once a battle")),
        ("campaign", gettext_lazy("Once in the campaign")),
    ),
    "pairing_score": (
        ("wins", gettext_lazy("Victories")),
        ("points", gettext_lazy("Victory points")),
        ("rating", gettext_lazy("Rating")),
        ("markers", gettext_lazy("Campaign markers")),
    ),
    "knockout": (
        ("0", gettext_lazy("None")),
        *((str(number), gettext_lazy("The best %(number)s") % {"number": number}) for number in (2, 4, 8, 16, 32)),
    ),
}

GROUPS: tuple[tuple[str, Text, tuple[str, ...]], ...] = (
    ("campaign", gettext_lazy("The campaign"), ("name", "motto", "links", "visibility")),
    (
        "play", gettext_lazy("Play"),
        ("starting_points", "warbands_per_player", "most_warbands", "alliances", "underdog_bonus", "rout_percent"),
    ),
    ("time", gettext_lazy("Dice and time"), ("dice", "gating", "confirm_hours", "run_hours")),
    (
        "winner", gettext_lazy("The winner"),
        ("winner", "points", "achievements_once_per", "achievement_points", "final_rout_percent", "final_skips_steps"),
    ),
    ("tournament", gettext_lazy("Rounds"), ("pairing_score", "rounds", "table_size", "knockout")),
    (
        "experience", gettext_lazy("Experience"),
        ("higher_thresholds", "higher_track", "lower_thresholds", "lower_track"),
    ),
    ("packs", gettext_lazy("Rules"), ("packs",)),
)  # fmt: skip

ZERO: dict[str, Text] = {
    "confirm_hours": gettext_lazy("never"),
    "run_hours": gettext_lazy("never"),
    "most_warbands": gettext_lazy("no limit"),
}

PLAYED_FOR: frozenset[str] = frozenset({"only_injury_and_warband"})
"""Fields of the engine that nobody sets for a campaign: a final battle brings this one with it."""


def values_of(campaign: Campaign) -> dict[str, Any]:
    """Every setting as it is."""
    own = {name: getattr(campaign, name) for name in ("name", "motto", "visibility")}
    return own | rules_of(campaign.house_rules, campaign.settings)


def rules_of(house: House, overrides: CampaignSettings) -> dict[str, Any]:
    parts = (house, overrides)
    return {name: getattr(part, name) for part in parts for name in part.__struct_fields__ if name not in PLAYED_FOR}


def said(name: str, value: Any) -> str:
    """A value in words, for a default, a change and the chronicle."""
    options = dict(OPTIONS.get(name, ()))
    if str(value) in options:
        return str(options[str(value)])
    if name == "links" and not value:
        return _("none")
    if name in ZERO and value == 0:
        return str(ZERO[name])
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {each}" for key, each in value.items()) or _("as in the rules")
    if name.endswith("_hours"):
        return ngettext("%(count)s hour", "%(count)s hours", value) % {"count": value}
    if value is None:
        return _("as the army says")
    return str(value) or _("nothing")
