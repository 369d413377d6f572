"""What a page of the site costs over a bare one: the frame, a signed-in person and nothing in it."""

from collections.abc import Iterator
from functools import partial

from django.test import Client

from campaigns.demo import campaign_in_the_middle
from tests.benchmarks.measure import Measurement, compare
from tests.people import sign_in

BARE = "/nowhere/"


def measurements() -> Iterator[Measurement]:
    campaign_in_the_middle()
    browser = sign_in(Client(), "Ilse")
    yield compare("home page over a bare page", partial(browser.get, "/"), partial(browser.get, BARE), goal=3)
