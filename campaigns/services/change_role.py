"""The game master says what somebody is in the campaign."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Campaign, Membership
from campaigns.people import enrolled, lock_open, member, refuse_unless_gm
from campaigns.telling import notify, tell
from rules.engine.errors import RuleViolation

Role = Membership.Role


@transaction.atomic
def change_role(*, actor: User, campaign: Campaign, person: User, role: str, was: str = "") -> Membership:
    """`was` is the role that the form showed."""
    row = lock_open(campaign)
    refuse_unless_gm(row, actor)
    there = member(row, person)
    _refuse_wrong(row, there, role, was)
    if there.role == role:
        return there
    there.role = role
    there.save(update_fields=["role"])
    label = str(Role(role).label)
    tell(campaign=row, kind="role_changed", actor=actor, person=person.name, role=label)
    notify([person], kind="role_changed", campaign=row, address=row.get_absolute_url(), role=label)
    return there


def _refuse_wrong(campaign: Campaign, there: Membership, role: str, was: str) -> None:
    if role not in (Role.CO_GM, Role.PLAYER, Role.SPECTATOR):
        raise RuleViolation("no_such_role", _("Choose co-game master, player or spectator."))
    if there.role == Role.GM:
        raise RuleViolation("is_game_master", _("The game master hands the campaign over instead."))
    refuse_other_role(there, was)
    if role == Role.SPECTATOR and enrolled(campaign).filter(warband__owner=there.person).exists():
        words = {"name": there.person.name}
        raise RuleViolation("has_a_warband", _("%(name)s has a warband here. A spectator has none.") % words)


def refuse_other_role(there: Membership, was: str) -> None:
    if was and was != there.role:
        words = {"name": there.person.name, "role": there.get_role_display()}
        raise RuleViolation("stale", _("%(name)s is %(role)s by now. Look again first.") % words)
