"""What a page of the site costs over the barest one."""

from collections.abc import Iterator

from django.test import Client

from campaigns.demo import campaign_in_the_middle
from tests.benchmarks.measure import Measurement, compare
from tests.people import sign_in


def measurements() -> Iterator[Measurement]:
    campaign = campaign_in_the_middle()
    browser = sign_in(Client(), "Ilse")
    bare = lambda: browser.get("/healthz")  # noqa: E731
    yield compare("home, signed in, over a bare answer", lambda: browser.get("/"), bare, goal=15)
    page = campaign.get_absolute_url()
    yield compare("campaign page over a bare answer", lambda: browser.get(page), bare, goal=15)
