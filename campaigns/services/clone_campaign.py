"""The same again: a new campaign with the settings, the kind and the ladder of another."""

from django.db import transaction

from accounts.models import User
from campaigns.models import Campaign, Stage, Way
from campaigns.people import refuse_unless_runs
from campaigns.services.create_campaign import create_campaign


@transaction.atomic
def clone_campaign(*, actor: User, campaign: Campaign, name: str) -> Campaign:
    """People, warbands and battles stay where they are; one that has ended serves as well."""
    refuse_unless_runs(campaign, actor)
    made = create_campaign(
        actor=actor,
        name=name,
        motto=campaign.motto,
        kind=campaign.kind,
        house=campaign.house_rules,
        overrides=campaign.settings,
    )
    _copy_ladder(campaign, made)
    return made


def _copy_ladder(old: Campaign, new: Campaign) -> None:
    stages = list(old.stages.all())
    copies = {
        stage.pk: Stage(
            campaign=new, key=stage.key, name=stage.name, note=stage.note, is_start=stage.is_start,
            position=stage.position,
        )
        for stage in stages
    }  # fmt: skip
    Stage.objects.bulk_create(copies.values())
    ways = Way.objects.filter(stage__in=stages)
    Way.objects.bulk_create(Way(stage=copies[way.stage_id], to=copies[way.to_id], on=way.on) for way in ways)
