"""What a search of the reference costs over a bare page: as a whole page, and as what is fetched while typing."""

from collections.abc import Iterator
from functools import partial

from django.test import Client

from campaigns.demo import campaign_in_the_middle
from campaigns.models import Campaign
from rules.codex.load import load_codex
from tests.benchmarks.measure import Measurement, compare
from tests.benchmarks.pages import BARE
from tests.people import sign_in

TYPED = ("swrod", "armour", "lethal strike")
"""A slip, a word that is in many entries, an exact name."""

TYPING = {"HX-Request": "true"}


def measurements() -> Iterator[Measurement]:
    load_codex()
    if not Campaign.objects.exists():
        campaign_in_the_middle()
    browser = sign_in(Client(), "Ilse")
    bare = partial(browser.get, BARE)
    for typed in TYPED:
        page = partial(browser.get, "/rules/search/", {"q": typed})
        yield compare(f"search for {typed!r} over a bare page", page, bare, goal=2, rounds=40)
    typing = partial(browser.get, "/rules/search/", {"q": TYPED[0]}, headers=TYPING)
    yield compare("search while typing over a bare page", typing, bare, goal=2, rounds=40)
