"""Every list asks the database as much for many rows as for half of them."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

import api.urls  # noqa: F401  (registers the calls)
from accounts.models import User
from api.call import CALLS
from campaigns.models import Campaign
from tests.api.caller import Caller, caller_for
from tests.api.places import Places, address_of, places_of

LISTS = sorted(name for name, call in CALLS.items() if call.is_list and call.method == "get")


@pytest.fixture
def callers(under_way: Campaign) -> tuple[Places, list[Caller]]:
    """Whoever runs the campaign, and the player of the addresses: what one of them does not find the other does."""
    places = places_of(under_way)
    gm = under_way.memberships.get(role="gm").person
    return places, [caller_for(gm), caller_for(User.objects.get(pk=places["person"]))]


def test_every_list_asks_as_much_for_many_as_for_half(
    callers: tuple[Places, list[Caller]], settings: pytest.FixtureRequest
) -> None:
    settings.API_RATES = {"read": 10**9, "act": 10**9}  # type: ignore[attr-defined]
    places, everybody = callers
    grew, several = {}, 0
    for name in LISTS:
        path = address_of(CALLS[name], places)
        asker = next((one for one in everybody if one.get(path).status_code == 200), None)
        if asker is None:
            continue  # the demo is at another step; the tests of these lists count their queries
        count = len(asker.get(f"{path}?limit=100").json()["items"])
        half, many = _queries(asker, f"{path}?limit={max(1, count // 2)}"), _queries(asker, f"{path}?limit=100")
        several += count > 1
        if many > half:
            grew[name] = f"{many} instead of {half}"
    assert grew == {}
    assert several > 30


def _queries(asker: Caller, path: str) -> int:
    cache.clear()
    with CaptureQueriesContext(connection) as asked:
        asker.get(path)
    return len(asked)


def test_a_list_that_has_changed_is_not_the_one_that_was_kept(
    callers: tuple[Places, list[Caller]], under_way: Campaign
) -> None:
    """A list is kept under the version of what it rests on, and for its reader."""
    places, (gm, player) = callers
    path = f"warbands/{places['warband']}/ledger?limit=2&order=newest"
    first = player.get(path)
    with CaptureQueriesContext(connection) as asked:
        again = player.get(path)
    assert (again.content, again["Link"], again["ETag"]) == (first.content, first["Link"], first["ETag"])
    assert len(asked) == 2  # the token, and the warband with its version
    assert gm.get(path).status_code == 200
    player.patch(f"warbands/{places['warband']}", {"name": "The Renamed"})
    assert player.get(path).json()["items"][0]["change"] != first.json()["items"][0]["change"]
