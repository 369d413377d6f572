"""What a campaign may decide for itself: typed, with defaults, in two parts.

`CampaignSettings` is the engine's: rules that it reads differently. `House` is how the group plays on this site. Both
are kept as the fields that differ from their defaults.
"""

from collections.abc import Mapping
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct, field

from rules.editions import pins_of
from rules.engine.settings import CampaignSettings
from rules.terms import settings_with, usual_with

RELAXED, STRICT = "relaxed", "strict"
EITHER, SERVER, PHYSICAL = "either", "server", "physical"


class House(Struct, frozen=True, forbid_unknown_fields=True):
    """How a group plays; the engine does not ask for any of it."""

    packs: dict[str, str] = field(default_factory=dict)
    """Pack to the version that it stays on; a pack of the site that is not named is taken as it is.

    A game master's pack is laid over those: its key, and the number of its edition. Only `use_edition` writes these.
    """
    gating: Literal["relaxed", "strict"] = "relaxed"
    """Whether everybody waits before a shared step, or only where the rules need somebody else."""
    dice: Literal["either", "server", "physical"] = "either"
    confirm_hours: int = 72
    """After so many hours an unanswered report confirms itself; 0: never."""
    run_hours: int = 168
    """After so many hours an open post-game is finished by its player's policy; 0: never."""
    warbands_per_player: int = 1
    most_warbands: int = 0
    """0: as many as come."""
    winner: Literal["rating", "final_battle", "points", "markers"] = "rating"
    points: Literal["achievements", "rout_order", "winner_takes", "scenario"] = "achievements"
    achievement_points: dict[str, int] = field(default_factory=dict)
    """Achievements that are worth something else here than in the pack."""
    pairing_score: Literal["wins", "points", "rating", "markers"] = "wins"
    rounds: int = 5
    table_size: int = 2
    knockout: int = 0
    """How many of the best play a knock-out after the last round; 0: none."""
    final_rout_percent: int = 50
    links: dict[str, str] = field(default_factory=dict)
    """Name to address: where else the group meets, for the campaign's page."""
    final_skips_steps: bool = False
    """Whether the last battle skips all steps but injuries and the warband's own (2.4.1)."""


Settings = TypeVar("Settings", House, CampaignSettings)


def _read(stored: Mapping[str, Any], kind: type[Settings]) -> Settings:
    return msgspec.convert(dict(stored), kind, strict=False)


def house_of(stored: Mapping[str, Any]) -> House:
    return _read(stored, House)


def settings_of(stored: Mapping[str, Any], house: Mapping[str, Any]) -> CampaignSettings:
    return settings_with(stored, pins_of(house.get("packs", {})))


def stored_settings(settings: CampaignSettings, house: House) -> dict[str, Any]:
    return stored(settings, usual_with(pins_of(house.packs)))


def stored(settings: Struct, usual_is: Struct | None = None) -> dict[str, Any]:
    """Only what differs from the defaults, so that a default that changes changes for those who left it alone."""
    usual = msgspec.to_builtins(usual_is if usual_is is not None else type(settings)())
    return {name: value for name, value in msgspec.to_builtins(settings).items() if value != usual[name]}
