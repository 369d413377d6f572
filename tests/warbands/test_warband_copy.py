"""A warband as it would be founded today."""

from random import Random

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from rules.engine import changes as c
from rules.engine.state import Item
from tests.people import sign_in
from tests.warbands.histories import random_warband
from warbands.models import Warband
from warbands.projection import read_state
from warbands.services.apply_changes import apply_changes
from warbands.services.copy_warband import copy_warband
from warbands.services.draft import draft_problems
from warbands.services.found import found


def test_the_same_people_and_things_without_their_past(wardens: Warband, ilse: User) -> None:
    row, missing = copy_warband(actor=ilse, warband=wardens)
    old, new = read_state(wardens), read_state(row)
    assert (row.name, row.status, row.army) == ("Copy of The Lantern Wardens", Warband.Status.DRAFT, wardens.army)
    assert [one.name for one in new.fighters.values()] == [one.name for one in old.fighters.values()]
    assert [one.models for one in new.fighters.values()] == [one.models for one in old.fighters.values()]
    assert new.fighters[new.leader].name == old.fighters[old.leader].name
    assert all(one.experience == one.starting_experience and not one.injuries for one in new.fighters.values())
    assert draft_problems(new) == []
    assert found(actor=ilse, warband=row).status == Warband.Status.READY
    assert all("stockpile" in line for line in missing)


def test_what_a_new_warband_cannot_have_is_listed(wardens: Warband, ilse: User) -> None:
    key = str(wardens.pk)
    leader = read_state(wardens).leader
    rare = Item("i900", "Plate Armour")
    apply_changes(warband=wardens, changes=[c.ItemGained(key, leader, rare, "found")], actor=ilse, cause="found")
    wardens.refresh_from_db()
    row, missing = copy_warband(actor=ilse, warband=wardens)
    line = next(line for line in missing if "Plate Armour" in line)
    assert "Odile Brandt" in line
    assert line in row.notes


def test_the_page_shows_it_first_and_then_makes_it(signed_in: Client, wardens: Warband) -> None:
    address = reverse("warband_copy", args=[wardens.pk])
    html = signed_in.get(address).content.decode()
    assert "Odile Brandt" in html
    assert Warband.objects.filter(status="draft").count() == 0
    answer = signed_in.post(address)
    draft = Warband.objects.get(status="draft")
    assert answer["Location"] == reverse("warband", args=[draft.pk])
    assert draft.owner.name == "Ilse"


def test_strangers_need_the_link(client: Client, wardens: Warband) -> None:
    address = reverse("warband_copy", args=[wardens.pk])
    assert client.post(address).status_code == 302
    sign_in(client, "Dagny")
    for token in ("", "wrong"):
        assert client.post(address, {"token": token}).status_code == 404
    Warband.objects.filter(pk=wardens.pk).update(share_token="the-link")
    assert client.get(address, {"token": "the-link"}).status_code == 200
    assert client.post(address, {"token": "the-link"}).status_code == 302
    assert Warband.objects.get(status="draft").owner.name == "Dagny"


def test_private_words_stay_private(wardens: Warband) -> None:
    Warband.objects.filter(pk=wardens.pk).update(notes="secret", lore="ours")
    wardens.refresh_from_db()
    row, _missing = copy_warband(actor=User.objects.get(name="Dagny"), warband=wardens)
    assert "secret" not in row.notes
    assert row.lore == ""


@pytest.mark.django_db
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**9))
def test_a_copy_never_costs_more_than_there_is(seed: int) -> None:
    owner, _new = User.objects.get_or_create(email="any@example.com", defaults={"name": "Any"})
    warband = random_warband(owner, Random(seed), acts=4)
    row, missing = copy_warband(actor=owner, warband=warband)
    copy, state = read_state(row), read_state(warband)
    assert copy.treasury >= 0
    assert not copy.stockpile
    assert len(copy.fighters) + len(missing) >= len(state.fighters)
