"""A player tells what happened at the table, in words, with a picture if they like."""

import secrets

from django.core.files.base import ContentFile
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.urls import reverse

from accounts.models import User
from campaigns.battles import open_battle
from campaigns.models import Battle, Story
from campaigns.stories import Words, checked, refuse_void
from campaigns.telling import notify, players_of, tell
from warbands.portraits import as_webp


def tell_story(
    *, actor: User, battle: Battle, text: str, picture: "UploadedFile[bytes] | None" = None, alt: str = ""
) -> Story:
    """A picture is decoded before the lock, because that takes a while."""
    words = checked(text, alt, with_picture=picture is not None)
    drawn = as_webp(picture) if picture is not None else None
    with transaction.atomic():
        locked, _standing = open_battle(battle, actor)
        refuse_void(locked)
        story = _written(actor, locked, words, drawn)
        tell(campaign=locked.campaign, kind="story_told", actor=actor, battle=locked, story=story.pk)
        _notify(actor, locked, story)
    return story


def _written(actor: User, battle: Battle, words: Words, drawn: "ContentFile[bytes] | None") -> Story:
    story = Story(battle=battle, author=actor, text=words.text, alt=words.alt if drawn else "")
    if drawn is not None:
        story.picture.save(f"{secrets.token_urlsafe(24)}.webp", drawn, save=False)
    story.save()
    return story


def _notify(actor: User, battle: Battle, story: Story) -> None:
    others = set(players_of(battle)) - {actor.pk}
    address = f"{reverse('battle', args=[battle.campaign_id, battle.number])}#story-{story.pk}"
    notify(others, kind="story_told", campaign=battle.campaign, address=address, actor=actor.name, number=battle.number)
