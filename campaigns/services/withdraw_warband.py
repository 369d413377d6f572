"""A warband that has not fought in a campaign gives its place back."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Battle, Campaign
from campaigns.people import enrolled, lock_open
from campaigns.services.touch_campaign import touch_campaign
from campaigns.telling import tell
from rules.engine.errors import RuleViolation
from warbands.models import Warband
from warbands.services.apply_changes import lock_warbands


@transaction.atomic
def withdraw_warband(*, actor: User, campaign: Campaign, warband: Warband) -> None:
    """The owner, or whoever runs the campaign."""
    row = lock_open(campaign)
    locked = lock_warbands([warband.pk]).get(warband.pk)
    place = enrolled(row).filter(warband=locked).first()
    if locked is None or place is None:
        raise RuleViolation("not_enrolled", _("This warband is not in the campaign."))
    if locked.owner_id != actor.pk and not row.memberships.filter(person=actor, role__in=("gm", "co_gm")).exists():
        raise RuleViolation("not_yours", _("This warband is not yours."))
    if row.battles.exclude(state=Battle.State.VOID).filter(participations__warband=locked).exists():
        sentence = _("It has a battle in this campaign. Its player can leave the campaign once that is over.")
        raise RuleViolation("has_fought", sentence)
    place.delete()
    touch_campaign(campaign=row)
    tell(campaign=row, kind="warband_withdrawn", actor=actor, warband=locked)
