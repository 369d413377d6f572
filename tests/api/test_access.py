"""Who is let in by which call. A call without a row here fails the suite.

A row names those for whom the thing is there: they get an answer of the call itself, be it a refusal by the rules.
Whoever is not named gets a 404, as if there were nothing. Two columns follow from the calls and need no row: without a
token a call is a 401 unless it is open, and a token that only reads is a 403 for whatever acts, and the same as its
person where it reads.
"""

from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction

import api.urls  # noqa: F401  (registers the calls)
from accounts.models import User
from api.call import CALLS, READ, Call
from campaigns.models import Battle, Campaign
from campaigns.services.create_campaign import create_campaign
from tests.api.access_table import OUTSIDE, TABLE
from tests.api.caller import Caller, caller_for
from tests.api.places import Places, address_of, content_of, places_of

SIGNED_IN = ("stranger", "player", "opponent", "gm", "other_gm")
OUT = (401, 403, 404)
LET_IN = 0
"""Any status that is none of those."""


@dataclass(frozen=True)
class World:
    places: Places
    people: dict[str, User]


@pytest.fixture
def world(under_way: Campaign, settings: Any) -> World:
    """The player owns the warband of the addresses; the opponent owns another one in the same battle."""
    settings.API_RATES = {"read": 10**9, "act": 10**9}
    places = places_of(under_way)
    battle = Battle.objects.get(campaign=under_way, number=places["number"])
    owners = {part.warband_id: part.warband.owner for part in battle.participations.select_related("warband__owner")}
    player = owners.pop(places["warband"])
    stranger, other = (
        User.objects.create_user(f"{name}@example.org", "a long password", name=name) for name in ("Sten", "Omar")
    )
    create_campaign(actor=other, name="Elsewhere", kind="open")
    gm = under_way.memberships.get(role="gm").person
    everybody = (stranger, player, next(iter(owners.values())), gm, other)
    return World(places, dict(zip(SIGNED_IN, everybody, strict=True)))


def test_every_call_has_a_row() -> None:
    assert sorted(TABLE) == sorted(CALLS)


@pytest.mark.parametrize("role", SIGNED_IN)
def test_the_table_is_true(role: str, world: World) -> None:
    expected = {name: LET_IN if role in row.split() else 404 for name, row in TABLE.items()}
    assert _wrong(caller_for(world.people[role]), expected, world.places) == {}


def test_without_a_token_only_open_calls_answer(world: World) -> None:
    expected = {name: _for_nobody(call) for name, call in CALLS.items()}
    assert _wrong(Caller(), expected, world.places) == {}


def _for_nobody(call: Call) -> int:
    return 401 if not call.open else 404 if call.name in OUTSIDE else LET_IN


@pytest.mark.parametrize("role", ["player", "gm"])
def test_a_token_that_only_reads_does_nothing_else(role: str, world: World) -> None:
    expected = {
        name: 403 if call.scope != READ and not call.open else LET_IN if role in TABLE[name].split() else 404
        for name, call in CALLS.items()
    }
    assert _wrong(caller_for(world.people[role], "read"), expected, world.places) == {}


def _wrong(caller: Caller, expected: dict[str, int], places: Places) -> dict[str, str]:
    """The calls that answer otherwise. Whatever they do is taken back."""
    found = {}
    for name, status in expected.items():
        with transaction.atomic():
            call = CALLS[name]
            answered = caller.send(call, address_of(call, places), content_of(call, places)).status_code
            transaction.set_rollback(True)
        if (LET_IN if answered not in OUT else answered) != status:
            found[name] = f"{answered} instead of {status or 'an answer'}"
    return found
