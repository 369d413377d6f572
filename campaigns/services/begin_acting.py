"""A game master begins to act for a player of the campaign. Everybody can read it."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Campaign, Membership
from campaigns.people import lock_open, member, refuse_unless_runs
from campaigns.telling import notify, tell
from rules.engine.errors import RuleViolation
from warbands.services.void import checked_reason


@transaction.atomic
def begin_acting(*, actor: User, campaign: Campaign, person: User, reason: str) -> Membership:
    """For plain players only: nobody gets what they may not do by acting for those who run it."""
    why = checked_reason(reason)
    row = lock_open(campaign)
    refuse_unless_runs(row, actor)
    there = member(row, person)
    if there.role != Membership.Role.PLAYER or person == actor:
        sentence = _("%(name)s is no player of this campaign. You can act for players only.")
        raise RuleViolation("no_player", sentence % {"name": person.name})
    tell(campaign=row, kind="gm_acts_begun", actor=actor, person=person.name, reason=why)
    notify([person], kind="gm_acts_begun", campaign=row, address=row.get_absolute_url(), actor=actor.name, reason=why)
    return there


def end_acting(*, actor: User, campaign: Campaign, person: User) -> None:
    tell(campaign=campaign, kind="gm_acts_ended", actor=actor, person=person.name)
