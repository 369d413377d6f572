"""What the market costs: its list of everything, and a press, over a bare page."""

from collections.abc import Iterator
from functools import partial

from django.test import Client

from tests.benchmarks.measure import Measurement, compare
from tests.benchmarks.pages import BARE
from tests.campaigns.stage import a_scene
from tests.campaigns.stalls import address, at_the_market
from tests.people import BACKEND


def measurements() -> Iterator[Measurement]:
    scene, run = at_the_market(a_scene(("Asta", "Bram"), gm="Cora"), "Asta", treasury=400)
    browser = Client()
    browser.force_login(scene.people["Asta"], BACKEND)
    bare = partial(browser.get, BARE)
    yield compare("market list over a bare page", partial(browser.get, address(run)), bare, goal=8)
