"""What a list of the API costs over a bare view that answers as much JSON, and what a roster asks the database."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.test import override_settings

from accounts.models import User
from api.call import CALLS
from campaigns.models import Campaign
from tests.api.caller import Caller, caller_for
from tests.api.places import address_of, places_of
from tests.benchmarks.bare_urls import CONTENTS
from tests.benchmarks.measure import Measurement, Work, compare, weigh
from tests.warbands.rosters import roster_of

UNLIMITED = {"read": 10**9, "act": 10**9}
MOST_QUERIES, UNCHANGED_QUERIES = 6, 2


def measurements() -> Iterator[Measurement]:
    """What it takes to have something to list is taken back at the end: others measure the demo as it is."""
    with transaction.atomic():
        yield from _measured()
        transaction.set_rollback(True)


def _measured() -> Iterator[Measurement]:
    """Lists in which the demo has nothing to list are refused, and left out."""
    places = places_of(Campaign.objects.get())
    owner = User.objects.get(pk=places["person"])
    callers = [caller_for(User.objects.get(name="Priya")), caller_for(owner)]
    with override_settings(ROOT_URLCONF="tests.benchmarks.bare_urls", API_RATES=UNLIMITED):
        for call in sorted(CALLS.values(), key=lambda call: call.name):
            if call.is_list and call.method == "get":
                yield from _list(call.name, address_of(call, places), callers)
        yield from _roster(owner)


def _list(name: str, path: str, callers: list[Caller]) -> Iterator[Measurement]:
    for caller in callers:
        answer = caller.client.get(f"/api/v1/{path}")
        if answer.status_code == 200:
            CONTENTS[name] = answer.json()
            bare = partial(caller.client.get, f"/bare/{name}")
            yield compare(f"{name} over bare JSON", partial(caller.client.get, f"/api/v1/{path}"), bare, goal=3)
            return


def _roster(owner: User) -> Iterator[Measurement]:
    """Queries, and not time: all that a request asks, the token included."""
    path = f"warbands/{roster_of(owner, 48, 'Row of the API').pk}"
    caller = caller_for(owner)
    tag = caller.get(path)["ETag"]
    whole = _queries(lambda: caller.get(path))
    yield weigh("queries of a roster of 48 fighters", whole, 1, MOST_QUERIES, "queries")
    unchanged = _queries(lambda: caller.get(path, if_none_match=tag))
    yield weigh("queries of an unchanged roster", unchanged, 1, UNCHANGED_QUERIES, "queries")


def _queries(work: Work) -> int:
    asked: list[str] = []

    def count(execute: Any, sql: str, *rest: Any) -> Any:
        asked.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(count):
        work()
    return len(asked)
