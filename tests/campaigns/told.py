"""A battle that Ilse told a story of, for tests that only need addresses."""

from typing import Any

from campaigns.digests import unsubscribe_address
from campaigns.models import Battle, Campaign, Notice, Participation
from campaigns.services.tell_story import tell_story
from campaigns.telling import notify
from warbands.models import Warband

NUMBER = 90
"""Far behind those that other tests count."""


def addresses_of_the_chronicle(campaign: Campaign) -> dict[str, list[Any]]:
    """What the addresses of chronicle, calendar and notices name."""
    wardens = Warband.objects.get(owner__name="Ilse")
    battle = Battle.objects.create(campaign=campaign, number=NUMBER, proposed_by=wardens.owner)
    Participation.objects.create(battle=battle, warband=wardens)
    story = tell_story(actor=wardens.owner, battle=battle, text="We were there.")
    notify([wardens.owner], kind="campaign_begun", campaign=campaign, address=campaign.get_absolute_url())
    notice = Notice.objects.filter(person=wardens.owner, kind="campaign_begun").latest("pk")
    in_battle = [campaign.pk, NUMBER]
    return {
        "chronicle": [campaign.pk],
        "announce": [campaign.pk],
        "calendar": [campaign.pk],
        "dates": in_battle,
        "story_new": in_battle,
        "story_edit": [*in_battle, story.pk],
        "story_delete": [*in_battle, story.pk],
        "story_picture": ["nobody-has-this-picture.webp"],
        "feed": ["nobody-has-this-calendar"],
        "notice": [notice.pk],
        "notices_unsubscribe": [unsubscribe_address(wardens.owner).split("/")[-2]],
    }
