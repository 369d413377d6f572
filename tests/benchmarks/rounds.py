"""Pairing and publishing a round of 500, against plain rows of the same number."""

from collections.abc import Iterator
from itertools import count
from time import process_time

from django.db import transaction

from campaigns.models import Campaign
from campaigns.pairing import Entrant, pair, seat, standing
from campaigns.services.draft_round import draft_round
from campaigns.services.publish_round import publish_round
from tests.benchmarks.measure import Measurement, compare, within
from tests.campaigns.large import large_campaign

MANY = 500
PLAYED = 6


def measurements() -> Iterator[Measurement]:
    entrants, met = _field()
    yield compare(
        "pairing 500 warbands over ranking them", lambda: pair(entrants, met, ()), lambda: standing(entrants),
        goal=60, rounds=5, clock=process_time,
    )  # fmt: skip
    yield within("pairing 500 warbands, one second", lambda: pair(entrants, met, ()), 1000)
    yield compare(
        "tables of four for 500 over ranking them", lambda: seat(entrants, met, 4), lambda: standing(entrants),
        goal=60, rounds=5, clock=process_time,
    )  # fmt: skip
    few, many = (large_campaign(size, 0, kind="tournament") for size in (10, MANY))
    yield compare("a round of 500 over a round of 10", lambda: _turn(many), lambda: _turn(few), goal=25, rounds=5)


def _field() -> tuple[list[Entrant], set[frozenset[str]]]:
    """After some rounds that were paired as they would be."""
    wins = dict.fromkeys((f"w{number}" for number in range(MANY)), 0)
    met: set[frozenset[str]] = set()
    for turn in range(PLAYED):
        found = pair([Entrant(key, won) for key, won in wins.items()], met, (), str(turn))
        luck = count(turn)
        for both in found.pairs:
            met.add(frozenset(both))
            wins[both[next(luck) % 3 % 2]] += 1
    return [Entrant(key, won) for key, won in wins.items()], met


def _turn(campaign: Campaign) -> None:
    """Taken back, so that each is the first."""
    gm = campaign.memberships.get(role="gm").person
    with transaction.atomic():
        publish_round(actor=gm, turn=draft_round(actor=gm, campaign=campaign))
        transaction.set_rollback(True)
