"""All battles of a round are over: it is closed."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Round
from campaigns.rounds import battle_numbers, hold_round
from campaigns.services.move_battle import OVER
from campaigns.telling import settle, tell
from rules.engine.errors import RuleViolation


def matter(turn: Round) -> str:
    """What the notices about a round wait for."""
    return f"round/{turn.pk}"


@transaction.atomic
def close_round(*, actor: User, turn: Round, version: int | None = None) -> Round:
    held = hold_round(turn, actor, version, Round.State.PUBLISHED)
    going = held.turn.battles.exclude(state__in=OVER).order_by("number")
    numbers = list(going.values_list("number", flat=True))
    if numbers:
        sentence = _("The round is not over: finish or void %(battles)s first.")
        raise RuleViolation("battles_open", sentence % {"battles": battle_numbers(numbers)})
    return close(held.turn, actor)


def close(turn: Round, actor: User) -> Round:
    """The row is locked, or its campaign is."""
    turn.state, turn.closed = Round.State.CLOSED, timezone.now()
    turn.version += 1
    turn.save(update_fields=["state", "closed", "version"])
    settle(matter(turn))
    tell(campaign=turn.campaign, kind="round_closed", actor=actor, round=turn.number)
    return turn
