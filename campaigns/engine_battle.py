"""A confirmed report as the engine reads it."""

from collections.abc import Iterable

from campaigns.models import Battle, Deed, Participation
from rules.engine import battle as engine


def engine_battle(battle: Battle, participations: Iterable[Participation]) -> engine.Battle:
    """`participations` come with their deeds; warbands are known to the engine by their keys as text."""
    parts = {str(part.warband_id): _participant(part) for part in participations}
    return engine.Battle(battle.key, parts, battle.scenario)


def parts_of(battle: Battle) -> list[Participation]:
    """In two queries, whatever the number of fighters."""
    return list(battle.participations.select_related("warband").prefetch_related("deeds"))


def _participant(part: Participation) -> engine.Participant:
    return engine.Participant(
        warband=str(part.warband_id),
        rating=float(part.rating_before),
        result=part.result or engine.LOST,
        allies=tuple(map(str, part.allies)),
        fought=tuple(map(str, part.fought)),
        routed=part.routed,
        deeds={deed.fighter: _deed(deed) for deed in part.deeds.all()},
        achievements=tuple(part.achievements),
        markers=part.markers,
        scenario_points=part.scenario_points,
    )


def _deed(deed: Deed) -> engine.Deed:
    by = engine.Cause(str(deed.by_warband_id or ""), deed.by_fighter, deed.by_species, deed.how)
    return engine.Deed(
        took_part=deed.took_part,
        out_of_action=deed.out_of_action,
        by=by,
        melee_kills=deed.melee_kills,
        ranged_kills=deed.ranged_kills,
        scenario_experience=deed.scenario_experience,
    )
