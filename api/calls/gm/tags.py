"""What calls about deeds by hand share: addresses, reasons, and warbands by their version."""

from typing import Annotated

from django.shortcuts import get_object_or_404
from msgspec import Meta

from api.call import Ask, Tagged
from api.shapes import In
from campaigns.access import Place, place_to_run
from campaigns.people import enrolled
from warbands.models import Warband
from warbands.services.void import LONGEST_REASON

CAMPAIGN = "campaigns/{campaign}"
BAND = f"{CAMPAIGN}/warbands/{{warband}}"
WhyByHand = Annotated[str, Meta(min_length=1, max_length=LONGEST_REASON, description="Everybody can read it.")]


def banded(ask: Ask, campaign: int, warband: int) -> Tagged:
    """A warband that plays in a campaign, for those who run that."""
    place = place_to_run(ask.person, campaign)
    found = get_object_or_404(enrolled(place.campaign).select_related("warband__owner"), warband_id=warband)
    return Tagged((place, found.warband), found.warband.version, f"by-hand-{warband}-{found.warband.owner_id}")


class ReasonGiven(In):
    reason: WhyByHand


def band_of(ask: Ask) -> tuple[Place, Warband]:
    found: tuple[Place, Warband] = ask.thing
    return found
