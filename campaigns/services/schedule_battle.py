"""The game master says that a battle is on, whoever has not answered yet."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.battles import open_battle
from campaigns.models import Battle
from campaigns.services.answer_battle import schedule
from campaigns.services.move_battle import refuse_unless
from rules.engine.errors import RuleViolation


@transaction.atomic
def schedule_battle(*, actor: User, battle: Battle, version: int | None = None) -> Battle:
    locked, standing = open_battle(battle, actor, version)
    if not standing.runs_it:
        raise RuleViolation("not_yours", _("Only the game master can do that."))
    refuse_unless(locked, Battle.State.PROPOSED)
    locked.participations.filter(accepted=None).update(accepted=timezone.now())
    return schedule(locked, actor)
