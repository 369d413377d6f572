"""What the campaign of a warband sets differently. The link is the campaign's: a warband only follows it back."""

import msgspec
from django.db.models import Case, Value, When

from rules.engine.settings import CampaignSettings
from warbands.models import Warband


def settings_for(warband: Warband) -> CampaignSettings:
    """Of the campaign it is in, the newest running one first; the rulebook's where it is in none. One query."""
    running_first = Case(When(campaign__status="running", then=Value(0)), default=Value(1))
    places = warband.enrolments.filter(left=None).order_by(running_first, "-joined", "-pk")
    overrides = places.values_list("campaign__overrides", flat=True).first()
    return msgspec.convert(overrides or {}, CampaignSettings, strict=False)
