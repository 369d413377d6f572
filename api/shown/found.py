"""Battles, reports and runs as calls find them: through `access.py`, each with a version.

The number of a tag is the version that services compare under their lock. Its name holds what else an answer rests on,
so that an answer which has become old is never taken for a current one.
"""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Count, Sum
from django.http import Http404

from api.call import Ask, Tagged
from api.shapes import Out
from campaigns.access import Place, battle_to_walk, may_act, run_for
from campaigns.models import Battle, Deed, Membership, Participation, Run
from campaigns.offers import stand_of
from campaigns.postgame import Standing, standing_of
from warbands.models import Warband


class BandRef(Out):
    """A warband, by name."""

    id: int
    name: str


def band_ref(warband: Warband) -> BandRef:
    return BandRef(id=warband.pk, name=warband.name)


@dataclass(frozen=True)
class Fight:
    """A battle as somebody sees it."""

    place: Place
    battle: Battle
    versions: Mapping[int, int] = field(default_factory=dict)
    """Of the seats of its pre-game, by warband."""


def short(*facts: Any) -> str:
    """A few letters that differ where the facts do."""
    return f"{zlib.crc32(repr(facts).encode()):08x}"


def fight_for(ask: Ask, campaign: int, number: int) -> Fight:
    """For members, in one query: what somebody is in the campaign comes with the battle."""
    battle = battle_to_walk(ask.person, campaign, number)
    role: str = battle.role  # type: ignore[attr-defined]
    there = Membership(campaign=battle.campaign, person=ask.person, role=role)
    return Fight(Place(battle.campaign, ask.person, there), battle)


def fight_to_run(ask: Ask, campaign: int, number: int) -> Fight:
    fight = fight_for(ask, campaign, number)
    if not fight.place.runs_it:
        raise Http404
    return fight


def the_battle(ask: Ask, campaign: int, number: int) -> Tagged:
    """For members; what its warbands are and how they answered is in the tag, since a battle's row does not say."""
    return _battle(fight_for(ask, campaign, number))


def the_battle_to_run(ask: Ask, campaign: int, number: int) -> Tagged:
    return _battle(fight_to_run(ask, campaign, number))


def _battle(fight: Fight) -> Tagged:
    battle = fight.battle
    parts = Participation.objects.filter(battle=battle).order_by("pk")
    facts = list(parts.values_list("warband_id", "answer", "pregame_done", "is_fighting", "warband__version"))
    return Tagged(fight, battle.version, f"battle-{battle.pk}-{short(battle.state, facts)}")


def the_pregame(ask: Ask, campaign: int, number: int, **_more: Any) -> Tagged:
    """All seats together: what one does may open a question for another."""
    fight = fight_for(ask, campaign, number)
    battle = fight.battle
    parts = Participation.objects.filter(battle=battle).order_by("pk")
    facts = list(parts.values_list("warband_id", "version", "pregame__skip", "pregame_done", "warband__version"))
    version = battle.version + sum(row[1] for row in facts)
    seen = Fight(fight.place, battle, {row[0]: row[1] for row in facts})
    return Tagged(seen, version, f"pregame-{battle.pk}-{short(battle.state, facts)}")


def the_report(ask: Ask, campaign: int, number: int, **_more: Any) -> Tagged:
    """Its lines, its answers and its disputes."""
    return _report(fight_for(ask, campaign, number))


def the_report_to_rule(ask: Ask, campaign: int, number: int, **_more: Any) -> Tagged:
    return _report(fight_to_run(ask, campaign, number))


def _report(fight: Fight) -> Tagged:
    battle = fight.battle
    parts = list(
        Participation.objects.filter(battle=battle).order_by("pk").values_list("version", "answer", "warband__version")
    )
    lines = Deed.objects.filter(participation__battle=battle).aggregate(count=Count("pk"), versions=Sum("version"))
    facts = (battle.state, [row[1:] for row in parts], lines["count"])
    version = battle.version + sum(row[0] for row in parts) + (lines["versions"] or 0)
    return Tagged(fight, version, f"report-{battle.pk}-{short(facts)}")


# Runs -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Walk:
    """A run as somebody sees it."""

    place: Place
    battle: Battle
    run: Run
    offers: Sequence[Any] = ()
    """How those of the warband stand, for its trade."""


def _walk(ask: Ask, campaign: int, number: int, warband: int) -> tuple[Walk, Standing]:
    fight = fight_for(ask, campaign, number)
    walk = Walk(fight.place, fight.battle, run_for(fight.battle, warband))
    return walk, standing_of(fight.battle)


def _run(walk: Walk, standing: Standing) -> Tagged:
    battle, run = walk.battle, walk.run
    others = [row[:3] for row in standing]
    facts = (battle.state, sorted(battle.shared_dice), others, walk.place.campaign.status, run.warband.version)
    return Tagged(walk, run.version, f"run-{run.pk}-{short(facts)}")


def the_run(ask: Ask, campaign: int, number: int, warband: int, **_more: Any) -> Tagged:
    """For members. What others roll leaves it as it is; where they stand, and rolls for everybody, do not."""
    return _run(*_walk(ask, campaign, number, warband))


def my_run(ask: Ask, campaign: int, number: int, warband: int, **_more: Any) -> Tagged:
    """For its player alone."""
    return _run(*_my_walk(ask, campaign, number, warband))


def _my_walk(ask: Ask, campaign: int, number: int, warband: int) -> tuple[Walk, Standing]:
    walk, standing = _walk(ask, campaign, number, warband)
    if not may_act(ask.person, walk.run):
        raise Http404
    return walk, standing


def all_runs(ask: Ask, campaign: int, number: int, **_more: Any) -> Tagged:
    """Everybody's runs and offers: another tag means that something moved. A few small queries."""
    fight = fight_for(ask, campaign, number)
    battle = fight.battle
    runs = list(Run.objects.filter(battle=battle).order_by("pk").values_list("pk", "version", "waits_for", "state"))
    facts = (battle.state, sorted(battle.shared_dice), runs, stand_of(battle))
    return Tagged(fight, sum(row[1] for row in runs), f"runs-{battle.pk}-{short(facts)}")


def the_captives(ask: Ask, campaign: int, number: int, warband: int) -> Tagged:
    """For members: who holds whom is in the warbands of the battle."""
    walk, standing = _walk(ask, campaign, number, warband)
    return Tagged(walk, walk.run.version, f"captives-{walk.run.pk}-{short(walk.battle.state, standing)}")


def my_trade(ask: Ask, campaign: int, number: int, warband: int, **_more: Any) -> Tagged:
    """A warband's player trade, for its player."""
    walk, standing = _my_walk(ask, campaign, number, warband)
    found = _run(walk, standing)
    mine = stand_of(walk.battle, warband)
    return Tagged(
        replace(walk, offers=mine), found.version, f"{found.name}-{short(mine, [row[3:] for row in standing])}"
    )
