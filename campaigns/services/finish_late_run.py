"""Post-games that were left open past the campaign's limit are finished by policy."""

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from campaigns.models import Battle, Campaign
from campaigns.services.resolve_battle import Resolved, resolve_battle
from campaigns.telling import tell


def late_battles() -> "QuerySet[Battle]":
    """Of campaigns with a limit. It is a setting, so it is compared here and not by the database."""
    now = timezone.now()
    late = [
        campaign.pk
        for campaign in Campaign.objects.filter(status=Campaign.Status.RUNNING).only("house", "pk")
        if campaign.house_rules.run_hours
    ]
    open_battles = Battle.objects.filter(campaign__in=late, state=Battle.State.POSTGAME).select_related("campaign")
    found = [
        battle.pk
        for battle in open_battles.only("postgame_since", "campaign__house")
        if battle.postgame_since is not None
        and battle.postgame_since + timedelta(hours=battle.campaign.house_rules.run_hours) <= now
    ]
    return Battle.objects.filter(pk__in=found)


@transaction.atomic
def finish_late_run(*, battle: int) -> Resolved:
    """Reserved questions too: their time is over."""
    resolved = resolve_battle(battle=battle, actor=None, reserve=False)
    row = Battle.objects.select_related("campaign").get(pk=battle)
    tell(campaign=row.campaign, kind="postgame_time_over", actor=None, battle=row)
    return resolved
