"""What game masters announced, for the pages that show it."""

from campaigns.chronicle_page import Told
from campaigns.models import Campaign

LONGEST_TITLE, LONGEST_TEXT = 100, 5_000


def latest_announcement(campaign: Campaign) -> Told | None:
    """The newest one; one query."""
    event = campaign.events.filter(kind="announcement").order_by("-time", "-pk").first()
    return Told(event) if event else None
