"""Somebody leaves a campaign with their warbands; what they fought stays."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Campaign, Membership
from campaigns.people import enrolled, lock_open, member, refuse_unsettled, unsettled
from campaigns.services.touch_campaign import touch_campaign
from campaigns.telling import notify, runners, tell
from rules.engine.errors import RuleViolation
from warbands.services.apply_changes import lock_warbands


@transaction.atomic
def leave_campaign(*, actor: User, campaign: Campaign) -> None:
    row = lock_open(campaign)
    own = member(row, actor)
    if own.role == Membership.Role.GM:
        raise RuleViolation("is_game_master", _("Hand the campaign over first: it cannot be without a game master."))
    take_out(row, own, _("left"))
    tell(campaign=row, kind="person_left", actor=actor)
    notify(runners(row), kind="person_left", campaign=row, address=row.get_absolute_url(), person=actor.name)


def take_out(campaign: Campaign, membership: Membership, why: str) -> None:
    """The campaign is locked. Enrolments stay as places that were left, because battles name their warbands."""
    theirs = enrolled(campaign).filter(warband__owner_id=membership.person_id)
    warbands = lock_warbands(theirs.values_list("warband_id", flat=True))
    refuse_unsettled(unsettled(campaign, warbands))
    theirs.update(left=timezone.now(), left_why=why)
    touch_campaign(campaign=campaign)
    membership.delete()
