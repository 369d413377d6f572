"""A battle that never was."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from msgspec import to_builtins

from campaigns.engine_battle import engine_battle, parts_of
from campaigns.models import Battle, Campaign, Event, Notice, Participation, Run
from campaigns.services.start_battle import start_battle
from campaigns.services.void_battle import void_battle
from rules.engine.changes import TreasuryChanged
from rules.engine.dice import SeededDice
from rules.engine.errors import RuleViolation
from rules.engine.policy import POLICIES
from rules.engine.sequence import STEPS, play
from rules.library import pack
from tests.campaigns.stage import PLAYERS, Scene, a_battle, a_scene
from tests.people import sign_in
from warbands.models import LedgerEntry
from warbands.projection import read_state, read_states
from warbands.reconcile import differences
from warbands.services.apply_changes import apply_changes
from warbands.trial import alike

pytestmark = pytest.mark.django_db
State = Battle.State


@pytest.fixture
def scene() -> Scene:
    return a_scene(PLAYERS[:3])


def states(scene: Scene) -> dict[str, Any]:
    for warband in scene.warbands.values():
        warband.refresh_from_db()
    return {name: read_state(warband) for name, warband in scene.warbands.items()}


def played(scene: Scene, *names: str, seed: str = "a winter night") -> Battle:
    """Closed, with the whole post-game of everybody in the ledgers."""
    battle = a_battle(scene, *names, state=State.CLOSED, seed=seed)
    fight = engine_battle(battle, parts_of(battle))
    rows = {part.warband_id: part.warband for part in battle.participations.select_related("warband__owner")}
    now = {str(pk): state for pk, state in read_states(list(rows.values())).items()}
    for pk, row in rows.items():
        for step in STEPS:
            done = play(now, str(pk), fight, pack(), SeededDice(seed.encode()), steps=[step],
                        policy=POLICIES["default"])  # fmt: skip
            now = dict(done.warbands)
            mine = [change for change in done.changes if change.warband == str(pk)]
            rolls = [to_builtins(roll) for roll in done.rolls if roll.key.startswith(f"{pk}/")]
            if mine:
                apply_changes(
                    warband=row, changes=mine, actor=row.owner, cause=step, rolls=rolls, step=step, battle=battle.key
                )
    return battle


def void(scene: Scene, battle: Battle, **more: Any) -> Battle:
    return void_battle(actor=scene.gm, battle=battle, **({"reason": "The wrong roster"} | more))


def assert_sound(scene: Scene) -> None:
    for warband in scene.warbands.values():
        warband.refresh_from_db()
        assert list(differences(warband)) == []


@pytest.mark.parametrize("seed", ["a winter night", "a spring day", "b", "c"])
def test_everything_that_a_battle_did_is_taken_back(scene: Scene, seed: str) -> None:
    before = states(scene)
    battle = played(scene, "Ilse", "Marek", seed=seed)
    assert states(scene) != before
    version = scene.campaign.version
    void(scene, battle)
    after = states(scene)
    assert all(alike(before[name], after[name]) for name in before)
    assert {name: state.rating for name, state in after.items()} == {name: s.rating for name, s in before.items()}
    assert_sound(scene)
    battle.refresh_from_db()
    assert (battle.state, battle.void_reason) == (State.VOID, "The wrong roster")
    scene.campaign.refresh_from_db()
    assert scene.campaign.version > version
    assert Event.objects.get(kind="battle_void").data["reason"] == "The wrong roster"
    assert {notice.person.name for notice in Notice.objects.filter(kind="battle_void")} == {"Ilse", "Marek"}


def test_the_pre_game_is_taken_back_too(scene: Scene) -> None:
    before = states(scene)
    battle = a_battle(scene, "Ilse", "Marek", state=State.SCHEDULED)
    start_battle(actor=scene.gm, battle=battle, played=True)
    assert LedgerEntry.objects.filter(battle=battle.key).exists()
    void(scene, battle)
    after = states(scene)
    assert all(alike(before[name], after[name]) for name in before)
    assert not Participation.objects.filter(is_fighting=True).exists()
    assert_sound(scene)


def spent(scene: Scene, name: str) -> None:
    """All of the treasury, for something that no battle knows of."""
    warband = scene.warbands[name]
    warband.refresh_from_db()
    change = TreasuryChanged(str(warband.pk), -warband.treasury, "a feast")
    apply_changes(warband=warband, changes=[change], actor=warband.owner, cause="a feast")


def rich(scene: Scene) -> Battle:
    """A battle that somebody earned something in."""
    battle = played(scene, "Ilse", "Marek")
    earned = [
        entry for entry in LedgerEntry.objects.filter(battle=battle.key, warband__owner__name="Ilse")
        if entry.change["event"] == "TreasuryChanged" and entry.change["amount"] > 0
    ]  # fmt: skip
    assert earned
    return battle


def test_what_rests_on_it_is_named_and_nothing_happens(scene: Scene) -> None:
    battle = rich(scene)
    spent(scene, "Ilse")
    before = states(scene)
    with pytest.raises(RuleViolation, match="The Lantern Wardens: a feast") as refusal:
        void(scene, battle)
    assert refusal.value.code == "others_rest_on_it"
    assert states(scene) == before
    battle.refresh_from_db()
    assert battle.state == State.CLOSED
    assert not LedgerEntry.objects.filter(step="void").exists()


def test_what_rests_on_it_goes_too_if_that_is_chosen(scene: Scene) -> None:
    before = states(scene)
    battle = rich(scene)
    spent(scene, "Ilse")
    void(scene, battle, cascade=True)
    after = states(scene)
    assert all(alike(before[name], after[name]) for name in before)
    assert_sound(scene)


def test_a_later_battle_that_rests_on_it_is_named(scene: Scene) -> None:
    first = rich(scene)
    second = played(scene, "Ilse", "Dagny", seed="the second")
    spent(scene, "Ilse")
    void(scene, first, cascade=True)
    assert_sound(scene)
    second.refresh_from_db()
    assert second.state == State.CLOSED


def test_a_later_battle_that_is_not_over_has_to_be_finished_first(scene: Scene) -> None:
    first = rich(scene)
    second = a_battle(scene, "Ilse", "Dagny", state=State.POSTGAME)
    warband = scene.warbands["Ilse"]
    warband.refresh_from_db()
    change = TreasuryChanged(str(warband.pk), -warband.treasury, "upkeep")
    apply_changes(warband=warband, changes=[change], actor=None, cause="x", step="exploration", battle=second.key)
    with pytest.raises(RuleViolation, match="Battle 2 rests on it and is not over"):
        void(scene, first, cascade=True)
    assert_sound(scene)


def test_open_runs_end_with_it(scene: Scene) -> None:
    battle = a_battle(scene, "Ilse", "Marek", state=State.POSTGAME)
    for part in battle.participations.all():
        Run.objects.create(battle=battle, participation=part, warband_id=part.warband_id, step="start")
    void(scene, battle)
    assert set(Run.objects.values_list("state", flat=True)) == {Run.State.VOID}
    assert not Participation.objects.filter(is_fighting=True).exists()


@pytest.mark.parametrize("state", [state for state in State if state != State.VOID])
def test_it_can_be_voided_in_every_state(scene: Scene, state: str) -> None:
    battle = a_battle(scene, "Ilse", "Marek", state=state)
    assert void(scene, battle).state == State.VOID


def test_it_needs_a_reason_and_happens_once(scene: Scene) -> None:
    battle = a_battle(scene, "Ilse", "Marek")
    for reason, code in (("", "no_reason"), ("   ", "no_reason"), ("x" * 161, "reason_too_long")):
        with pytest.raises(RuleViolation) as refusal:
            void(scene, battle, reason=reason)
        assert refusal.value.code == code
    void(scene, battle)
    with pytest.raises(RuleViolation, match="void already"):
        void(scene, battle)


def test_players_do_not_void_and_nobody_does_when_the_campaign_has_ended(scene: Scene) -> None:
    battle = a_battle(scene, "Ilse", "Marek")
    with pytest.raises(RuleViolation, match="Only the game master"):
        void_battle(actor=scene.people["Ilse"], battle=battle, reason="I lost")
    Campaign.objects.update(status=Campaign.Status.ENDED)
    with pytest.raises(RuleViolation) as refusal:
        void(scene, battle)
    assert refusal.value.code == "campaign_over"


# The page ---------------------------------------------------------------------------------------------


def address(battle: Battle) -> str:
    return reverse("battle_void", args=[battle.campaign_id, battle.number])


def test_the_page_asks_first_and_names_what_goes(client: Client, scene: Scene) -> None:
    battle = rich(scene)
    spent(scene, "Ilse")
    sign_in(client, "Priya")
    shown = client.get(address(battle)).content.decode()
    assert "Exploration" in shown
    assert "Later acts rest on it." in shown
    assert "a feast" in shown
    answer = client.post(address(battle), {"version": battle.version, "reason": "Wrong roster"})
    assert answer.status_code == 409
    assert "Wrong roster" in answer.content.decode()
    answer = client.post(address(battle), {"version": battle.version, "reason": "Wrong roster", "cascade": "on"})
    assert answer.status_code == 302
    battle.refresh_from_db()
    assert battle.state == State.VOID
    assert "It is void already" in client.get(address(battle)).content.decode()


def test_the_page_wants_a_reason_and_a_page_that_is_not_old(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, "Ilse", "Marek")
    sign_in(client, "Priya")
    assert client.post(address(battle), {"version": battle.version, "reason": ""}).status_code == 422
    assert client.post(address(battle), {"version": 99, "reason": "Because"}).status_code == 409
    battle.refresh_from_db()
    assert battle.state == State.PLAYING


def test_it_is_only_for_those_who_run_the_campaign(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, "Ilse", "Marek")
    assert sign_in(client, "Ilse").get(address(battle)).status_code == 404
    assert client.post(address(battle), {"version": 0, "reason": "I lost"}).status_code == 404
