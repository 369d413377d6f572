"""What a list of the API costs over a bare view that answers as much JSON."""

from collections.abc import Iterator
from functools import partial
from typing import get_origin

from django.test import override_settings

from accounts.models import User
from api.call import CALLS
from api.paging import Page
from campaigns.models import Campaign
from tests.api.caller import caller_for
from tests.api.places import address_of, places_of
from tests.benchmarks.bare_urls import BODIES
from tests.benchmarks.measure import Measurement, compare

UNLIMITED = {"read": 10**9, "act": 10**9}


def measurements() -> Iterator[Measurement]:
    campaign = Campaign.objects.get()
    caller = caller_for(User.objects.get(name="Priya"))
    places = places_of(campaign)
    with override_settings(ROOT_URLCONF="tests.benchmarks.bare_urls", API_RATES=UNLIMITED):
        for call in sorted(CALLS.values(), key=lambda call: call.name):
            path = address_of(call, places)
            if get_origin(call.answer) is not Page or call.method != "get":
                continue
            answer = caller.get(path)
            if answer.status_code != 200:
                continue
            BODIES[call.name] = answer.content
            bare = partial(caller.client.get, f"/bare/{call.name}")
            yield compare(f"{call.name} over bare JSON", partial(caller.get, path), bare, goal=3)
