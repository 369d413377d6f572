"""The game master calls the battle that a campaign ends with."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Battle, Campaign
from campaigns.people import lock_open, refuse_unless_runs
from campaigns.services.propose_battle import propose_battle
from rules.engine.errors import RuleViolation

MOST = 8


def final_battle(campaign: Campaign) -> Battle | None:
    """The one that was called, unless it was voided."""
    return campaign.battles.filter(is_final=True).exclude(state=Battle.State.VOID).first()


@transaction.atomic
def call_final_battle(*, actor: User, campaign: Campaign, warbands: Sequence[int]) -> Battle:
    """Nobody is asked; what is left to find is a date. It has the campaign's own rout limit for final battles."""
    row = lock_open(campaign)
    refuse_unless_runs(row, actor)
    called = final_battle(row)
    if called is not None:
        raise RuleViolation(
            "final_called", _("Battle %(number)s is the final battle already.") % {"number": called.number}
        )
    return propose_battle(actor=actor, campaign=row, warbands=warbands, is_final=True, at_once=True)
