"""The page of one act: what it changed, its dice, and voiding it with all that rests on it."""

from random import Random
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from accounts.models import User
from campaigns.models import Campaign, Enrolment, Membership
from rules.engine import changes as c
from rules.engine.errors import RuleViolation
from rules.engine.state import Item
from tests.people import sign_in
from tests.warbands.histories import random_warband
from warbands.ledger import read_history
from warbands.models import LedgerEntry, Warband
from warbands.projection import read_state
from warbands.reconcile import differences
from warbands.services.apply_changes import Stale, apply_changes
from warbands.services.undo import undo
from warbands.services.void import CASCADE, KEEP, dependants, void_act
from warbands.trial import alike, read_story


@pytest.fixture
def player(db: None) -> User:
    return User.objects.create_user("ilse@example.com", name="Ilse")


@pytest.fixture
def operator(db: None) -> User:
    return User.objects.create_user("otto@example.com", name="Otto", is_staff=True, is_superuser=True)


@pytest.fixture
def band(player: User) -> Warband:
    """Founded with nothing in the treasury and nothing since."""
    warband = random_warband(player, Random(5), acts=0)
    do(warband, c.TreasuryChanged(str(warband.pk), -warband.treasury, "spent"))
    return warband


def do(warband: Warband, *changes: c.Change, cause: str = "test") -> UUID:
    apply_changes(warband=warband, changes=changes, actor=warband.owner, cause=cause)
    warband.refresh_from_db()
    return LedgerEntry.objects.filter(warband=warband).order_by("-sequence")[0].act


def points(warband: Warband, amount: int) -> c.Change:
    return c.TreasuryChanged(str(warband.pk), amount, "found")


def resting(warband: Warband, act: UUID) -> list[UUID]:
    return [later.id for later in dependants(warband, act)]


def check(warband: Warband) -> Warband:
    warband.refresh_from_db()
    assert differences(warband) == []
    return warband


# What rests on what ---------------------------------------------------------------------------------


def test_points_that_were_spent_rest_on_the_points(band: Warband) -> None:
    found, spent, other = do(band, points(band, 50)), do(band, points(band, -40)), do(band, points(band, 5))
    assert resting(band, found) == [spent]
    assert resting(band, spent) == resting(band, other) == []


def test_an_item_that_was_handed_on_rests_on_its_finding(band: Warband) -> None:
    key, item = str(band.pk), Item(f"i{band.next_id}", "Lantern")
    who = next(iter(read_state(band).fighters))
    found = do(band, c.IdsTaken(key, 1), c.ItemGained(key, "", item, "found"))
    given_out = do(band, c.ItemMoved(key, item, "", who, "allocated"))
    assert resting(band, found) == [given_out]


def test_a_value_that_was_taken_over_rests_on_the_one_before(band: Warband) -> None:
    key, who = str(band.pk), next(iter(read_state(band).fighters))
    late = do(band, c.FighterSet(key, who, "delayed", False, True, "late"))
    back = do(band, c.FighterSet(key, who, "delayed", True, False, "back"))
    assert resting(band, late) == [back]


def test_kills_are_counted_and_rest_on_nothing(band: Warband, operator: User) -> None:
    key, who = str(band.pk), next(iter(read_state(band).fighters))
    first = do(band, c.FighterSet(key, who, "melee_kills", 0, 2, "battle"))
    do(band, c.FighterSet(key, who, "melee_kills", 2, 3, "battle"))
    assert resting(band, first) == []
    void_act(actor=operator, warband=band, act=first, reason="not his kills")
    assert read_state(check(band)).fighters[who].melee_kills == 1


def test_an_advance_rests_on_the_experience_for_it(wardens: Warband) -> None:
    acts = {(act.battle.partition("-")[2], act.step): act.id for act in read_history(wardens).acts.values()}
    assert resting(wardens, acts["1", "experience"]) == [acts["1", "advancement"], acts["4", "advancement"]]


def test_what_was_undone_rests_on_nothing(band: Warband, player: User) -> None:
    found, spent = do(band, points(band, 50)), do(band, points(band, -40))
    undo(actor=player, warband=band, act=spent)
    assert resting(band, found) == []


# Voiding --------------------------------------------------------------------------------------------


def test_voiding_adds_the_inverses_and_keeps_the_past(band: Warband, operator: User) -> None:
    found, entries = do(band, points(band, 50)), band.ledger.count()
    void_act(actor=operator, warband=band, act=found, reason="  wrong   table ")
    check(band)
    last = band.ledger.order_by("-sequence")[0]
    assert (band.treasury, band.ledger.count()) == (0, entries + 1)
    assert (last.cause, last.actor, last.step) == ("Voided: wrong table", operator, "void")
    assert last.undoes is not None
    assert last.undoes.act == found


