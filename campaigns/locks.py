"""The one lock order: campaign, battle, warbands by their keys, person. Take them in this order or not at all.

What is locked is the row and not its key: others may still write rows that point at it, such as an event of a
campaign, without waiting for whoever changes the campaign itself.
"""

from campaigns.models import Battle, Campaign
from warbands.models import Warband
from warbands.services.apply_changes import lock_warbands


def lock_campaign(campaign: Campaign | int) -> Campaign:
    pk = campaign if isinstance(campaign, int) else campaign.pk
    return Campaign.objects.select_for_update(no_key=True).get(pk=pk)


def lock_battle(battle: Battle | int) -> Battle:
    """The row, with its campaign read beside it and not locked."""
    pk = battle if isinstance(battle, int) else battle.pk
    return Battle.objects.select_for_update(of=("self",), no_key=True).select_related("campaign").get(pk=pk)


def lock_fighting(battle: Battle) -> dict[int, Warband]:
    """The warbands of a locked battle, by key."""
    return lock_warbands(battle.participations.values_list("warband_id", flat=True))
