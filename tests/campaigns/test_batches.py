"""Many post-games at once, without a worker: what the tasks do is called here."""

import gc
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta

import pytest
from celery import current_app
from django.db import OperationalError, transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from campaigns import batches, tasks
from campaigns.batches import AT_ONCE, progress_of, send_chunks
from campaigns.models import Batch, BatchItem, Battle, Event, Participation, Policy, Run, RunStep
from campaigns.playing import Playing
from campaigns.postgame import Table
from campaigns.services import resolve_item
from campaigns.services.cancel_batch import cancel_batch
from campaigns.services.finish_late_run import finish_late_run
from campaigns.services.resolve_battle import Resolved, preview_battle, resolve_battle
from campaigns.services.resolve_item import resolve_next
from campaigns.services.retry_batch import retry_batch
from campaigns.services.start_batch import start_batch
from campaigns.services.void_battle import void_battle
from campaigns.tasks import run_chunk, tend_batches
from rules.engine.errors import RuleViolation
from tests.benchmarks.many_battles import many_battles
from tests.campaigns.runs import opened
from tests.campaigns.stage import PLAYERS, Scene, a_battle, a_scene
from tests.campaigns.stalls import crowd
from tests.campaigns.threads import at_once
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


@pytest.mark.parametrize("state", [Battle.State.VOID, Battle.State.REPORTED, Battle.State.SCHEDULED])
def test_a_battle_that_cannot_be_resolved_is_named_and_the_rest_goes_on(state: Battle.State, scene: Scene) -> None:
    other = a_battle(scene, "Ilse", "Marek", state=state)
    good = a_battle(scene, "Dagny", "Ruben", state=Battle.State.CONFIRMED)
    batch = start_batch(actor=scene.gm, campaign=scene.campaign, battles=[other.pk, good.pk])
    run_chunk(batch.pk)
    assert str(state.label) in batch.items.get(battle=other).reason
    assert batch.items.get(battle=good).state == BatchItem.State.DONE
    other.refresh_from_db()
    assert other.state == state


def test_a_battle_that_is_voided_after_the_start_fails_alone(scene: Scene, battles: list[Battle]) -> None:
    batch = start_batch(actor=scene.gm, campaign=scene.campaign)
    void_battle(actor=scene.gm, battle=battles[0], reason="It was played by other rules.")
    run_chunk(batch.pk)
    assert [item.state for item in batch.items.order_by("pk")] == [BatchItem.State.FAILED, BatchItem.State.DONE]
    assert "void" in batch.items.get(battle=battles[0]).reason
    assert not reconcile().differences


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


STATEMENTS = 18
"""Three that lock and read, eight for the ledgers and the rosters, and those for runs, steps, events and the battle."""


@pytest.mark.parametrize("more", [0, 40])
def test_the_statements_do_not_grow_with_the_roster(
    more: int, scene: Scene, django_assert_max_num_queries: Callable[..., AbstractContextManager[object]]
) -> None:
    for name in ("Ilse", "Marek"):
        crowd(scene.warbands[name], more)
    battle = a_battle(scene, "Ilse", "Marek", state=Battle.State.CONFIRMED)
    with django_assert_max_num_queries(STATEMENTS):
        resolve_battle(battle=battle.pk, actor=scene.gm)
    battle.refresh_from_db()
    assert battle.state == Battle.State.CLOSED
    assert LedgerEntry.objects.filter(battle=battle.key).count() > more


def test_a_resolved_battle_leaves_nothing_in_memory(scene: Scene, battles: list[Battle]) -> None:
    """Things that hold each other are swept up only now and then; a worker would grow until they are."""
    batch = start_batch(actor=scene.gm, campaign=scene.campaign)
    resolve_next(batch=batch.pk)
    gc.collect()
    gc.disable()
    try:
        resolve_next(batch=batch.pk)
        left = [thing for thing in gc.get_objects() if isinstance(thing, Run | Participation | Table | Playing)]
    finally:
        gc.enable()
    assert left == []


def test_a_battle_that_the_database_refuses_fails_alone(
    scene: Scene, battles: list[Battle], monkeypatch: pytest.MonkeyPatch
) -> None:
    def resolve(*, battle: int, actor: User | None) -> Resolved:
        found = resolve_battle(battle=battle, actor=actor)
        if battle == battles[0].pk:
            Warband.objects.filter(pk=scene.warbands["Ilse"].pk).update(treasury=-1)
        return found

    monkeypatch.setattr(resolve_item, "resolve_battle", resolve)
    batch = start_batch(actor=scene.gm, campaign=scene.campaign)
    before = ledger_of(battles[0])
    run_chunk(batch.pk)
    assert [item.state for item in batch.items.order_by("pk")] == [BatchItem.State.FAILED, BatchItem.State.DONE]
    assert "IntegrityError" in batch.items.get(battle=battles[0]).reason
    assert ledger_of(battles[0]) == before
    assert not reconcile().differences


def test_a_database_that_is_away_says_nothing_about_the_battle(
    scene: Scene, battles: list[Battle], monkeypatch: pytest.MonkeyPatch
) -> None:
    def resolve(*, battle: int, actor: User | None) -> Resolved:
        raise OperationalError("the server closed the connection")

    monkeypatch.setattr(resolve_item, "resolve_battle", resolve)
    batch = start_batch(actor=scene.gm, campaign=scene.campaign)
    with pytest.raises(OperationalError):
        run_chunk(batch.pk)
    assert {item.state for item in batch.items.all()} == {BatchItem.State.WAITING}


