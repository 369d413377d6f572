"""The one write path: ledger and tables together, once, under the lock."""

import threading
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from rules.engine import changes as c
from rules.engine.errors import RuleViolation
from rules.engine.state import Injury, Item
from tests.demo import campaign_between_rounds
from warbands.models import Fighter, LedgerEntry, Warband
from warbands.projection import read_state
from warbands.reconcile import differences
from warbands.services.apply_changes import Stale, apply_changes


def happenings(warband: Warband) -> list[c.Change]:
    """A bit of everything, for the warband as it is."""
    key = str(warband.pk)
    state = read_state(warband)
    leader, other = list(state.fighters)[:2]
    sword = state.fighters[leader].items[0]
    return [
        c.TreasuryChanged(key, -10, "upkeep"),
        c.ExperienceGained(key, leader, 1, "took part"),
        c.CharacteristicChanged(key, leader, "Str", 1, "advance"),
        c.Gained(key, leader, "skill", "Haggle", "advance"),
        c.Gained(key, other, "injury", Injury("Leg Wound", "b9"), "injury"),
        c.ItemMoved(key, sword, leader, "", "allocated"),
        c.ItemGained(key, other, Item("i900", "Lantern"), "found"),
        c.FighterSet(key, other, "delayed", state.fighters[other].delayed, True, "leg wound"),
    ]


def test_changes_reach_the_ledger_and_the_tables(wardens: Warband, ilse: User) -> None:
    before = read_state(wardens)
    happened = happenings(wardens)
    after = apply_changes(warband=wardens, changes=happened, actor=ilse, cause="test", step="injury", battle="b9")
    wardens.refresh_from_db()
    assert read_state(wardens) == after == c.fold(before, happened)
    entries = list(wardens.ledger.order_by("sequence"))
    assert [entry.sequence for entry in entries] == list(range(1, len(entries) + 1))
    assert len({entry.act for entry in entries[-len(happened) :]}) == 1
    assert entries[-1].actor == ilse
    assert list(differences(wardens)) == []


def test_undoing_by_the_inverses_gives_the_state_back(wardens: Warband, ilse: User) -> None:
    before = read_state(wardens)
    happened = happenings(wardens)
    apply_changes(warband=wardens, changes=happened, actor=ilse, cause="test")
    backwards = [change.inverse() for change in reversed(happened)]
    apply_changes(warband=wardens, changes=backwards, actor=ilse, cause="undo")
    wardens.refresh_from_db()
    assert read_state(wardens) == before
    assert list(differences(wardens)) == []


def test_a_debt_is_refused_and_changes_nothing(wardens: Warband, ilse: User) -> None:
    before, entries = read_state(wardens), wardens.ledger.count()
    debt = c.TreasuryChanged(str(wardens.pk), -wardens.treasury - 1, "too much")
    with pytest.raises(RuleViolation, match="treasury does not hold that much"):
        apply_changes(warband=wardens, changes=[debt], actor=ilse, cause="test")
    wardens.refresh_from_db()
    assert (read_state(wardens), wardens.ledger.count()) == (before, entries)


def test_a_stale_form_is_refused(wardens: Warband, ilse: User) -> None:
    seen = wardens.version
    found = c.TreasuryChanged(str(wardens.pk), 5, "found")
    apply_changes(warband=wardens, changes=[found], actor=ilse, cause="phone", expected_version=seen)
    with pytest.raises(Stale) as refusal:
        apply_changes(warband=wardens, changes=[found], actor=ilse, cause="laptop", expected_version=seen)
    assert refusal.value.current == seen + 1


def test_the_database_refuses_what_must_never_be(wardens: Warband) -> None:
    impossible: list[dict[str, Any]] = [{"is_leader": True}, {"size": 0}, {"kind": "giant"}]
    for values in impossible:
        with pytest.raises(IntegrityError), transaction.atomic():
            Fighter.objects.filter(warband=wardens, is_leader=False).update(**values)
    with pytest.raises(IntegrityError), transaction.atomic():
        Warband.objects.filter(pk=wardens.pk).update(treasury=-1)
    with pytest.raises(IntegrityError), transaction.atomic():
        LedgerEntry.objects.filter(warband=wardens, sequence=2).update(sequence=1)


def test_a_write_costs_the_same_whatever_it_changes(wardens: Warband, ilse: User) -> None:
    happened = happenings(wardens)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        apply_changes(warband=wardens, changes=happened, actor=ilse, cause="test")
    assert len(queries) <= 20, [query["sql"][:90] for query in queries]


@pytest.mark.django_db(transaction=True)
def test_two_writers_wait_for_each_other() -> None:
    campaign_between_rounds()
    warband = Warband.objects.get(name="The Lantern Wardens")
    points = warband.treasury
    failures: list[BaseException] = []

    def write() -> None:
        try:
            for _ in range(5):
                found = c.TreasuryChanged(str(warband.pk), 1, "found")
                apply_changes(warband=warband, changes=[found], actor=None, cause="race")
        except BaseException as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    warband.refresh_from_db()
    assert warband.treasury == points + 20
    assert list(differences(warband)) == []
