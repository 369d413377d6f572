"""Who wins a campaign: victory points, markers, ratings or a final battle (2.4), and when warbands rout (8.2)."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from rules.engine.battle import DRAWN, LOST, RANGED, WON, WON_ALLIED, Battle, Deed, Participant
from rules.engine.errors import InputError
from rules.engine.pack.schema import Pack
from rules.engine.settings import CampaignSettings
from rules.engine.state import Fighter, Warband
from rules.engine.traits import PRIEST, WIZARD, has_rule, heroes

USUAL_ROUT_PERCENT = CampaignSettings().rout_percent
FINAL_ROUT_PERCENT = 50
"""Suggested for a final battle (2.4.2)."""

VICTORIES = (WON, WON_ALLIED)
DECIDED = SOLE, ALLIED = "Sole victory", "Allied victory"
AT_A_PRICE = "Victory at a price"
"""Achievements about which the result of the battle has the last word."""

ROUT_ORDER, WINNER_TAKES, ACHIEVEMENTS, SCENARIO = "rout_order", "winner_takes", "achievements", "scenario"
RATING, FINAL_BATTLE, POINTS, MARKERS = "rating", "final_battle", "points", "markers"


# Victory points ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tally:
    """Victory points of one warband for one battle, line by line."""

    lines: tuple[tuple[str, int], ...] = ()

    @property
    def total(self) -> int:
        """The sum of its lines."""
        return sum(points for _, points in self.lines)


@dataclass(frozen=True)
class Counted:
    """A battle with the warbands as they went into it, and the achievements that do not count again."""

    battle: Battle
    warbands: Mapping[str, Warband]
    pack: Pack
    earlier: Mapping[str, Collection[str]] = field(default_factory=dict)


def victory_points(counted: Counted, method: str) -> dict[str, Tally]:
    """Everybody's points by one of the methods; unknown ones are refused."""
    if method not in POINT_METHODS:
        raise InputError("victory_points", f"{method!r} is no method", ", ".join(POINT_METHODS))
    return {name: POINT_METHODS[method](counted, part) for name, part in counted.battle.participants.items()}


def _by_rout_order(counted: Counted, part: Participant) -> Tally:
    """A point for each who routed before; those who never did come after all who did (ruling 147)."""
    others = counted.battle.participants.values()
    earlier = sum(0 < other.routed < (part.routed or inf) for other in others)
    return Tally((("routed before", earlier),))


def _winner_takes(counted: Counted, part: Participant) -> Tally:
    """As many points as there are players for whoever won, each ally included; nothing for the others."""
    if part.result in VICTORIES:
        return Tally((("victory", len(counted.battle.participants)),))
    return Tally()


def _by_scenario(counted: Counted, part: Participant) -> Tally:
    return Tally((("scenario", part.scenario_points),))


def _by_achievements(counted: Counted, part: Participant) -> Tally:
    names = achievements(counted, part.warband)
    return Tally(tuple((name, counted.pack.achievements[name].points) for name in names))


POINT_METHODS: dict[str, Callable[[Counted, Participant], Tally]] = {
    ROUT_ORDER: _by_rout_order,
    WINNER_TAKES: _winner_takes,
    ACHIEVEMENTS: _by_achievements,
    SCENARIO: _by_scenario,
}


def achievements(counted: Counted, me: str) -> list[str]:
    """What a warband achieved: what was reported and what the report proves, each once, in the table's order.

    Where the report itself says whether something happened (who won), a claim against it does not count.
    """
    claimed = set(counted.battle.participants[me].achievements)
    for name in claimed:
        if name not in counted.pack.achievements:
            raise InputError("achievements", f"{name!r} is none", ", ".join(counted.pack.achievements))
    proven = {name for name, proof in PROOFS.items() if proof(counted, me)}
    won = counted.battle.participants[me].result in VICTORIES
    refuted = set(DECIDED) if won else {*DECIDED, AT_A_PRICE}
    names = (claimed - refuted | proven) - set(counted.earlier.get(me, ()))
    return [name for name in counted.pack.achievements if name in names]


def _won_alone(counted: Counted, me: str) -> bool:
    """Not with allies, whatever the report calls it (ruling 133)."""
    part = counted.battle.participants[me]
    return part.result == WON and not part.allies


def _won_allied(counted: Counted, me: str) -> bool:
    part = counted.battle.participants[me]
    return part.result in VICTORIES and not _won_alone(counted, me)


def _won_with_few(counted: Counted, me: str) -> bool:
    """With a quarter of the models left or less; of the models that took part."""
    part, warband = counted.battle.participants[me], counted.warbands.get(me)
    if warband is None or part.result not in VICTORIES:
        return False
    models = sum(fighter.models for fighter in warband.fighters.values() if part.deed(fighter.id).took_part)
    lost = sum(deed.out_of_action for deed in part.deeds.values())
    return models > 0 and 4 * (models - lost) <= models


def _victims(counted: Counted, me: str) -> Iterator[tuple[Warband, Fighter, Deed]]:
    """Enemies that went down to this warband, as far as reports name who did it."""
    allies = counted.battle.participants[me].allies
    for name, part in counted.battle.participants.items():
        if name == me or name in allies or name not in counted.warbands:
            continue
        warband = counted.warbands[name]
        for key, deed in part.deeds.items():
            if deed.out_of_action and deed.by.warband == me and key in warband.fighters:
                yield warband, warband.fighters[key], deed


def _took_out_large(counted: Counted, me: str) -> bool:
    kinds = (counted.pack.fighters.get(fighter.type) for _, fighter, _ in _victims(counted, me))
    return any(kind is not None and kind.large for kind in kinds)