def test_it_stops_where_something_rests_on_it_unless_asked(band: Warband, operator: User) -> None:
    found, spent = do(band, points(band, 50)), do(band, points(band, -40))
    with pytest.raises(RuleViolation, match="Later acts rest on it"):
        void_act(actor=operator, warband=band, act=found, reason="why")
    with pytest.raises(RuleViolation, match="cannot stand without it"):
        void_act(actor=operator, warband=band, act=found, reason="why", cascade=KEEP)
    gone = void_act(actor=operator, warband=band, act=found, reason="why", cascade=CASCADE)
    assert [act.id for act in gone] == [found, spent]
    assert check(band).treasury == 0


def test_what_rests_on_it_is_kept_where_that_is_possible(band: Warband, operator: User) -> None:
    key, (who, fighter) = str(band.pk), next(iter(read_state(band).fighters.items()))
    first = do(band, c.FighterSet(key, who, "name", fighter.name, "Bea", "renamed"))
    second = do(band, c.FighterSet(key, who, "name", "Bea", "Cid", "renamed"))
    assert resting(band, first) == [second]
    void_act(actor=operator, warband=band, act=first, reason="why", cascade=KEEP)
    assert read_state(check(band)).fighters[who].name == "Cid"


def test_numbers_that_were_given_out_stay_given_out(band: Warband, operator: User) -> None:
    key, number = str(band.pk), band.next_id
    first = do(band, c.IdsTaken(key, 1), c.ItemGained(key, "", Item(f"i{number}", "Torch"), "found"))
    do(band, c.IdsTaken(key, 1), c.ItemGained(key, "", Item(f"i{number + 1}", "Sword"), "found"))
    void_act(actor=operator, warband=band, act=first, reason="why")
    assert check(band).next_id == number + 2
    assert [item.name for item in read_state(band).stockpile] == ["Sword"]


def test_the_rating_is_worked_out_anew(wardens: Warband) -> None:
    operator = User.objects.get(name="Otto")
    advance = [act.id for act in read_history(wardens).acts.values() if act.step == "advancement"][-1]
    rating = wardens.rating
    void_act(actor=operator, warband=wardens, act=advance, reason="wrong fighter", cascade=CASCADE)
    assert check(wardens).rating < rating


def test_a_voiding_can_be_voided(band: Warband, operator: User, player: User) -> None:
    found = do(band, points(band, 50))
    void_act(actor=operator, warband=band, act=found, reason="why")
    voiding = band.ledger.order_by("-sequence")[0].act
    with pytest.raises(RuleViolation, match="taken back already"):
        void_act(actor=operator, warband=band, act=found, reason="twice")
    with pytest.raises(RuleViolation, match="It was voided"):
        undo(actor=player, warband=band, act=found)
    void_act(actor=operator, warband=band, act=voiding, reason="it was right")
    assert check(band).treasury == 50


def test_it_needs_a_reason_somebody_who_may_and_an_act(band: Warband, operator: User, player: User) -> None:
    found = do(band, points(band, 50))
    for reason in ("", "   ", "x" * 161):
        with pytest.raises(RuleViolation):
            void_act(actor=operator, warband=band, act=found, reason=reason)
    with pytest.raises(RuleViolation, match="Only a game master"):
        void_act(actor=player, warband=band, act=found, reason="why")
    with pytest.raises(RuleViolation, match="not in the ledger"):
        void_act(actor=operator, warband=band, act=uuid4(), reason="why")
    with pytest.raises(RuleViolation, match="founding cannot be voided"):
        void_act(actor=operator, warband=band, act=band.ledger.get(sequence=1).act, reason="why")
    with pytest.raises(Stale):
        void_act(actor=operator, warband=band, act=found, reason="why", expected_version=0)
    assert check(band).treasury == 50


@pytest.mark.django_db
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**9))
@example(22010)
def test_voiding_any_act_is_as_if_it_had_never_been(seed: int) -> None:
    chance = Random(seed)
    owner, _new = User.objects.get_or_create(email="any@example.com", defaults={"name": "Any", "is_superuser": True})
    warband = random_warband(owner, chance, acts=6)
    for _ in range(2):
        history = read_history(warband)
        act = chance.choice([act for act in history.live if not history.acts[act].is_founding])
        without = read_story(warband, history).without({act, *resting(warband, act)})
        void_act(actor=owner, warband=warband, act=act, reason="why", cascade=CASCADE)
        assert alike(read_state(check(warband)), without.state)


