"""A calendar gets an address that nobody can guess; the one before it leads nowhere from now on."""

from django.db import transaction

from accounts.models import User
from campaigns.models import CalendarFeed, Campaign
from campaigns.models.campaign import new_token
from campaigns.people import member


@transaction.atomic
def renew_feed(*, actor: User, campaign: Campaign | None = None) -> CalendarFeed:
    """Of one campaign that the person is in, or of all of them."""
    if campaign is not None:
        member(campaign, actor)
    User.objects.select_for_update(no_key=True).get(pk=actor.pk)
    feed, _made = CalendarFeed.objects.update_or_create(
        person=actor, campaign=campaign, defaults={"token": new_token()}
    )
    return feed