def _took_out_leader(counted: Counted, me: str) -> bool:
    return any(fighter.id == warband.leader for warband, fighter, _ in _victims(counted, me))


def _took_out_caster(counted: Counted, me: str) -> bool:
    return any(fighter.has_rule(WIZARD) or fighter.has_rule(PRIEST) for _, fighter, _ in _victims(counted, me))


def _shot_somebody(counted: Counted, me: str) -> bool:
    mine = counted.battle.participants[me].deeds.values()
    return any(deed.ranged_kills for deed in mine) or any(deed.by.how == RANGED for *_, deed in _victims(counted, me))


PROOFS: dict[str, Callable[[Counted, str], bool]] = {
    SOLE: _won_alone,
    ALLIED: _won_allied,
    AT_A_PRICE: _won_with_few,
    "Giant-slayer": _took_out_large,
    "Head of the snake": _took_out_leader,
    "Spell-breaker": _took_out_caster,
    "Sharpshooter": _shot_somebody,
}
"""What a report can prove. The others of the table have to be claimed (ruling 148)."""


# Standings --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Record:
    """What a warband has to show at the end, or so far."""

    warband: str
    rating: float = 0
    points: int = 0
    markers: int = 0
    wins: int = 0
    battles: int = 0
    last_result: str = ""
    last_routed: int = 0
    """Result of its last battle and its place in the order of routing there, for a campaign with a final battle."""
    achieved: frozenset[str] = frozenset()
    stage: int = 0
    """How far up it has come, in a campaign that is a ladder; nothing in any other."""


def records(
    battles: Sequence[Counted], ratings: Mapping[str, float], settings: CampaignSettings, points: str = ACHIEVEMENTS
) -> dict[str, Record]:
    """The records of all warbands with a rating, from their battles in order."""
    found = {name: Record(name, rating) for name, rating in ratings.items()}
    once = settings.achievements_once_per == "campaign"
    for battle in battles:
        earlier = {name: record.achieved for name, record in found.items()} if once else {}
        counted = replace(battle, earlier=earlier)
        for name, tally in victory_points(counted, points).items():
            if name in found:
                found[name] = _after(found[name], counted.battle.participants[name], tally)
    return found


def _after(record: Record, part: Participant, tally: Tally) -> Record:
    return replace(
        record,
        points=record.points + tally.total,
        markers=record.markers + part.markers,
        wins=record.wins + (part.result in VICTORIES),
        battles=record.battles + 1,
        last_result=part.result,
        last_routed=part.routed,
        achieved=record.achieved | {name for name, _ in tally.lines},
    )


_RESULTS = {WON: 3, WON_ALLIED: 2, DRAWN: 1, LOST: 0, "": -1}

STANDINGS: dict[str, Callable[[Record], tuple[float, ...]]] = {
    RATING: lambda record: (record.stage, record.rating, record.wins, -record.battles),
    FINAL_BATTLE: lambda record: (
        _RESULTS[record.last_result],
        record.last_routed or inf,
        record.stage,
        record.rating,
    ),
    POINTS: lambda record: (record.stage, record.points, record.wins, record.rating),
    MARKERS: lambda record: (record.stage, record.markers, record.wins, record.rating),
}
"""What decides, and then what breaks ties. The rulebook has no tie-breakers; these are ours (ruling 149).

- `rating`: the warband rating (2.4.1), then victories, then fewer battles;
- `final_battle`: won alone, won allied, drawn, lost (2.4.2), then who routed later or never, then the rating;
- `points`: victory points (2.4.3), then victories, then the rating;
- `markers`: campaign markers (2.4.4), then victories, then the rating.

On a ladder the stage comes first; only what a final battle tells apart comes before it.
"""


@dataclass(frozen=True)
class Place:
    """A place in the standings; equal records share one, and the next ones are free."""

    place: int
    record: Record


def standings(found: Collection[Record], method: str) -> list[Place]:
    """Best first, by one of the methods; unknown ones are refused."""
    if method not in STANDINGS:
        raise InputError("standings", f"{method!r} is no way to win a campaign", ", ".join(STANDINGS))
    score = STANDINGS[method]
    by_name = sorted(found, key=lambda record: record.warband)
    ordered = sorted(by_name, key=score, reverse=True)
    places: list[Place] = []
    for number, record in enumerate(ordered, 1):
        shared = bool(places) and score(record) == score(places[-1].record)
        places.append(Place(places[-1].place if shared else number, record))
    return places


def winners(found: Collection[Record], method: str) -> list[str]:
    """Who is first; several if nothing tells them apart."""
    return sorted(entry.record.warband for entry in standings(found, method) if entry.place == 1)


# Routing ----------------------------------------------------------------------------------------------


def rout_losses(models: int, percent: int = USUAL_ROUT_PERCENT) -> int:
    """From how many models out of action on a warband of so many checks for rout; the delayed are not counted."""
    return max(1, -(-models * percent // 100))


def rout_tester(warband: Warband, out: Collection[str], pack: Pack) -> str:
    """Who takes the rout check: the leader, or if he cannot the hero with the highest Discipline who can.

    `out` are removed from the table or stunned. Nobody, and the check is failed, if there is no such hero.
    """
    able = [hero for hero in heroes(warband) if _can_test(hero, out, pack)]
    for hero in able:
        if hero.id == warband.leader:
            return hero.id
    return max(able, key=lambda hero: hero.profile["Dis"]).id if able else ""


def _can_test(hero: Fighter, out: Collection[str], pack: Pack) -> bool:
    """Delayed leaders are no part of the warband (ruling 68); Not a Leader never takes the check (17.2)."""
    if hero.id in out or hero.delayed or hero.captive_of:
        return False
    return not has_rule(hero, "Not a Leader", pack)
