"""Whoever told a story tells it better."""

import secrets

from django.core.files.base import ContentFile
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.battles import refuse_over
from campaigns.locks import lock_campaign
from campaigns.models import Story
from campaigns.stories import checked
from rules.engine.errors import RuleViolation
from warbands.portraits import as_webp


def version_of(story: Story) -> str:
    """What a form was made for: when the story was last written."""
    return (story.edited or story.made).isoformat()


def edit_story(
    *,
    actor: User,
    story: Story,
    text: str,
    picture: "UploadedFile[bytes] | None" = None,
    without_picture: bool = False,
    alt: str = "",
    expected_version: str = "",
) -> None:
    drawn = as_webp(picture) if picture is not None else None
    with transaction.atomic():
        refuse_over(lock_campaign(story.battle.campaign_id))
        row = Story.objects.select_for_update().filter(pk=story.pk, author=actor).first()
        refuse_stale_story(row, expected_version)
        assert row is not None
        keeps = bool(row.picture) and not without_picture
        words = checked(text, alt, with_picture=drawn is not None or keeps)
        if drawn is not None or without_picture:
            _replace_picture(row, drawn)
        row.text, row.alt, row.edited = words.text, words.alt if row.picture else "", timezone.now()
        row.save(update_fields=["text", "picture", "alt", "edited"])


def refuse_stale_story(row: Story | None, expected: str) -> None:
    if row is None:
        raise RuleViolation("story_gone", _("This story is gone."))
    if expected and expected != version_of(row):
        raise RuleViolation("stale", _("The story has changed since you opened the page. Look at it, then save again."))


def _replace_picture(row: Story, drawn: "ContentFile[bytes] | None") -> None:
    """The old file goes when the transaction holds; until then somebody may still be shown it."""
    old, storage = row.picture.name, row.picture.storage
    row.picture = ""
    if drawn is not None:
        row.picture.save(f"{secrets.token_urlsafe(24)}.webp", drawn, save=False)
    if old:
        transaction.on_commit(lambda: storage.delete(old))
