"""Going on without the rest of the pre-game: the game master says so, or all players do."""

from django.db import transaction

from accounts.models import User
from campaigns.battles import open_battle
from campaigns.models import Battle, Participation
from campaigns.services.finish_pregame import finish_pregame
from campaigns.services.move_battle import refuse_unless


@transaction.atomic
def skip_pregame(*, actor: User, battle: Battle, version: int | None = None, scenario: str = "") -> Battle:
    """A player's word counts for all his warbands in it; the last one's word is the deed."""
    locked, standing = open_battle(battle, actor, version)
    refuse_unless(locked, Battle.State.PREGAME)
    parts = list(locked.participations.all())
    for part in parts:
        if part.warband_id in standing.warbands:
            part.pregame = part.pregame | {"skip": True}
    Participation.objects.bulk_update(parts, ["pregame"])
    if standing.runs_it or all(part.pregame.get("skip") for part in parts):
        return finish_pregame(actor=actor, battle=locked, skipped=True, scenario=scenario)
    return locked