def test_a_battle_from_a_confirmed_report_ends_as_one_whose_post_game_was_open(scene: Scene) -> None:
    """Resolved at once, its runs are written in their last state; otherwise step by step. What is left is the same."""
    told = []
    battle = a_battle(scene, "Ilse", "Marek", state=Battle.State.CONFIRMED)
    for begin in (lambda: None, lambda: opened(battle)):
        with transaction.atomic():
            begin()
            resolve_battle(battle=battle.pk, actor=scene.gm)
            runs = Run.objects.filter(battle=battle).order_by("warband")
            told.append([
                ledger_of(battle),
                list(runs.values_list("warband", "state", "step", "answers", "thrown", "waits_for", "state_before")),
                list(RunStep.objects.filter(run__in=runs).order_by("run__warband", "place").values_list("story")),
                list(Battle.objects.filter(pk=battle.pk).values_list("state", "version", "shared_dice")),
                list(Event.objects.filter(battle=battle).order_by("kind", "warband").values_list("kind", "warband")),
            ])  # fmt: skip
            transaction.set_rollback(True)
    assert told[0] == told[1]


@pytest.mark.django_db(transaction=True)
def test_batches_that_share_warbands_wait_for_each_other_but_not_for_ever(scene: Scene, battles: list[Battle]) -> None:
    """A preview, late post-games and the round itself, in opposite orders: locks are taken in one order."""
    keys = [battle.pk for battle in battles]
    preview = start_batch(actor=scene.gm, campaign=scene.campaign, battles=keys[::-1], is_preview=True)
    batch = start_batch(actor=scene.gm, campaign=scene.campaign, battles=keys)

    def late() -> None:
        for key in keys[::-1]:
            finish_late_run(battle=key)

    told = at_once(
        lambda: run_chunk(preview.pk), lambda: run_chunk(batch.pk), lambda: run_chunk(batch.pk), late
    )  # fmt: skip
    assert set(told) <= {"", "wrong_state"}
    assert {battle.state for battle in Battle.objects.all()} == {Battle.State.CLOSED}
    assert RunStep.objects.values("run", "step").distinct().count() == RunStep.objects.count()
    assert not reconcile().differences


# Messages -----------------------------------------------------------------------------------------------


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> deque[tuple[int, int]]:
    """Messages of chunks in their order, and a chunk is one battle."""
    sent: deque[tuple[int, int]] = deque()
    monkeypatch.setattr(current_app, "send_task", lambda _name, args: sent.append(tuple(args)))
    monkeypatch.setattr(batches, "CHUNK", 1)
    monkeypatch.setattr(tasks, "CHUNK", 1)
    return sent


def test_a_small_batch_waits_for_a_few_chunks_of_a_large_one(queue: deque[tuple[int, int]]) -> None:
    large = start_batch(actor=None, campaign=many_battles(16), send=False)
    small = start_batch(actor=None, campaign=many_battles(2), send=False)
    send_chunks(large)
    send_chunks(small)
    while BatchItem.objects.filter(batch=small, state=BatchItem.State.WAITING).exists():
        run_chunk(*queue.popleft())
    assert progress_of(large).done <= AT_ONCE + 1
    assert [batch for batch, _wave in queue].count(large.pk) == AT_ONCE


def test_messages_that_are_sent_anew_take_the_place_of_the_old_ones(queue: deque[tuple[int, int]]) -> None:
    """The queue is slow: what was sent first has its turn all the same, until something newer has it."""
    batch = start_batch(actor=None, campaign=many_battles(24), send=False)
    send_chunks(batch)
    for _minute in range(3):
        Batch.objects.update(moved=F("moved") - timedelta(hours=1), made=F("made") - timedelta(minutes=1))
        tend_batches()
    assert len(queue) == 4 * AT_ONCE
    for _message in range(len(queue)):
        run_chunk(*queue.popleft())
    assert progress_of(batch).done == 4 * AT_ONCE
    for _message in range(len(queue)):
        run_chunk(*queue.popleft())
    assert progress_of(batch).done == 5 * AT_ONCE
    assert len(queue) == AT_ONCE


def test_the_rate_is_that_of_the_last_minute(scene: Scene, battles: list[Battle]) -> None:
    """A batch that was tried again after a day is not slow for that."""
    batch = start_batch(actor=scene.gm, campaign=scene.campaign)
    Batch.objects.update(made=timezone.now() - timedelta(days=1))
    resolve_next(batch=batch.pk)
    BatchItem.objects.filter(state=BatchItem.State.DONE).update(ended=timezone.now() - timedelta(seconds=2))
    batch.refresh_from_db()
    progress = progress_of(batch)
    assert 0.3 < progress.rate <= 0.5
    assert progress.seconds_left in (2, 3)


def test_what_a_worker_that_died_had_in_hand_after_a_stop_is_tried_again(scene: Scene, battles: list[Battle]) -> None:
    batch = start_batch(actor=scene.gm, campaign=scene.campaign)
    resolve_next(batch=batch.pk)
    Batch.objects.filter(pk=batch.pk).update(state=Batch.State.CANCELLED)
    run_chunk(retry_batch(actor=scene.gm, batch=batch).pk)
    assert {item.state for item in batch.items.all()} == {BatchItem.State.DONE}