# The page -------------------------------------------------------------------------------------------


def page(client: Client, warband: Warband, act: UUID) -> str:
    return client.get(reverse("act", args=[warband.pk, act])).content.decode()


def test_the_owner_sees_before_after_and_the_button(client: Client, band: Warband) -> None:
    html = page(sign_in(client, "Ilse"), band, do(band, points(band, 50)))
    assert "<del>0</del>" in html
    assert "<ins>50</ins>" in html
    assert reverse("warband_undo", args=[band.pk]) in html
    assert "Void this act" not in html


def test_every_act_of_a_real_past_can_be_shown(signed_in: Client, wardens: Warband) -> None:
    for act in read_history(wardens).acts.values():
        html = page(signed_in, wardens, act.id)
        assert "<h1>" in html
    assert "It is part of a post-game. Reopen its step there." in html


def test_strangers_see_nothing(client: Client, band: Warband) -> None:
    act = do(band, points(band, 50))
    address = reverse("act", args=[band.pk, act])
    assert client.get(address).status_code == 302
    User.objects.create_user("sten@example.com", name="Sten")
    assert sign_in(client, "Sten").get(address).status_code == 404
    assert sign_in(client, "Ilse").get(reverse("act", args=[band.pk, uuid4()])).status_code == 404


def test_an_operator_sees_what_rests_on_it_and_voids(client: Client, band: Warband, operator: User) -> None:
    found, _spent = do(band, points(band, 50)), do(band, points(band, -40), cause="Bought a mule")
    sign_in(client, "Otto")
    html = page(client, band, found)
    assert "One later act rests on it." in html
    assert "Bought a mule" in html
    assert "Undo" not in html.split("<main", 1)[1].split("</main>")[0]
    data = {"reason": "wrong table", "cascade": CASCADE, "version": band.version}
    address = reverse("act", args=[band.pk, found])
    assert client.post(address, data | {"reason": ""}).status_code == 200
    stale = client.post(address, data | {"version": 0})
    assert stale.status_code == 409
    assert "wrong table" in stale.content.decode()
    assert client.post(address, data).status_code == 302
    assert check(band).treasury == 0


@pytest.mark.parametrize("role", ["gm", "co_gm"])
def test_a_game_master_of_its_campaign_voids(client: Client, wardens: Warband, role: str) -> None:
    Membership.objects.filter(person__name="Priya").update(role=role)
    found, points_before = do(wardens, points(wardens, 50)), wardens.treasury - 50
    assert "Void this act" in page(sign_in(client, "Priya"), wardens, found)
    data = {"reason": "wrong table", "cascade": "stop", "version": wardens.version}
    assert client.post(reverse("act", args=[wardens.pk, found]), data).status_code == 302
    assert check(wardens).treasury == points_before


def test_who_only_plays_in_it_or_runs_another_one_cannot_void(client: Client, wardens: Warband) -> None:
    marek = User.objects.get(name="Marek")
    other = Campaign.objects.create(name="Elsewhere")
    Membership.objects.create(campaign=other, person=marek, role="gm")
    found, now = do(wardens, points(wardens, 50)), wardens.treasury
    assert "Void this act" not in page(sign_in(client, "Marek"), wardens, found)
    data = {"reason": "envy", "cascade": "stop", "version": wardens.version}
    answer = client.post(reverse("act", args=[wardens.pk, found]), data)
    assert (answer.status_code, check(wardens).treasury) == (409, now)


def test_a_game_master_voids_no_more_once_it_has_left(wardens: Warband) -> None:
    found = do(wardens, points(wardens, 50))
    Enrolment.objects.filter(warband=wardens).update(left=timezone.now())
    with pytest.raises(RuleViolation, match="Only a game master"):
        void_act(actor=User.objects.get(name="Priya"), warband=wardens, act=found, reason="why")


def test_an_owner_cannot_void(client: Client, band: Warband) -> None:
    found = do(band, points(band, 50))
    data = {"reason": "mine", "cascade": "stop", "version": band.version}
    answer = sign_in(client, "Ilse").post(reverse("act", args=[band.pk, found]), data)
    assert (answer.status_code, check(band).treasury) == (409, 50)


def test_the_page_costs_the_same_queries_whatever_the_length(client: Client, player: User) -> None:
    sign_in(client, "Ilse")
    counts = []
    for acts in (3, 15):
        warband = random_warband(player, Random(2), acts)
        act = list(read_history(warband).acts)[1]
        with CaptureQueriesContext(connection) as queries:
            page(client, warband, act)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 20
