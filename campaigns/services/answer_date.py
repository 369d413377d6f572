"""A player of a battle can come on a date, or cannot."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.battles import open_battle
from campaigns.dates import gone, refuse_begun, waits_for_dates
from campaigns.models import Battle, DateAnswer, DateProposal, Notice
from campaigns.telling import players_of
from rules.engine.errors import RuleViolation


@transaction.atomic
def answer_date(*, actor: User, proposal: DateProposal, can: bool, expected_version: int | None = None) -> None:
    """Answering again changes the answer. Once every date is answered, nobody asks this person any more."""
    locked, _standing = open_battle(proposal.battle, actor, expected_version)
    refuse_begun(locked)
    if not DateProposal.objects.filter(pk=proposal.pk).exists():
        raise gone()
    if actor.pk not in players_of(locked):
        raise RuleViolation("not_in_battle", _("Only those who fight this battle say when they can."))
    DateAnswer.objects.update_or_create(proposal=proposal, person=actor, defaults={"can": can})
    _settle_own(actor, locked)


def _settle_own(actor: User, battle: Battle) -> None:
    if not battle.dates.exclude(answers__person=actor).exists():
        waiting = Notice.objects.filter(person=actor, matter=waits_for_dates(battle), read=None)
        waiting.update(read=timezone.now())
