"""A confirmed report as the engine reads it."""

from collections.abc import Iterable

from django.db.models.expressions import RawSQL
from msgspec import Struct, json

from campaigns.models import Battle, Participation
from rules.engine import battle as engine

DEEDS = """(
  SELECT json_agg(deed ORDER BY deed.id)::text FROM campaigns_deed deed
  WHERE deed.participation_id = campaigns_participation.id
)"""


class DeedRow(Struct, frozen=True, gc=False):
    """The columns of a deed that the engine asks about."""

    fighter: str
    took_part: bool
    out_of_action: int
    by_warband_id: int | None
    by_fighter: str
    by_species: str
    how: str
    melee_kills: int
    ranged_kills: int
    scenario_experience: int


_DECODER = json.Decoder(list[DeedRow])


def engine_battle(battle: Battle, participations: Iterable[Participation]) -> engine.Battle:
    """Of what `parts_of` gives; warbands are known to the engine by their keys as text."""
    parts = {str(part.warband_id): _participant(part) for part in participations}
    return engine.Battle(battle.key, parts, battle.scenario)


def parts_of(battle: Battle) -> list[Participation]:
    """In one query, with the deeds as JSON."""
    return list(battle.participations.annotate(deeds_as_json=RawSQL(DEEDS, ())))  # noqa: S611


def _participant(part: Participation) -> engine.Participant:
    return engine.Participant(
        warband=str(part.warband_id),
        rating=float(part.rating_before),
        result=part.result or engine.LOST,
        allies=tuple(map(str, part.allies)),
        fought=tuple(map(str, part.fought)),
        routed=part.routed,
        deeds={deed.fighter: _deed(deed) for deed in _decoded(part)},
        achievements=tuple(part.achievements),
        markers=part.markers,
        scenario_points=part.scenario_points,
    )


def _decoded(part: Participation) -> "list[DeedRow]":
    text: str | None = part.deeds_as_json  # type: ignore[attr-defined]
    return _DECODER.decode(text) if text else []


def _deed(deed: "DeedRow") -> engine.Deed:
    by = engine.Cause(str(deed.by_warband_id or ""), deed.by_fighter, deed.by_species, deed.how)
    return engine.Deed(
        took_part=deed.took_part,
        out_of_action=deed.out_of_action,
        by=by,
        melee_kills=deed.melee_kills,
        ranged_kills=deed.ranged_kills,
        scenario_experience=deed.scenario_experience,
    )
