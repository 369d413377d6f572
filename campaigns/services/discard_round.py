"""A draft that nobody needs goes away. It was never told to anybody."""

from django.db import transaction

from accounts.models import User
from campaigns.models import Round
from campaigns.rounds import hold_round


@transaction.atomic
def discard_round(*, actor: User, turn: Round, version: int | None = None) -> None:
    hold_round(turn, actor, version, Round.State.DRAFT).turn.delete()
