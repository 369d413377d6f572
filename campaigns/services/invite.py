"""A way in for others: a link, and a code that can be read aloud."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Campaign, Invitation, Membership
from campaigns.people import lock_open, refuse_unless_gm, refuse_unless_runs
from rules.engine.errors import RuleViolation

MOST_PLACES = 200
MOST_OPEN = 50
"""So many invitations may be open at once: nobody needs more, and a mistake cannot flood anybody."""


@transaction.atomic
def invite(
    *,
    actor: User,
    campaign: Campaign,
    role: str = Membership.Role.PLAYER,
    days: int = 0,
    places: int = 0,
    email: str = "",
) -> Invitation:
    """`days` and `places`: 0 is no limit. One for an address has one place."""
    row = lock_open(campaign)
    refuse_unless_runs(row, actor)
    if role == Membership.Role.CO_GM:
        refuse_unless_gm(row, actor)
    _refuse_wrong(row, role, days, places)
    return Invitation.objects.create(
        campaign=row,
        role=role,
        email=email.strip().lower(),
        places=1 if email.strip() else places,
        expires=timezone.now() + timedelta(days=days) if days else None,
        made_by=actor,
    )


def _refuse_wrong(campaign: Campaign, role: str, days: int, places: int) -> None:
    if role not in (Membership.Role.CO_GM, Membership.Role.PLAYER, Membership.Role.SPECTATOR):
        raise RuleViolation("no_such_role", _("Nobody can be invited as that."))
    if days < 0 or places < 0 or places > MOST_PLACES:
        words = {"most": MOST_PLACES}
        raise RuleViolation("wrong_number", _("Between 0 and %(most)s may come by one invitation.") % words)
    if campaign.invitations.filter(revoked=None).count() >= MOST_OPEN:
        raise RuleViolation("too_many_invitations", _("There are many invitations already. Take some back first."))
