"""Who stands where in a campaign: worked out from what is reported, and kept in the cache until that changes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import msgspec
from django.core.cache import cache
from django.db.models import F, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from msgspec import Struct

from campaigns.ladder import heights, read_ladder
from campaigns.models import Battle, Campaign, Deed, Participation
from campaigns.packs import pack_of
from campaigns.settings import House
from rules.engine import campaign as engine
from rules.engine.battle import DRAWN, LOST, WON, WON_ALLIED, Participant
from rules.engine.battle import Battle as Fought
from rules.engine.pack.schema import Pack
from rules.engine.settings import CampaignSettings
from rules.engine.state import evolve
from warbands import words
from warbands.models import Warband
from warbands.statements import send

COUNTED = (Battle.State.CONFIRMED, Battle.State.POSTGAME, Battle.State.CLOSED)
"""A battle counts from its confirmed report on; a void one never."""
FORM = 5
KEPT = 7 * 24 * 3600
GONE, LEFT, RETIRED = "gone", "left", "retired"


class Row(Struct, frozen=True):
    """A warband's line. It holds no person's name: those who leave the site leave this too."""

    place: int
    warband: int
    name: str
    rating: float = 0
    points: int = 0
    markers: int = 0
    battles: int = 0
    wins: int = 0
    allied: int = 0
    losses: int = 0
    draws: int = 0
    kills: int = 0
    casualties: int = 0
    treasury: int = 0
    form: tuple[str, ...] = ()
    """Its last results, the newest last."""
    ratings: tuple[float, ...] = ()
    """What it went into each battle with, and what it has now."""
    final: str = ""
    """Its result in the final battle."""
    mark: str = ""
    """Whether it died out, left or was retired."""
    stage: str = ""
    """Where it stands on a ladder."""


class Standings(Struct, frozen=True):
    rows: tuple[Row, ...] = ()
    battles: int = 0
    winner: str = "rating"
    final_fought: bool = False
    is_ladder: bool = False


# Methods ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Method:
    """A way to win: the column that decides, and what it says of itself."""

    name: str | Promise
    lead: str
    heading: str | Promise
    explains: str | Promise
    ties: str | Promise


METHODS: dict[str, Method] = {
    engine.RATING: Method(
        _("Warband rating"), "rating", _("Rating"), _("The warband with the highest rating wins."),
        _("Equal ratings are told apart by victories, then by fewer battles."),
    ),
    engine.FINAL_BATTLE: Method(
        _("Final battle"), "final", _("Final"),
        _("Whoever wins the final battle wins the campaign. Until it is fought, the rating gives the order."),
        _("Equal results are told apart by who routed later or never, then by the rating."),
    ),
    engine.POINTS: Method(
        _("Victory points"), "points", _("Points"), _("The warband with the most victory points wins."),
        _("Equal points are told apart by victories, then by the rating."),
    ),
    engine.MARKERS: Method(
        _("Campaign markers"), "markers", _("Markers"), _("The warband with the most campaign markers wins."),
        _("Equal markers are told apart by victories, then by the rating."),
    ),
}  # fmt: skip

POINTS: dict[str, str | Promise] = {
    engine.ACHIEVEMENTS: _("Points come from achievements."),
    engine.ROUT_ORDER: _("Each battle brings a point for every warband that routed before."),
    engine.WINNER_TAKES: _("The winner of a battle, and each ally, gets a point for every player in it."),
    engine.SCENARIO: _("Points are what the scenario of each battle gave."),
}


# Reading ----------------------------------------------------------------------------------------------


def standings(campaign: Campaign) -> Standings:
    """As they were at the end, if it has ended; otherwise as they are, from the cache where nothing changed."""
    if campaign.is_over and campaign.final:
        return msgspec.convert(campaign.final["standings"], Standings)
    key = cache_key(campaign, "standings")
    found = cache.get(key)
    if found is not None:
        return msgspec.msgpack.decode(found, type=Standings)
    made = worked_out(campaign)
    cache.set(key, msgspec.msgpack.encode(made), KEPT)
    return made


Enrolled = Mapping[str, Any]
"""A warband in a campaign, as far as the standings ask."""


def enrolled_in(campaign: Campaign) -> list[Enrolled]:
    """Read once a request: the cache is asked with it, and the page knows from it who plays."""
    found: list[Enrolled] | None = campaign.__dict__.get("_enrolled")
    if found is None:
        found = campaign.__dict__["_enrolled"] = list(_enrolled(campaign))
    return found


def cache_key(campaign: Campaign, what: str) -> str:
    """Ratings and treasuries change with their warbands, so the versions of those are a part of it.

    So is the moment of its making: a database that was set up anew counts from one again, and the cache may be older.
    """
    places = enrolled_in(campaign)
    left = sum(place["left"] is not None for place in places)
    versions = sum(place["version"] for place in places)
    born = int(campaign.created.timestamp() * 1_000_000)
    return f"campaign:{campaign.pk}:{born}:{campaign.version}:{len(places)}-{left}-{versions}:{what}"


def worked_out(campaign: Campaign) -> Standings:
    """In three queries, whatever the number of warbands and battles; a ladder takes two more."""
    parts = list(counted(campaign))
    enrolled = {row["warband_id"]: row for row in enrolled_in(campaign)}
    house = campaign.house_rules
    found = _climbed(campaign, _records(parts, enrolled, campaign.settings, house, pack_of(campaign)), enrolled)
    deeds = _deeds(campaign)
    results: dict[int, list[Participation]] = defaultdict(list)
    for part in parts:
        results[part.warband_id].append(part)
    rows = tuple(
        _row(place, enrolled[int(place.record.warband)], results[int(place.record.warband)], deeds)
        for place in engine.standings(list(found.values()), house.winner)
    )
    battles = {part.battle_id: part.battle.is_final for part in parts}
    is_ladder = campaign.kind == Campaign.Kind.LADDER
    return Standings(rows, len(battles), house.winner, any(battles.values()), is_ladder)


def counted(campaign: Campaign) -> QuerySet[Participation]:
    """The parts in battles that count, in the order in which these were confirmed."""
    found = Participation.objects.filter(battle__campaign=campaign, battle__state__in=COUNTED).select_related("battle")
    when = Coalesce("battle__confirmed_at", "battle__state_since")
    return found.order_by(when, "battle__number", "position", "pk")


ENROLLED = """
SELECT e.warband_id, w.name, w.rating, w.treasury, w.status, e."left",
  EXISTS (SELECT FROM warbands_fighter f WHERE f.warband_id = w.id) AS lives, w.owner_id AS owner, w.version,
  stage.key AS stage_key, stage.name AS stage_name
