"""What a campaign is played by: what it sets itself, over what its packs set, over what is usual."""

from collections.abc import Mapping
from typing import Any

import msgspec

from rules.editions import Pins, pack_with
from rules.engine.errors import RuleViolation
from rules.engine.pack.schema import Pack, Track
from rules.engine.settings import CampaignSettings

USUAL = CampaignSettings()


def usual_tracks() -> dict[str, Track]:
    """As an entry of a pack would say it."""
    return {
        "higher": Track(boxes=USUAL.higher_track, thick=USUAL.higher_thresholds),
        "lower": Track(boxes=USUAL.lower_track, thick=USUAL.lower_thresholds),
    }


def usual_with(pins: Pins) -> CampaignSettings:
    """What a campaign with these packs has where it sets nothing. Packs that nobody can read set nothing: playing with
    them is refused anyway, and the page on which another edition is chosen has to open."""
    if not pins:
        return USUAL
    try:
        return usual_in(pack_with(pins))
    except RuleViolation:
        return USUAL


def usual_in(pack: Pack) -> CampaignSettings:
    given = {f"{name}_track": track.boxes for name, track in pack.tracks.items()}
    thick = {f"{name}_thresholds": track.thick for name, track in pack.tracks.items()}
    return msgspec.structs.replace(USUAL, **given, **thick)


def settings_with(overrides: Mapping[str, Any], pins: Pins) -> CampaignSettings:
    usual = usual_with(pins)
    if not overrides:
        return usual
    own = msgspec.convert(dict(overrides), CampaignSettings, strict=False)
    return msgspec.structs.replace(usual, **{name: getattr(own, name) for name in overrides if hasattr(own, name)})
