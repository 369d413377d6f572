"""What a campaign sets for a warband that is founded to be in it."""

from typing import Any

from campaigns.models import Campaign


def terms_of(campaign: Campaign) -> dict[str, Any]:
    """In the form in which a warband finds those of the campaign that it is in (`warbands/settings.py`)."""
    house = {"packs": campaign.house["packs"]} if campaign.house.get("packs") else {}
    return {"campaign": campaign.pk, "name": campaign.name, "overrides": campaign.overrides, "house": house}
