"""Somebody is asked to leave; what they fought stays."""

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Campaign, Membership
from campaigns.people import lock_open, member, refuse_unless_gm, refuse_unless_runs
from campaigns.services.change_role import refuse_other_role
from campaigns.services.leave_campaign import take_out
from campaigns.telling import notify, tell
from rules.engine.errors import RuleViolation

Role = Membership.Role


@transaction.atomic
def remove_member(*, actor: User, campaign: Campaign, person: User, was: str = "") -> None:
    """`was` is what they were when somebody looked."""
    row = lock_open(campaign)
    refuse_unless_runs(row, actor)
    there = member(row, person)
    refuse_other_role(there, was)
    if there.person_id == actor.pk:
        raise RuleViolation("yourself", _("You cannot remove yourself. You can leave."))
    if there.role == Role.GM:
        raise RuleViolation("is_game_master", _("Nobody can remove the game master."))
    if there.role == Role.CO_GM:
        refuse_unless_gm(row, actor)
    take_out(row, there, _("removed"))
    tell(campaign=row, kind="person_removed", actor=actor, person=person.name)
    notify([person], kind="removed", campaign=row, address=reverse("home"))
