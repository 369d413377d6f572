"""The owner takes the last act back, once, while nobody else depends on it."""

import threading
from random import Random
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from rules.engine import changes as c
from rules.engine.errors import RuleViolation
from rules.engine.sequence import STEPS
from tests.people import sign_in
from tests.warbands.histories import act, random_warband
from warbands.ledger import founded_state, read_history
from warbands.models import LedgerEntry, Warband
from warbands.projection import read_state
from warbands.reconcile import differences
from warbands.services import apply_changes as writing
from warbands.services.apply_changes import Stale, apply_changes
from warbands.services.undo import undo


@pytest.fixture
def player(db: None) -> User:
    return User.objects.create_user("ilse@example.com", name="Ilse")


@pytest.fixture
def band(player: User) -> Warband:
    """Founded, and nothing since."""
    return random_warband(player, Random(5), acts=0)


def pay(warband: Warband, actor: User | None, points: int, battle: str = "", act: UUID | None = None) -> UUID:
    change = c.TreasuryChanged(str(warband.pk), points, "found")
    apply_changes(warband=warband, changes=[change], actor=actor, cause="Found", battle=battle, act=act)
    warband.refresh_from_db()
    return newest(warband)


def newest(warband: Warband) -> UUID:
    return LedgerEntry.objects.filter(warband=warband).order_by("-sequence")[0].act


def send(client: Client, warband: Warband, act: object, version: object) -> int:
    data = {"act": str(act), "version": str(version)}
    return client.post(reverse("warband_undo", args=[warband.pk]), data).status_code


def test_the_last_act_is_undone_by_its_inverses(player: User, band: Warband) -> None:
    before = read_state(band)
    entries = act(band, player, Random(1))
    done = undo(actor=player, warband=band, act=entries[0].act)
    band.refresh_from_db()
    assert read_state(band) == before
    taking_back = band.ledger.filter(step="undo").order_by("sequence")
    assert [entry.undoes for entry in taking_back] == entries
    assert taking_back[0].cause == "Undone: Injury"
    assert done == entries[0].act
    assert differences(band) == []


def test_an_undoing_can_be_undone_and_that_again(player: User, band: Warband) -> None:
    points = band.treasury
    found = pay(band, player, 30)
    for expected in (points, points + 30, points, points + 30):
        undo(actor=player, warband=band, act=found)
        band.refresh_from_db()
        assert band.treasury == expected
    assert band.ledger.order_by("-sequence")[0].cause == "Done again: Found"
    assert differences(band) == []


def test_acts_are_undone_one_after_another_and_done_again_in_order(player: User, band: Warband) -> None:
    first, second = pay(band, player, 1), pay(band, player, 10)
    points = band.treasury
    with pytest.raises(RuleViolation, match="Undo those first"):
        undo(actor=player, warband=band, act=first)
    undo(actor=player, warband=band, act=second)
    undo(actor=player, warband=band, act=first)
    band.refresh_from_db()
    assert band.treasury == points - 11
    with pytest.raises(RuleViolation, match="Undo those first"):
        undo(actor=player, warband=band, act=second)
    undo(actor=player, warband=band, act=first)
    undo(actor=player, warband=band, act=second)
    band.refresh_from_db()
    assert band.treasury == points


def test_after_something_new_nothing_is_done_again(player: User, band: Warband) -> None:
    found = pay(band, player, 10)
    undo(actor=player, warband=band, act=found)
    pay(band, player, 1)
    with pytest.raises(RuleViolation, match="Other things happened"):
        undo(actor=player, warband=band, act=found)


def test_the_founding_stays(player: User, band: Warband) -> None:
    with pytest.raises(RuleViolation, match="founding cannot be undone"):
        undo(actor=player, warband=band, act=newest(band))


def test_an_unknown_act_is_refused(player: User, band: Warband) -> None:
    with pytest.raises(RuleViolation, match="not in the ledger"):
        undo(actor=player, warband=band, act=uuid4())


def test_only_the_owner_undoes(player: User, band: Warband) -> None:
    other = User.objects.create_user("otto@example.com", name="Otto", is_superuser=True)
    with pytest.raises(RuleViolation, match="Only its owner"):
        undo(actor=other, warband=band, act=pay(band, player, 1))


# Others depend on it --------------------------------------------------------------------------------


def test_a_battle_that_others_went_on_with_stays(player: User, band: Warband) -> None:
    foe = random_warband(player, Random(6), acts=0)
    mine = pay(band, player, 5, battle="b1")
    theirs = pay(foe, player, 5, battle="b1")
    with pytest.raises(RuleViolation, match="gone on with this battle"):
        undo(actor=player, warband=band, act=mine)
    undo(actor=player, warband=foe, act=theirs)
    undo(actor=player, warband=band, act=mine)


def test_what_a_file_says_does_not_count_as_going_on(player: User, band: Warband) -> None:
    foe = random_warband(player, Random(6), acts=0)
    mine = pay(band, player, 5, battle="b1")
    pay(foe, player, 5, battle="b1")
    foe.ledger.update(version=0)
    undo(actor=player, warband=band, act=mine)


def test_an_act_of_two_warbands_stays(player: User, band: Warband) -> None:
    foe, together = random_warband(player, Random(6), acts=0), uuid4()
    pay(foe, player, 5, act=together)
    pay(band, player, -5, act=together)
    with pytest.raises(RuleViolation, match="changed another warband"):
        undo(actor=player, warband=band, act=together)


def test_a_captivity_stays(player: User, band: Warband) -> None:
    key = next(iter(read_state(band).fighters))
    taken = c.FighterSet(str(band.pk), key, "captive_of", "", "77", "captured")
    apply_changes(warband=band, changes=[taken], actor=player, cause="captured")
    with pytest.raises(RuleViolation, match="changed another warband"):
        undo(actor=player, warband=band, act=newest(band))


