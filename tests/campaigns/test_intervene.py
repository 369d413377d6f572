"""A game master changes a warband by hand: it is foreseen, done once, told to everybody, and can be taken back."""

from typing import Any

import msgspec
import pytest

from campaigns.chronicle import plain_sentence
from campaigns.models import Event, Notice
from campaigns.services.end_campaign import end_campaign
from campaigns.services.intervene import foresee, intervene_in, read_order, undo_intervention
from rules.engine.errors import InputError, RuleViolation
from rules.engine.interventions import DOINGS, STEP
from rules.engine.state import Warband as State
from tests.campaigns.stage import Scene, a_scene
from warbands.models import LedgerEntry, Warband
from warbands.projection import read_state
from warbands.reconcile import reconcile
from warbands.services.apply_changes import Stale
from warbands.trial import alike

pytestmark = pytest.mark.django_db
SEED = "a seed"
EYE = "Blinded in One Eye"


@pytest.fixture
def scene() -> Scene:
    return a_scene()


def state_of(warband: Warband) -> State:
    """As the tables have it now."""
    return read_state(Warband.objects.get(pk=warband.pk))


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
    leader = state_of(warband).leader
    order = {"do": "injure", "fighter": leader, "injury": "Blinded in One Eye"}
    seen = foresee(campaign=scene.campaign, warband=warband, order=read_order(order), seed=SEED)
    assert state_of(warband) == seen.before
    do(scene, order)
    assert state_of(warband) == seen.after


def test_it_can_be_taken_back(scene: Scene) -> None:
    warband = scene.warbands["Ilse"]
    before = state_of(warband)
    act = do(scene, {"do": "points", "amount": 20})
    undo_intervention(actor=scene.gm, campaign=scene.campaign, warband=warband, act=act, reason="the count was right")
    assert state_of(warband) == before
    assert Event.objects.filter(kind="intervention_undone").count() == 1


def test_a_fallen_fighter_is_revived_as_he_was(scene: Scene) -> None:
    warband = scene.warbands["Ilse"]
    before = state_of(warband)
    key = next(key for key in before.fighters if key != before.leader)
    do(scene, {"do": "remove", "fighter": key})
    do(scene, {"do": "revive", "fighter": key})
    assert state_of(warband).fighters[key] == before.fighters[key]


def test_an_injury_is_healed_with_what_it_did(scene: Scene) -> None:
    warband = scene.warbands["Ilse"]
    before = state_of(warband)
    do(scene, {"do": "injure", "fighter": before.leader, "injury": "Blinded in One Eye"})
    do(scene, {"do": "heal", "fighter": before.leader, "injury": "Blinded in One Eye"})
    assert state_of(warband).fighters[before.leader] == before.fighters[before.leader]


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


def orders_of(scene: Scene) -> list[tuple[dict[str, Any], str]]:
    """One of each kind, in an order in which they go, and how the chronicle tells it."""
    state = state_of(scene.warbands["Ilse"])
    leader = state.fighters[state.leader]
    heir = next(one for one in state.fighters.values() if one.kind == "hero" and one.id != leader.id)
    item = leader.items[0]
    return [
        ({"do": "points", "amount": 20}, "20 points given"),
        ({"do": "points", "amount": -1}, "1 point taken"),
        ({"do": "give_item", "item": "Shield"}, "Shield for the stockpile"),
        ({"do": "take_item", "item": item.id}, "taken"),
        ({"do": "experience", "fighter": leader.id, "amount": 2}, f"+2 experience for {leader.name}"),
        ({"do": "injure", "fighter": leader.id, "injury": EYE}, f"{EYE} for {leader.name}"),
        ({"do": "heal", "fighter": leader.id, "injury": EYE}, f"{leader.name} is healed of {EYE}"),
        ({"do": "give_skill", "fighter": leader.id, "skill": "Sprint"}, f"{leader.name} has Sprint"),
        ({"do": "take_skill", "fighter": leader.id, "skill": "Sprint"}, f"{leader.name} forgets Sprint"),
        ({"do": "leader", "fighter": heir.id}, f"{heir.name} leads it"),
        ({"do": "remove", "fighter": leader.id}, f"{leader.name} is removed"),
        ({"do": "revive", "fighter": leader.id}, f"{leader.name} is back"),
        ({"do": "devotion", "devotion": "high"}, "devotion"),
    ]


def test_each_kind_stands_in_ledger_and_chronicle_and_can_be_taken_back(scene: Scene) -> None:
    warband = scene.warbands["Ilse"]
    for order, told in orders_of(scene):
        before = state_of(warband)
        act = do(scene, order)
        after = state_of(warband)
        assert after != before, order
        assert LedgerEntry.objects.filter(act=act, step=STEP).exists()
        event = Event.objects.filter(kind="intervention").order_by("-pk")[0]
        assert told in plain_sentence(event), order
        undo_intervention(actor=scene.gm, campaign=scene.campaign, warband=warband, act=act, reason="a slip")
        assert alike(state_of(warband), before), order
        do(scene, order)
    tags = {msgspec.inspect.type_info(kind).tag for kind in DOINGS}  # type: ignore[attr-defined]
    assert {order["do"] for order, _told in orders_of(scene)} == tags
    assert reconcile().differences == []
