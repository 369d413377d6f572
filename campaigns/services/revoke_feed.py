"""The address of a calendar leads nowhere any more."""

from accounts.models import User
from campaigns.models import CalendarFeed, Campaign


def revoke_feed(*, actor: User, campaign: Campaign | None = None) -> None:
    CalendarFeed.objects.filter(person=actor, campaign=campaign).delete()
