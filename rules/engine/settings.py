"""What a campaign may set differently. The engine reads these and nothing else about a campaign."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from msgspec import Struct

MOST_THICK = 60
"""Thick boxes on a track."""
TrackFault = Literal["", "many", "order", "first", "length"]


def track_fault(thick: Sequence[int], boxes: int) -> TrackFault:
    """What is wrong with the thick boxes of an experience track."""
    if len(thick) > MOST_THICK:
        return "many"
    if any(later <= earlier for earlier, later in pairwise(thick)):
        return "order"
    if thick and thick[0] < 1:
        return "first"
    return "length" if thick and thick[-1] > boxes else ""


class CampaignSettings(Struct, frozen=True):
    """Typed overrides with the rulebook's defaults, or ours where the rulebook's are lost (ruling 4)."""

    starting_points: int | None = None
    """None: what the army says, which is 500 for the starter armies."""
    underdog_bonus: bool = True
    rout_percent: int = 25
    lower_thresholds: tuple[int, ...] = (2, 5, 9, 14)
    """The thick boxes of a henchmen group's track: ours, the printed ones are lost."""
    higher_thresholds: tuple[int, ...] = (2, 4, 6, 8, 11, 14, 17, 20, 24, 28)
    """The thick boxes of a hero's or hireling's track: ours, the printed ones are lost."""
    lower_track: int = 15
    higher_track: int = 30
    achievements_once_per: str = "battle"
    alliances: bool = True
    only_injury_and_warband: bool = False
    """The last battle of a campaign that the rating decides may skip the other steps (2.4.1, ruling 128)."""
