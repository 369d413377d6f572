"""A story is taken back: by whoever told it, or by a game master."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.access import RUNNERS
from campaigns.models import Event, Membership, Story
from campaigns.services.edit_story import refuse_stale_story
from rules.engine.errors import RuleViolation


@transaction.atomic
def delete_story(*, actor: User, story: Story, expected_version: str = "") -> None:
    """Also when the campaign is over: what somebody wrote is theirs. The chronicle forgets that it was told."""
    row = Story.objects.select_for_update(of=("self",)).select_related("battle").filter(pk=story.pk).first()
    if row is None:
        return
    refuse_stale_story(row, expected_version)
    runs = Membership.objects.filter(campaign=row.battle.campaign_id, person=actor, role__in=RUNNERS).exists()
    if row.author_id != actor.pk and not runs:
        raise RuleViolation("not_your_story", _("Only whoever told the story, or a game master, may delete it."))
    old, storage = row.picture.name, row.picture.storage
    Event.objects.filter(battle=row.battle, kind="story_told", data__story=row.pk).delete()
    row.delete()
    if old:
        transaction.on_commit(lambda: storage.delete(old))
