"""The last post-game is done: the battle is closed, its seed is open, and who died out has left."""

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import Battle, Enrolment
from campaigns.services.climb import climb
from campaigns.services.move_battle import move_battle
from campaigns.services.touch_campaign import touch_campaign
from campaigns.telling import settle, tell
from rules.engine.state import Warband as State
from warbands.models import Warband


def close_battle(*, battle: Battle, states: Mapping[str, State], unseen: bool = False) -> Battle:
    """The row is locked by whoever calls, who has told of it; all runs are finished. `unseen`: nobody waited for it.

    The campaign's own row comes before battles in the lock order, so it is touched when all of this is written.
    """
    move_battle(battle=battle, to=Battle.State.CLOSED, closed_at=timezone.now(), shared_dice=battle.shared_dice)
    for key, state in states.items():
        if not state.fighters:
            _bury(battle, int(key))
    climb(battle=battle)
    if not unseen:
        settle(f"postgame:{battle.pk}")
    transaction.on_commit(lambda: touch_campaign(campaign=battle.campaign_id))
    return battle


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
