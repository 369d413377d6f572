"""From gathering to running."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Campaign
from campaigns.people import enrolled, lock_open, refuse_unless_runs
from campaigns.telling import notify, tell
from rules.engine.errors import RuleViolation

FEWEST = 2


def missing(campaign: Campaign) -> list[str]:
    """What has to come first; nothing if it can begin."""
    count = enrolled(campaign).count()
    wants = []
    if count < FEWEST:
        words = {"fewest": FEWEST, "count": count}
        wants.append(_("At least %(fewest)s warbands have to enrol; %(count)s did so far.") % words)
    if campaign.kind == Campaign.Kind.LADDER and not campaign.stages.filter(is_start=True).exists():
        wants.append(_("The ladder has no stage to start from yet."))
    return wants


@transaction.atomic
def begin_campaign(*, actor: User, campaign: Campaign) -> Campaign:
    row = lock_open(campaign)
    refuse_unless_runs(row, actor)
    if row.is_running:
        raise RuleViolation("begun_already", _("The campaign has begun already."))
    wants = missing(row)
    if wants:
        raise RuleViolation("not_ready", " ".join(wants))
    row.status, row.begun = Campaign.Status.RUNNING, timezone.now()
    row.version += 1
    row.save(update_fields=["status", "begun", "version"])
    enrolled(row).filter(stage=None).update(stage=row.stages.filter(is_start=True).first())
    tell(campaign=row, kind="campaign_begun", actor=actor)
    people = row.memberships.exclude(person=actor).values_list("person_id", flat=True)
    notify(people, kind="campaign_begun", campaign=row, address=row.get_absolute_url())
    return row
