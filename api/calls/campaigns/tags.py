"""Campaigns by their version."""

from api.call import Ask, Tagged
from campaigns.access import Place, place_for, place_to_run


def its_members(ask: Ask, campaign: int) -> Tagged:
    """A campaign, for its members. What somebody is in it is a part of what they read."""
    return _tagged(place_for(ask.person, campaign))


def its_runners(ask: Ask, campaign: int) -> Tagged:
    """A campaign, for those who run it."""
    return _tagged(place_to_run(ask.person, campaign))


def _tagged(place: Place) -> Tagged:
    assert place.membership is not None
    return Tagged(place, place.campaign.version, f"campaign-{place.campaign.pk}-{place.membership.role}")
