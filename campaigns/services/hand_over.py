"""The campaign gets another game master; the old one stays as co-game master."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Campaign, Membership
from campaigns.people import lock_open, member, refuse_unless_gm
from campaigns.telling import notify, tell
from rules.engine.errors import RuleViolation

Role = Membership.Role


@transaction.atomic
def hand_over(*, actor: User, campaign: Campaign, person: User) -> Membership:
    row = lock_open(campaign)
    own = refuse_unless_gm(row, actor)
    heir = member(row, person)
    if heir == own:
        raise RuleViolation("same_person", _("You are the game master already."))
    if not person.is_active:
        raise RuleViolation("cannot_sign_in", _("%(name)s cannot sign in.") % {"name": person.name})
    own.role = Role.CO_GM
    own.save(update_fields=["role"])
    crown(heir)
    tell(campaign=row, kind="handed_over", actor=actor, person=person.name)
    return heir


def crown(heir: Membership) -> None:
    """There is one game master at a time: whoever was it is none by now."""
    heir.role = Role.GM
    heir.save(update_fields=["role"])
    address = heir.campaign.get_absolute_url()
    role = str(Role.GM.label)
    notify([heir.person_id], kind="role_changed", campaign=heir.campaign, address=address, role=role)
