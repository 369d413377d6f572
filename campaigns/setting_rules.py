"""Which settings make sense. A form shows the sentences beside its fields, a service refuses with the first."""

from collections.abc import Iterator, Mapping, Sequence

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.translation import gettext as _

from campaigns.settings import House
from rules.editions import pack_with, pins_of
from rules.engine.errors import RuleViolation
from rules.engine.settings import MOST_THICK, CampaignSettings, track_fault

RANGES: dict[str, tuple[int, int]] = {
    "confirm_hours": (0, 720),
    "run_hours": (0, 2160),
    "warbands_per_player": (1, 10),
    "most_warbands": (0, 500),
    "rounds": (1, 30),
    "table_size": (2, 6),
    "final_rout_percent": (1, 100),
    "starting_points": (100, 5000),
    "rout_percent": (1, 100),
    "lower_track": (1, 60),
    "higher_track": (1, 120),
}
KNOCKOUTS = (0, 2, 4, 8, 16, 32)
MOST_POINTS = 99
MOST_LINKS, LONGEST_LINK_NAME = 8, 60
IS_ADDRESS = URLValidator(schemes=["http", "https"])
"""Nothing else, so that no link runs anything."""


def wrong_settings(house: House, overrides: CampaignSettings) -> dict[str, str]:
    """Field to what is wrong with it."""
    return dict((*_out_of_range(house, overrides), *_of_house(house), *_tracks(overrides)))


def refuse_wrong(house: House, overrides: CampaignSettings) -> None:
    for name, sentence in wrong_settings(house, overrides).items():
        raise RuleViolation(f"setting.{name}", sentence)


def _out_of_range(house: House, overrides: CampaignSettings) -> Iterator[tuple[str, str]]:
    for name, (low, high) in RANGES.items():
        value = getattr(house, name) if hasattr(house, name) else getattr(overrides, name)
        if value is not None and not low <= value <= high:
            yield name, _("Between %(low)s and %(high)s.") % {"low": low, "high": high}


def _of_house(house: House) -> Iterator[tuple[str, str]]:
    if house.knockout not in KNOCKOUTS:
        yield "knockout", _("A knock-out has 2, 4, 8, 16 or 32 warbands, or there is none.")
    if house.most_warbands and house.most_warbands < house.warbands_per_player:
        yield "most_warbands", _("Fewer than one player may enrol.")
    yield from _links(house.links)
    known = pack_with(pins_of(house.packs)).achievements
    strange = [name for name in house.achievement_points if name not in known]
    if strange:
        yield "achievement_points", _("There is no achievement %(name)s.") % {"name": strange[0]}
    if any(not 0 <= points <= MOST_POINTS for points in house.achievement_points.values()):
        yield "achievement_points", _("Between %(low)s and %(high)s.") % {"low": 0, "high": MOST_POINTS}


def _links(links: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if len(links) > MOST_LINKS:
        yield "links", _("At most %(most)s links.") % {"most": MOST_LINKS}
    for name, address in links.items():
        if not name.strip() or len(name) > LONGEST_LINK_NAME:
            words = {"address": address, "most": LONGEST_LINK_NAME}
            yield "links", _("The link %(address)s needs a name of at most %(most)s letters.") % words
        try:
            IS_ADDRESS(address)
        except ValidationError:
            yield "links", _("%(name)s: an address begins with https:// or http://.") % {"name": name}


def _tracks(overrides: CampaignSettings) -> Iterator[tuple[str, str]]:
    yield from _track("lower_thresholds", overrides.lower_thresholds, overrides.lower_track)
    yield from _track("higher_thresholds", overrides.higher_thresholds, overrides.higher_track)
    if overrides.achievements_once_per not in ("battle", "campaign"):
        yield "achievements_once_per", _("Once a battle, or once in the campaign.")


def _track(name: str, boxes: Sequence[int], length: int) -> Iterator[tuple[str, str]]:
    sentences = {
        "many": _("At most %(most)s boxes.") % {"most": MOST_THICK},
        "order": _("Each number is higher than the one before."),
        "first": _("The first box is 1."),
        "length": _("The track has only %(length)s boxes.") % {"length": length},
    }
    if fault := track_fault(boxes, length):
        yield name, sentences[fault]
