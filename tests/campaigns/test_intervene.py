"""A game master changes a warband by hand: it is foreseen, done once, told to everybody, and can be taken back."""

from typing import Any

import pytest

from campaigns.models import Event, Notice
from campaigns.services.end_campaign import end_campaign
from campaigns.services.intervene import foresee, intervene_in, read_order, undo_intervention
from rules.engine.errors import InputError, RuleViolation
from tests.campaigns.stage import Scene, a_scene
from warbands.models import LedgerEntry
from warbands.projection import read_state
from warbands.reconcile import reconcile
from warbands.services.apply_changes import Stale

pytestmark = pytest.mark.django_db
SEED = "a seed"


@pytest.fixture
def scene() -> Scene:
    return a_scene()


def do(scene: Scene, order: dict[str, Any], reason: str = "a miscount at the table", **more: Any) -> Any:
    warband = scene.warbands["Ilse"]
    return intervene_in(
        actor=more.pop("actor", scene.gm), campaign=scene.campaign, warband=warband, order=read_order(order),
        reason=reason, seed=SEED, **more,
    )  # fmt: skip


def test_points_are_given_with_a_reason_that_everybody_can_read(scene: Scene) -> None:
    warband = scene.warbands["Ilse"]
    before = warband.treasury
    act = do(scene, {"do": "points", "amount": 20})
    warband.refresh_from_db()
    assert warband.treasury == before + 20
    assert {entry.cause for entry in LedgerEntry.objects.filter(act=act)} == {"Game master: a miscount at the table"}
    assert Event.objects.filter(kind="intervention", warband=warband).count() == 1
    assert Notice.objects.get(kind="intervention").person_id == warband.owner_id


def test_what_is_foreseen_is_what_happens(scene: Scene) -> None:
    warband = scene.warbands["Ilse"]
    leader = read_state(warband).leader
    order = {"do": "injure", "fighter": leader, "injury": "Blinded in One Eye"}
    seen = foresee(campaign=scene.campaign, warband=warband, order=read_order(order), seed=SEED)
    assert read_state(warband) == seen.before
    do(scene, order)
    assert read_state(warband) == seen.after


def test_it_can_be_taken_back(scene: Scene) -> None:
    warband = scene.warbands["Ilse"]
    before = read_state(warband)
    act = do(scene, {"do": "points", "amount": 20})
    undo_intervention(actor=scene.gm, campaign=scene.campaign, warband=warband, act=act, reason="the count was right")
    assert read_state(warband) == before
    assert Event.objects.filter(kind="intervention_undone").count() == 1


def test_a_fallen_fighter_is_revived_as_he_was(scene: Scene) -> None:
    warband = scene.warbands["Ilse"]
    before = read_state(warband)
    key = next(key for key in before.fighters if key != before.leader)
    do(scene, {"do": "remove", "fighter": key})
    do(scene, {"do": "revive", "fighter": key})
    assert read_state(warband).fighters[key] == before.fighters[key]


def test_an_injury_is_healed_with_what_it_did(scene: Scene) -> None:
    warband = scene.warbands["Ilse"]
    before = read_state(warband)
    do(scene, {"do": "injure", "fighter": before.leader, "injury": "Blinded in One Eye"})
    do(scene, {"do": "heal", "fighter": before.leader, "injury": "Blinded in One Eye"})
    assert read_state(warband).fighters[before.leader] == before.fighters[before.leader]


def test_ledgers_fold_to_the_rosters_afterwards(scene: Scene) -> None:
    do(scene, {"do": "give_item", "item": "Shield"})
    do(scene, {"do": "devotion", "devotion": "high"})
    assert reconcile().differences == []


def test_without_a_reason_nothing_happens(scene: Scene) -> None:
    with pytest.raises(RuleViolation, match="Say why"):
        do(scene, {"do": "points", "amount": 20}, reason="  ")
    assert not Event.objects.filter(kind="intervention").exists()


def test_only_those_who_run_the_campaign_do_it(scene: Scene) -> None:
    with pytest.raises(RuleViolation, match="run the campaign"):
        do(scene, {"do": "points", "amount": 20}, actor=scene.people["Marek"])


def test_what_would_break_a_rule_of_the_database_is_refused_with_a_sentence(scene: Scene) -> None:
    with pytest.raises(RuleViolation, match="treasury"):
        do(scene, {"do": "points", "amount": -9999})


def test_nonsense_is_refused_with_a_sentence() -> None:
    for order in ({"do": "dance"}, {"do": "points"}, {"do": "points", "amount": "many"}, {"amount": 2}):
        with pytest.raises(InputError):
            read_order(order)


def test_two_game_masters_at_once_the_second_is_told(scene: Scene) -> None:
    version = scene.warbands["Ilse"].version
    do(scene, {"do": "points", "amount": 20}, expected_version=version)
    with pytest.raises(Stale):
        do(scene, {"do": "points", "amount": 20}, expected_version=version)


def test_a_campaign_that_has_ended_stays_as_it_is(scene: Scene) -> None:
    end_campaign(actor=scene.gm, campaign=scene.campaign)
    with pytest.raises(RuleViolation, match="ended"):
        do(scene, {"do": "points", "amount": 20})
