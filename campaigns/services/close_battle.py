"""The last post-game is done: the battle is closed, and its seed is open."""

from django.utils import timezone

from campaigns.models import Battle
from campaigns.services.move_battle import move_battle


def close_battle(*, battle: Battle) -> Battle:
    """The row is locked by whoever calls, who has told of it; all runs are finished."""
    return move_battle(battle=battle, to=Battle.State.CLOSED, closed_at=timezone.now(), shared_dice=battle.shared_dice)
