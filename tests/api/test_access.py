"""Who is let in by which call. A call without a row here fails the suite.

A row names those for whom the thing is there: they get an answer of the call itself, be it a refusal by the rules.
Whoever is not named gets a 404, as if there were nothing. Two columns need no table: without a token a call is a 401
unless it is open, and a token that only reads is a 403 for whatever acts.
"""

from typing import Any

import pytest
from django.db import transaction

import api.urls  # noqa: F401  (registers the calls)
from accounts.models import User
from api.call import CALLS, READ, Call
from campaigns.models import Battle, Campaign
from campaigns.services.create_campaign import create_campaign
from tests.api.access_table import TABLE
from tests.api.caller import Caller, caller_for
from tests.api.places import address_of, places_of

OUT = (401, 403, 404)


def test_every_call_has_a_row() -> None:
    assert sorted(TABLE) == sorted(CALLS)


@pytest.fixture
def callers(under_way: Campaign, settings: Any) -> dict[str, Caller]:
    settings.API_RATES = {"read": 10**9, "act": 10**9}
    return {role: caller_for(person) for role, person in people_of(under_way).items()}


def people_of(campaign: Campaign) -> dict[str, User]:
    """The player owns the warband of the addresses; the opponent owns another one in the same battle."""
    places = places_of(campaign)
    battle = Battle.objects.get(campaign=campaign, number=places["number"])
    owners = {part.warband_id: part.warband.owner for part in battle.participations.select_related("warband__owner")}
    player = owners.pop(places["warband"])
    stranger, other = (
        User.objects.create_user(f"{name}@example.org", "a long password", name=name) for name in ("Sten", "Omar")
    )
    create_campaign(actor=other, name="Elsewhere", kind="open")
    gm = campaign.memberships.get(role="gm").person
    return {
        "stranger": stranger,
        "player": player,
        "opponent": next(iter(owners.values())),
        "gm": gm,
        "other_gm": other,
    }


@pytest.mark.parametrize("name", sorted(TABLE))
def test_the_table_is_true(name: str, callers: dict[str, Caller], under_way: Campaign) -> None:
    call, places = CALLS[name], places_of(under_way)
    found = {role for role, caller in callers.items() if _status(caller, call, places) not in OUT}
    assert found == set(TABLE[name].split())


@pytest.mark.parametrize("name", sorted(TABLE))
def test_without_a_token_only_open_calls_answer(name: str, under_way: Campaign) -> None:
    status = _status(Caller(), CALLS[name], places_of(under_way))
    assert (status == 401) == (not CALLS[name].open)


@pytest.mark.parametrize("name", sorted(name for name in TABLE if name in CALLS and CALLS[name].scope != READ))
def test_a_token_that_only_reads_does_nothing(name: str, under_way: Campaign) -> None:
    reader = caller_for(people_of(under_way)["gm"], "read")
    status = _status(reader, CALLS[name], places_of(under_way))
    assert status == 403 or CALLS[name].open


def _status(caller: Caller, call: Call, places: dict[str, Any]) -> int:
    """Whatever it does is taken back."""
    with transaction.atomic():
        answer = caller.send(call, address_of(call, places))
        transaction.set_rollback(True)
    return int(answer.status_code)