FROM campaigns_enrolment e JOIN warbands_warband w ON w.id = e.warband_id
LEFT JOIN campaigns_stage stage ON stage.id = e.stage_id WHERE e.campaign_id = %s ORDER BY e.id
"""


def _enrolled(campaign: Campaign) -> Iterable[Enrolled]:
    found = send(ENROLLED, campaign.pk)
    names = [column.name for column in found.description]
    return [dict(zip(names, cells, strict=True)) for cells in found.fetchall()]


def _deeds(campaign: Campaign) -> dict[int, tuple[int, int]]:
    """Enemies taken out, and own models lost to a battle, by warband."""
    done = Deed.objects.filter(participation__battle__campaign=campaign, participation__battle__state__in=COUNTED)
    sums = done.order_by().values_list("participation__warband").annotate(
        kills=Sum(F("melee_kills") + F("ranged_kills")), casualties=Sum("out_of_action")
    )  # fmt: skip
    return {warband: (kills, casualties) for warband, kills, casualties in sums}


def _row(
    place: engine.Place, enrolled: Mapping[str, Any], parts: Sequence[Participation], deeds: Mapping[int, Any]
) -> Row:
    record, results = place.record, [part.result for part in parts]
    kills, casualties = deeds.get(enrolled["warband_id"], (0, 0))
    return Row(
        place=place.place,
        warband=enrolled["warband_id"],
        name=enrolled["name"],
        rating=record.rating,
        points=record.points,
        markers=record.markers,
        battles=record.battles,
        wins=record.wins,
        allied=results.count(WON_ALLIED),
        losses=results.count(LOST),
        draws=results.count(DRAWN),
        kills=kills,
        casualties=casualties,
        treasury=enrolled["treasury"],
        form=tuple(results[-FORM:]),
        ratings=(*(float(part.rating_before) for part in parts), record.rating),
        final=next((part.result for part in reversed(parts) if part.battle.is_final), ""),
        mark=_mark(enrolled),
        stage=enrolled["stage_name"] or "",
    )


def _mark(enrolled: Mapping[str, Any]) -> str:
    if not enrolled["lives"]:
        return GONE
    if enrolled["left"]:
        return LEFT
    return RETIRED if enrolled["status"] == Warband.Status.RETIRED else ""


# Records ----------------------------------------------------------------------------------------------


def _records(
    parts: Sequence[Participation],
    enrolled: Mapping[int, Mapping[str, Any]],
    settings: CampaignSettings,
    house: House,
    usual: Pack,
) -> dict[str, engine.Record]:
    """The engine counts. What was achieved was proven when the report was confirmed, so no old state is read."""
    known = _pack_of(usual, house)
    ratings = {str(pk): float(row["rating"]) for pk, row in enrolled.items()}
    battles = [
        engine.Counted(_fought(mine, known), {}, known)
        for _battle, mine in groupby(parts, key=lambda part: part.battle_id)
    ]
    found = engine.records(battles, ratings, settings, house.points)
    if house.winner == engine.FINAL_BATTLE:
        found = _by_final(found, parts)
    return found


def _climbed(
    campaign: Campaign, found: Mapping[str, engine.Record], enrolled: Mapping[int, Enrolled]
) -> Mapping[str, engine.Record]:
    """With how far up each stands."""
    if campaign.kind != Campaign.Kind.LADDER:
        return found
    high = heights(read_ladder(campaign))
    stages = {str(pk): high.get(place["stage_key"] or "", 0) for pk, place in enrolled.items()}
    return {name: replace(record, stage=stages[name]) for name, record in found.items()}


def _pack_of(usual: Pack, house: House) -> Pack:
    """With the points that achievements have in this campaign."""
    own = {name: points for name, points in house.achievement_points.items() if name in usual.achievements}
    changed = {name: evolve(usual.achievements[name], points=points) for name, points in own.items()}
    return evolve(usual, achievements=usual.achievements | changed) if changed else usual


def _fought(parts: Iterable[Participation], known: Pack) -> Fought:
    found = {str(part.warband_id): _participant(part, known) for part in parts}
    return Fought("", found)


def _participant(part: Participation, known: Pack) -> Participant:
    return Participant(
        warband=str(part.warband_id),
        result=part.result or LOST,
        routed=part.routed,
        achievements=tuple(name for name in part.achieved if name in known.achievements),
        markers=part.markers,
        scenario_points=part.scenario_points,
    )


def _by_final(found: Mapping[str, engine.Record], parts: Iterable[Participation]) -> dict[str, engine.Record]:
    """Only a final battle decides; who was not in it comes after all who were."""
    finals = {str(part.warband_id): part for part in parts if part.battle.is_final}
    return {
        name: replace(
            record,
            last_result=finals[name].result or LOST if name in finals else "",
            last_routed=finals[name].routed if name in finals else 0,
        )
        for name, record in found.items()
    }


# Showing ----------------------------------------------------------------------------------------------

RESULTS: dict[str, str | Promise] = {
    WON: _("won"),
    WON_ALLIED: _("won in alliance"),
    LOST: _("lost"),
    DRAWN: _("drawn"),
}
DOTS = {WON: "w", WON_ALLIED: "a", DRAWN: "d"}
MARKS: dict[str, str | Promise] = {GONE: _("died out"), LEFT: _("left"), RETIRED: _("retired")}


@dataclass(frozen=True)
class Line:
    """A row as somebody sees it: with the warband as it is now, if it is still there."""

    row: Row
    warband: Warband | None
    mine: bool
    lead: str
    """What decides, in words."""

    @property
    def name(self) -> str:
        return self.warband.name if self.warband else self.row.name

    @property
    def address(self) -> str:
        """Rosters of those who left are closed to the others."""
        if self.warband is None or (self.row.mark == LEFT and not self.mine):
            return ""
        return self.warband.get_absolute_url()

    @property
    def mark(self) -> str:
        return str(MARKS.get(self.row.mark, ""))

    @property
    def rating(self) -> str:
        return words.number(self.row.rating)

    @property
    def dots(self) -> list[str]:
        return [DOTS.get(result, "") for result in self.row.form]

    @property
    def form_says(self) -> str:
        return words.several(str(RESULTS.get(result, result)) for result in self.row.form)


COLUMNS = ("name", "army", "treasury", "market_status", "rarity_pool", "owner__name")


def lines(rows: Sequence[Row], person: object, winner: str) -> list[Line]:
    """In one query."""
    wanted = Warband.objects.select_related("owner").only(*COLUMNS)
    there = wanted.in_bulk([row.warband for row in rows])
    found = [(row, there.get(row.warband)) for row in rows]
    return [
        Line(row, warband, warband is not None and warband.owner == person, lead(row, winner)) for row, warband in found
    ]


def lead(row: Row, winner: str) -> str:
    if winner == engine.FINAL_BATTLE:
        return str(RESULTS.get(row.final, "–"))
    return words.number(getattr(row, METHODS[winner].lead))
