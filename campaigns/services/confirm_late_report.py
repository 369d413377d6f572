"""A report that nobody answered in time counts as confirmed."""

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from campaigns.models import Battle, Campaign
from campaigns.report_rows import read_table
from campaigns.reporting import Answer
from campaigns.services.confirm_report import finish_report, give_answer


def late_reports() -> QuerySet[Battle]:
    """Whose time is over, in campaigns that still run."""
    waiting = Battle.objects.filter(state=Battle.State.REPORTED, confirms_itself__lte=timezone.now())
    return waiting.exclude(campaign__status=Campaign.Status.ENDED)


@transaction.atomic
def confirm_late_report(*, battle: int, actor: None = None) -> bool:
    """Whether it was confirmed now. What somebody else has in hand at this moment is left for the next time."""
    found = late_reports().filter(pk=battle).first()
    if found is None:
        return False
    campaign = Campaign.objects.select_for_update(skip_locked=True, no_key=True).filter(pk=found.campaign_id).first()
    locked = late_reports().select_for_update(skip_locked=True, of=("self",), no_key=True).filter(pk=battle).first()
    if campaign is None or locked is None:
        return False
    locked.campaign = campaign
    table = read_table(locked)
    give_answer(table.unanswered, actor, Answer.CONFIRMED)
    finish_report(table, actor, kind="report_confirmed_itself")
    return True
