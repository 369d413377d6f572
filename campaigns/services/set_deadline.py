"""Until when the battles of a round should be over."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Round
from campaigns.rounds import hold_round
from rules.engine.errors import RuleViolation


@transaction.atomic
def set_deadline(*, actor: User, turn: Round, deadline: datetime | None, version: int | None = None) -> Round:
    held = hold_round(turn, actor, version, Round.State.DRAFT, Round.State.PUBLISHED)
    refuse_past(deadline)
    held.turn.deadline = deadline
    held.turn.version += 1
    held.turn.save(update_fields=["deadline", "version"])
    return held.turn


def refuse_past(deadline: datetime | None) -> None:
    if deadline is not None and deadline < timezone.now():
        raise RuleViolation("past", _("This date has passed. Choose a later one."))
