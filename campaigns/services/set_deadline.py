"""Until when the battles of a round should be over."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from campaigns.dates import refuse_past
from campaigns.models import Round
from campaigns.rounds import hold_round


@transaction.atomic
def set_deadline(*, actor: User, turn: Round, deadline: datetime | None, version: int | None = None) -> Round:
    held = hold_round(turn, actor, version, Round.State.DRAFT, Round.State.PUBLISHED)
    refuse_past(deadline)
    held.turn.deadline = deadline
    held.turn.version += 1
    held.turn.save(update_fields=["deadline", "version"])
    return held.turn
