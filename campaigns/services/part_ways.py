"""A battle is over: who died out has left, those on a ladder go on, and nobody need look at it any more."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import Battle, Event, Participation
from campaigns.services.climb import climb
from campaigns.services.touch_campaign import touch_campaign
from campaigns.telling import event_of, settle
from rules.engine.state import Warband as State
from warbands.models import Warband
from warbands.statements import send

BURY = """
WITH gone AS (UPDATE warbands_warband SET status = %s WHERE id = ANY(%s) RETURNING id)
UPDATE campaigns_enrolment place SET "left" = %s, left_why = %s
FROM gone WHERE place.warband_id = gone.id AND place.campaign_id = %s AND place.left IS NULL
"""


def part_ways(
    *, battle: Battle, parts: Sequence[Participation], states: Mapping[str, State], unseen: bool = False,
    acted: bool = False,
) -> list[Event]:  # fmt: skip
    """The battle is locked by whoever calls, who writes what is told of it. `unseen`: nobody waited for it.

    Standings are kept under the versions of the campaign and of its warbands. Where somebody has `acted` in the same
    transaction, the latter have changed. If not, the campaign is touched when all of this is written: its own row
    comes before battles in the lock order.
    """
    told = _bury(battle, [part for part in parts if not states[str(part.warband_id)].fighters])
    told += climb(battle=battle, parts=parts)
    if not unseen:
        settle(f"postgame:{battle.pk}")
    if not acted:
        transaction.on_commit(lambda: touch_campaign(campaign=battle.campaign_id))
    return told


def _bury(battle: Battle, gone: Sequence[Participation]) -> list[Event]:
    """Their places stay in the standings; their players may begin other ones."""
    if gone:
        keys = [part.warband_id for part in gone]
        send(BURY, Warband.Status.RETIRED.value, keys, timezone.now(), _("died out"), battle.campaign_id)
    return [
        event_of(campaign=battle.campaign, kind="warband_died_out", actor=None, battle=battle, warband=part.warband)
        for part in gone
    ]
