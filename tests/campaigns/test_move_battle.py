from importlib import import_module
from itertools import product

import pytest
from django.db import IntegrityError, transaction

from campaigns.models import Battle, Campaign
from campaigns.services.move_battle import WAYS, move_battle
from rules.engine.errors import RuleViolation

pytestmark = pytest.mark.django_db


@pytest.fixture
def battle() -> Battle:
    return Battle.objects.create(campaign=Campaign.objects.create(name="The thaw"), number=1)


def test_the_database_holds_the_same_ways_as_the_service() -> None:
    held = import_module("campaigns.migrations.0003_battle_states").WAYS
    assert {str(state): [str(way) for way in ways] for state, ways in WAYS.items()} == held


@pytest.mark.parametrize(("start", "end"), list(product(Battle.State, repeat=2)))
def test_the_database_refuses_a_way_that_there_is_not(battle: Battle, start: str, end: str) -> None:
    other = Battle.objects.create(campaign=battle.campaign, number=2, state=start)
    rows = Battle.objects.filter(pk=other.pk)
    if end == start or end in WAYS[start]:
        assert rows.update(state=end) == 1
    else:
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(state=end)


def test_a_way_that_there_is_not_is_refused_with_a_sentence(battle: Battle) -> None:
    with pytest.raises(RuleViolation, match="proposed cannot become closed"):
        move_battle(battle=battle, to=Battle.State.CLOSED)


def test_a_move_changes_what_it_is_given_and_the_version(battle: Battle) -> None:
    move_battle(battle=battle, to=Battle.State.SCHEDULED, place="At Dagny's")
    battle.refresh_from_db()
    assert (battle.state, battle.place, battle.version) == ("scheduled", "At Dagny's", 1)
