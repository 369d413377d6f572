"""Whatever changes the standings says so here: a confirmed report, a closed post-game, a void battle, an enrolment."""

from django.db.models import F

from campaigns.models import Campaign


def touch_campaign(*, campaign: Campaign | int) -> None:
    """What was worked out for the version before is not read any more."""
    pk = campaign if isinstance(campaign, int) else campaign.pk
    Campaign.objects.filter(pk=pk).update(version=F("version") + 1)
    if isinstance(campaign, Campaign):
        campaign.refresh_from_db(fields=["version"])