# A post-game ----------------------------------------------------------------------------------------


def play_step(warband: Warband, actor: User, step: str, battle: str) -> UUID:
    found = c.TreasuryChanged(str(warband.pk), 5, "found")
    apply_changes(warband=warband, changes=[found], actor=actor, cause=step, step=step, battle=battle)
    warband.refresh_from_db()
    return newest(warband)


@pytest.mark.parametrize("step", STEPS)
def test_a_step_of_a_post_game_is_reopened_there_and_not_undone_here(player: User, band: Warband, step: str) -> None:
    before, played = read_state(band), play_step(band, player, step, "7-3")
    with pytest.raises(RuleViolation, match="Reopen its step there") as refusal:
        undo(actor=player, warband=band, act=played)
    assert refusal.value.code == "in_a_post_game"
    undo(actor=player, warband=band, act=played, within_run=True)
    band.refresh_from_db()
    assert read_state(band) == before


def test_what_a_reopened_step_took_back_is_not_done_again_here(player: User, band: Warband) -> None:
    played = play_step(band, player, "injury", "7-3")
    undo(actor=player, warband=band, act=played, within_run=True)
    with pytest.raises(RuleViolation, match="Reopen its step there"):
        undo(actor=player, warband=band, act=played)


@pytest.mark.parametrize(("step", "battle"), [("trading", ""), ("gift", "7-3"), ("", "")])
def test_what_belongs_to_no_post_game_is_undone(player: User, band: Warband, step: str, battle: str) -> None:
    before = read_state(band)
    undo(actor=player, warband=band, act=play_step(band, player, step, battle))
    band.refresh_from_db()
    assert read_state(band) == before


def test_a_post_game_that_a_file_tells_of_cannot_be_reopened_and_so_is_undone(player: User, band: Warband) -> None:
    before, played = read_state(band), play_step(band, player, "injury", "7-3")
    band.ledger.filter(act=played).update(version=0)
    undo(actor=player, warband=band, act=played)
    band.refresh_from_db()
    assert read_state(band) == before


# Two devices, a crash, a race -----------------------------------------------------------------------


def test_a_stale_undo_says_what_happened_meanwhile(player: User, band: Warband) -> None:
    found, seen = pay(band, player, 5), band.version
    pay(band, player, 7)
    with pytest.raises(Stale) as refusal:
        undo(actor=player, warband=band, act=found, expected_version=seen)
    assert list(refusal.value.happened) == ["Found, by Ilse: 7 points came in: found."]


def test_a_crash_in_the_middle_leaves_nothing(player: User, band: Warband, monkeypatch: pytest.MonkeyPatch) -> None:
    found = pay(band, player, 5)
    before, entries, version = read_state(band), band.ledger.count(), band.version

    def killed(*_: object) -> None:
        raise SystemExit

    monkeypatch.setattr(writing, "write_states", killed)
    with pytest.raises(SystemExit):
        undo(actor=player, warband=band, act=found)
    band.refresh_from_db()
    assert (read_state(band), band.ledger.count(), band.version) == (before, entries, version)


@pytest.mark.django_db(transaction=True)
def test_two_undoings_at_once_are_one() -> None:
    player = User.objects.create_user("ilse@example.com", name="Ilse")
    band = random_warband(player, Random(5), acts=0)
    points = band.treasury
    found, seen = pay(band, player, 5), band.version
    outcomes: list[str] = []
    together = threading.Barrier(4)

    def press() -> None:
        try:
            together.wait()
            undo(actor=player, warband=band, act=found, expected_version=seen)
            outcomes.append("done")
        except Stale:
            outcomes.append("stale")
        finally:
            connection.close()

    threads = [threading.Thread(target=press) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    band.refresh_from_db()
    assert sorted(outcomes) == ["done", "stale", "stale", "stale"]
    assert band.treasury == points
    assert differences(band) == []


# The page -------------------------------------------------------------------------------------------


def test_the_button_undoes(client: Client, player: User, band: Warband) -> None:
    points, found = band.treasury, pay(band, player, 5)
    sign_in(client, "Ilse")
    assert send(client, band, found, band.version) == 302
    band.refresh_from_db()
    assert band.treasury == points


def test_it_needs_the_owner(client: Client, player: User, band: Warband) -> None:
    found = pay(band, player, 5)
    assert send(client, band, found, band.version) == 302
    User.objects.create_user("sten@example.com", name="Sten")
    sign_in(client, "Sten")
    assert send(client, band, found, band.version) == 404
    band.refresh_from_db()
    assert newest(band) == found


def test_a_stale_or_wrong_button_does_nothing(client: Client, player: User, band: Warband) -> None:
    found, seen = pay(band, player, 5), band.version
    pay(band, player, 7)
    sign_in(client, "Ilse")
    assert send(client, band, found, seen) == 409
    assert send(client, band, found, band.version) == 409
    for wrong in ("", "x", "1e9"):
        assert send(client, band, found, wrong) == 400
        assert send(client, band, wrong, band.version) == 400
    assert band.ledger.count() == 3


@pytest.mark.django_db
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**9))
def test_undoing_everything_gives_the_founding_back(seed: int) -> None:
    owner, _new = User.objects.get_or_create(email="any@example.com", defaults={"name": "Any"})
    warband = random_warband(owner, Random(seed), acts=5)
    for last in list(read_history(warband).acts)[:0:-1]:
        undo(actor=owner, warband=warband, act=last, within_run=True)
    warband.refresh_from_db()
    founding = warband.ledger.get(sequence=1)
    assert read_state(warband) == founded_state(founding.change)
    assert differences(warband) == []
