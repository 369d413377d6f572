"""A battle is closed: who died out has left, those on a ladder go on, and nobody need look at it any more."""

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import Battle, Enrolment
from campaigns.services.climb import climb
from campaigns.services.touch_campaign import touch_campaign
from campaigns.telling import settle, tell
from rules.engine.state import Warband as State
from warbands.models import Warband


def part_ways(*, battle: Battle, states: Mapping[str, State], unseen: bool = False, acted: bool = False) -> None:
    """The battle is locked by whoever calls. `unseen`: nobody waited for it.

    Standings are kept under the versions of the campaign and of its warbands. Where somebody has `acted` in the same
    transaction, the latter have changed. If not, the campaign is touched when all of this is written: its own row
    comes before battles in the lock order.
    """
    for key, state in states.items():
        if not state.fighters:
            _bury(battle, int(key))
    climb(battle=battle)
    if not unseen:
        settle(f"postgame:{battle.pk}")
    if not acted:
        transaction.on_commit(lambda: touch_campaign(campaign=battle.campaign_id))


def _bury(battle: Battle, warband: int) -> None:
    """Its place stays in the standings; its player may begin another one."""
    Warband.objects.filter(pk=warband).update(status=Warband.Status.RETIRED)
    Enrolment.objects.filter(campaign=battle.campaign, warband=warband, left=None).update(
        left=timezone.now(), left_why=_("died out")
    )
    tell(
        campaign=battle.campaign, kind="warband_died_out", actor=None, battle=battle,
        warband=Warband.objects.get(pk=warband),
    )  # fmt: skip
