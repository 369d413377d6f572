"""A date is not on offer any more."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.battles import open_battle
from campaigns.dates import refuse_begun, waits_for_dates
from campaigns.models import DateProposal
from campaigns.telling import settle
from rules.engine.errors import RuleViolation


@transaction.atomic
def withdraw_date(*, actor: User, proposal: DateProposal, expected_version: int | None = None) -> None:
    """By whoever proposed it, or who runs the campaign; a date that was settled stays with the battle."""
    battle, standing = open_battle(proposal.battle, actor, expected_version)
    refuse_begun(battle)
    if not standing.runs_it and proposal.by_id != actor.pk:
        raise RuleViolation("not_your_date", _("Whoever proposed this date takes it back, or a game master."))
    DateProposal.objects.filter(pk=proposal.pk).delete()
    if not battle.dates.exists():
        settle(waits_for_dates(battle))
