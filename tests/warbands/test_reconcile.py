"""Ledgers and tables are compared in bulk, by hand and by night."""

from io import StringIO
from random import Random

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from rules.engine import changes as c
from rules.engine.state import Item
from tests.warbands.histories import random_warband
from warbands import reconcile as module
from warbands.models import Fighter, ReconcileRun, Warband
from warbands.projection import read_state, read_states
from warbands.reconcile import differences, reconcile
from warbands.services.apply_changes import apply_changes
from warbands.services.draft import begin_draft, edit_draft
from warbands.services.found import begin_ledger
from warbands.tasks import reconcile_ledgers


@pytest.fixture
def player(db: None) -> User:
    return User.objects.create_user("ilse@example.com", name="Ilse")


def test_all_is_well_and_written_down(player: User) -> None:
    for seed in range(3):
        random_warband(player, Random(seed), acts=3)
    begin_draft(actor=player, name="A draft", army="EoS", devotion="low")
    said = StringIO()
    call_command("reconcile", stdout=said)
    assert said.getvalue() == "0 differences in 3 warbands.\n"
    run = ReconcileRun.objects.get()
    assert (run.warbands, run.differences) == (3, [])


def test_a_difference_is_named(player: User) -> None:
    band = random_warband(player, Random(1), acts=2)
    Warband.objects.filter(pk=band.pk).update(treasury=band.treasury + 1)
    Fighter.objects.filter(warband=band, position=0).update(name="Somebody else")
    with pytest.raises(CommandError, match="treasury"):
        call_command("reconcile")
    fields = {difference["field"] for difference in ReconcileRun.objects.get().differences}
    assert "treasury" in fields
    assert any(field.endswith(".name") for field in fields)


def test_a_ledger_that_cannot_be_folded_is_a_difference_and_no_crash(player: User) -> None:
    damaged, empty, well = (random_warband(player, Random(seed), acts=2) for seed in range(3))
    damaged.ledger.filter(sequence=2).update(change={"event": "Conquered"})
    empty.ledger.all().delete()
    run = reconcile()
    assert {difference["warband"] for difference in run.differences} == {damaged.pk, empty.pk}
    assert run.warbands == 3
    assert differences(well) == []


def test_the_order_of_a_roster_survives(player: User) -> None:
    """A draft may be put in any order, and the database keeps none for the keys of an object."""
    row = begin_draft(actor=player, name="In order", army="EoS", devotion="medium")
    orders = [{"do": "hire", "type": kind} for kind in ("Marshal", "Guard Sergeant", "Elector's Squire")]
    state = edit_draft(actor=player, warband=row, orders=orders)
    edit_draft(actor=player, warband=row, orders=[{"do": "reorder", "fighter": list(state.fighters)[2], "where": "up"}])
    Warband.objects.filter(pk=row.pk).update(status="ready")
    row.refresh_from_db()
    begin_ledger(row, player)
    assert list(read_state(row).fighters) != sorted(read_state(row).fighters, key=lambda key: (len(key), key))
    assert differences(row) == []


def test_what_the_dead_leave_behind_stays(player: User) -> None:
    """Picked up and fallen in one act: the thing must not go with the one who carried it."""
    band = random_warband(player, Random(5), acts=0)
    key, who, item = str(band.pk), list(read_state(band).fighters)[-1], Item(f"i{band.next_id}", "Torch")
    gained = [c.IdsTaken(key, 1), c.ItemGained(key, who, item, "found")]
    state = apply_changes(warband=band, changes=gained, actor=player, cause="test")
    moved = c.ItemMoved(key, item, who, "", "picked up")
    fallen = c.FighterVanquished(key, moved.apply(state).fighters[who], len(state.fighters) - 1, "Dead")
    apply_changes(warband=band, changes=[moved, fallen], actor=player, cause="test")
    band.refresh_from_db()
    assert differences(band) == []
    assert item in read_state(band).stockpile


def test_many_are_read_as_one_is(player: User) -> None:
    bands = [random_warband(player, Random(seed), acts=2) for seed in range(4)]
    assert read_states(bands) == {band.pk: read_state(band) for band in bands}


def test_a_chunk_costs_the_same_queries_whatever_is_in_it(player: User, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = []
    for _ in range(2):
        for seed in range(3):
            random_warband(player, Random(seed), acts=3)
        with CaptureQueriesContext(connection) as queries:
            reconcile()
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 10
    monkeypatch.setattr(module, "CHUNK", 2)
    seen: list[int] = []
    assert reconcile(seen.append).differences == []
    assert seen == [2, 4, 6]


def test_it_runs_by_night_and_old_runs_go(player: User, monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings.CELERY_BEAT_SCHEDULE["reconcile-ledgers"]["task"] == reconcile_ledgers.name
    monkeypatch.setattr(module, "RUNS_KEPT", 2)
    for _ in range(3):
        reconcile_ledgers()
    assert ReconcileRun.objects.count() == 2
