"""Many post-games at once, without a worker: what the tasks do is called here."""

import pytest
from django.db import transaction

from campaigns.batches import progress_of
from campaigns.models import Batch, BatchItem, Battle, Policy, Run
from campaigns.services.cancel_batch import cancel_batch
from campaigns.services.finish_late_run import finish_late_run
from campaigns.services.resolve_battle import preview_battle, resolve_battle
from campaigns.services.resolve_item import resolve_next
from campaigns.services.retry_batch import retry_batch
from campaigns.services.start_batch import start_batch
from campaigns.tasks import run_chunk
from rules.engine.errors import RuleViolation
from tests.campaigns.runs import a_postgame, opened
from tests.campaigns.stage import PLAYERS, Scene, a_battle, a_scene
from warbands.models import LedgerEntry, Warband
from warbands.reconcile import reconcile

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return a_scene(PLAYERS)


@pytest.fixture
def battles(scene: Scene) -> list[Battle]:
    pairs = (("Ilse", "Marek"), ("Dagny", "Ruben"))
    return [opened(a_battle(scene, *pair, state=Battle.State.CONFIRMED)) for pair in pairs]


def ledger_of(battle: Battle) -> list[object]:
    entries = LedgerEntry.objects.filter(battle=battle.key).order_by("warband", "sequence")
    return list(entries.values_list("warband", "step", "cause", "change"))


def test_a_round_is_resolved_in_one_action(scene: Scene, battles: list[Battle]) -> None:
    batch = start_batch(actor=scene.gm, campaign=scene.campaign)
    run_chunk(batch.pk)
    batch.refresh_from_db()
    progress = progress_of(batch)
    assert batch.state == Batch.State.DONE
    assert (progress.total, progress.done, progress.percent) == (2, 2, 100)
    assert {battle.state for battle in Battle.objects.all()} == {Battle.State.CLOSED}
    assert not reconcile().differences


def test_a_message_that_comes_twice_changes_nothing(scene: Scene, battles: list[Battle]) -> None:
    batch = start_batch(actor=scene.gm, campaign=scene.campaign)
    run_chunk(batch.pk)
    before = [ledger_of(battle) for battle in battles]
    run_chunk(batch.pk)
    assert [ledger_of(battle) for battle in battles] == before


def test_a_second_press_finds_nothing_left(scene: Scene, battles: list[Battle]) -> None:
    start_batch(actor=scene.gm, campaign=scene.campaign)
    with pytest.raises(RuleViolation, match="no battle whose post-game waits"):
        start_batch(actor=scene.gm, campaign=scene.campaign)


def test_a_preview_says_what_will_happen_and_does_nothing(scene: Scene, battles: list[Battle]) -> None:
    versions = list(Warband.objects.order_by("pk").values_list("version", flat=True))
    seen = preview_battle(battle=battles[0].pk, actor=scene.gm)
    assert list(Warband.objects.order_by("pk").values_list("version", flat=True)) == versions
    assert resolve_battle(battle=battles[0].pk, actor=scene.gm) == seen


def test_order_does_not_matter(scene: Scene, battles: list[Battle]) -> None:
    ends = []
    for order in (battles, battles[::-1]):
        with transaction.atomic():
            for battle in order:
                resolve_battle(battle=battle.pk, actor=scene.gm)
            ends.append([ledger_of(battle) for battle in battles])
            transaction.set_rollback(True)
    assert ends[0] == ends[1]
    assert len(ends[0][0]) > 20


def test_what_a_player_has_reserved_waits_for_them(scene: Scene, battles: list[Battle]) -> None:
    Policy.objects.create(person=scene.people["Ilse"], campaign=scene.campaign, reserved=["trade"])
    batch = start_batch(actor=scene.gm, campaign=scene.campaign)
    run_chunk(batch.pk)
    item = batch.items.get(battle=battles[0])
    assert item.state == BatchItem.State.NEEDS
    assert [(need["name"], need["step"], need["topic"]) for need in item.needs] == [("Ilse", "trading", "trade")]
    run = Run.objects.get(battle=battles[0], warband=scene.warbands["Ilse"])
    assert run.step == "trading"
    assert scene.people["Ilse"].notices.filter(kind="batch_needs_you").count() == 1


def test_when_the_time_is_over_nothing_is_reserved(scene: Scene, battles: list[Battle]) -> None:
    Policy.objects.create(person=scene.people["Ilse"], campaign=scene.campaign, reserved=["trade"])
    assert finish_late_run(battle=battles[0].pk).needs == []


def test_a_battle_that_cannot_be_resolved_is_named_and_the_rest_goes_on(scene: Scene, battles: list[Battle]) -> None:
    void = a_battle(scene, "Ilse", "Dagny", state=Battle.State.VOID)
    batch = start_batch(actor=scene.gm, campaign=scene.campaign, battles=[void.pk, *(row.pk for row in battles)])
    run_chunk(batch.pk)
    assert "void" in batch.items.get(battle=void).reason
    assert batch.items.filter(state=BatchItem.State.DONE).count() == 2


def test_a_policy_that_names_what_is_gone_is_passed_over(scene: Scene, battles: list[Battle]) -> None:
    wishes = {"skill": ["A skill that nobody teaches any more"], "otherwise": "default"}
    Policy.objects.create(person=scene.people["Ilse"], campaign=scene.campaign, wishes=wishes)
    assert resolve_battle(battle=battles[0].pk, actor=scene.gm).needs == []


def test_a_policy_that_makes_no_sense_fails_its_battle_alone(scene: Scene, battles: list[Battle]) -> None:
    Policy.objects.create(person=scene.people["Ilse"], campaign=scene.campaign, wishes={"otherwise": "reckless"})
    batch = start_batch(actor=scene.gm, campaign=scene.campaign)
    run_chunk(batch.pk)
    item = batch.items.get(battle=battles[0])
    assert item.state == BatchItem.State.FAILED
    assert "reckless" in item.reason
    assert not LedgerEntry.objects.filter(battle=battles[0].key, step="exploration").exists()
    Policy.objects.all().delete()
    run_chunk(retry_batch(actor=scene.gm, batch=batch).pk)
    assert batch.items.filter(state=BatchItem.State.DONE).count() == 2


def test_a_cancelled_batch_leaves_the_rest_undone(scene: Scene, battles: list[Battle]) -> None:
    batch = start_batch(actor=scene.gm, campaign=scene.campaign)
    resolve_next(batch=batch.pk)
    cancel_batch(actor=scene.gm, batch=batch)
    run_chunk(batch.pk)
    states = list(batch.items.order_by("pk").values_list("state", flat=True))
    assert states == [BatchItem.State.DONE, BatchItem.State.CANCELLED]


def test_the_statements_do_not_grow_with_the_roster(django_assert_max_num_queries: object) -> None:
    scene, battle = a_postgame()
    with django_assert_max_num_queries(28) as counted:  # type: ignore[operator]
        resolve_battle(battle=battle.pk, actor=scene.gm)
    print(len(counted))
