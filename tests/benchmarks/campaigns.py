"""What the pages of a large campaign cost over a bare one, with their standings worked out before."""

from collections.abc import Iterator
from functools import partial

from django.db import connection
from django.test import Client
from django.urls import reverse

from campaigns.models import Campaign
from tests.benchmarks.measure import Measurement, compare, queries_of
from tests.benchmarks.pages import BARE
from tests.campaigns.large import large_campaign
from tests.people import BACKEND


def measurements() -> Iterator[Measurement]:
    club = large_campaign(40, 200)
    for campaign, size in ((large_campaign(8, 20), "8 warbands and 20 battles"), (club, "40 warbands and 200 battles")):
        yield queries_of(f"campaign page, {size}", partial(_gm(campaign).get, campaign.get_absolute_url()), goal=15)
    yield _page("campaign page, 40 warbands, over a bare page", club, "campaign", goal=8)
    yield _page("standings of 500 warbands over a bare page", large_campaign(500, 1000), "standings", goal=3)


def _gm(campaign: Campaign) -> Client:
    """Who sees the most."""
    browser = Client()
    browser.force_login(campaign.memberships.get(role="gm").person, BACKEND)
    return browser


def _page(name: str, campaign: Campaign, route: str, goal: float) -> Measurement:
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    browser, path = _gm(campaign), reverse(route, args=[campaign.pk])
    return compare(name, partial(browser.get, path), partial(browser.get, BARE), goal=goal)
