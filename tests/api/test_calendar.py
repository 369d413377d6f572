"""Dates and calendars over the API."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from campaigns.models import Battle, CalendarFeed, DateProposal
from tests.api.caller import Caller
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene

Callers = Callable[..., Caller]


@pytest.fixture
def scene(db: None) -> Scene:
    found = a_scene()
    a_battle(found, state=Battle.State.SCHEDULED)
    return found


def dates(scene: Scene) -> str:
    return f"campaigns/{scene.campaign.pk}/battles/1/dates"


def when(days: int = 3) -> str:
    return (timezone.now() + timedelta(days=days)).replace(microsecond=0).isoformat()


def test_a_date_is_offered_answered_and_settled(scene: Scene, caller: Callers) -> None:
    ilse, marek, address = caller("Ilse"), caller("Marek"), dates(scene)
    offered = ilse.post(address, {"dates": [when(3), when(4)], "place": "At Marek's"})
    assert offered.status_code == 200, offered.content
    first, second = offered.json()["dates"]
    assert (first["can"], first["open"], first["mine"]) == (["Ilse"], ["Marek"], True)
    early = ilse.post(f"{address}/{first['id']}/acceptance")
    assert (early.status_code, early.json()["code"]) == (409, "not_everybody_can")
    answered = marek.put(f"{address}/{first['id']}/answer", {"can": True}).json()
    assert answered["dates"][0]["can"] == ["Ilse", "Marek"]
    assert marek.put(f"{address}/{second['id']}/answer", {"can": False}).json()["dates"][1]["cannot"] == ["Marek"]
    etag = ilse.get(address)["ETag"]
    settled = ilse.post(f"{address}/{first['id']}/acceptance", if_match=etag)
    assert settled.json()["settled"] == first["when"]
    assert Battle.objects.get().place == "At Marek's"
    assert ilse.post(f"{address}/{second['id']}/acceptance", if_match=etag).status_code == 412
    assert ilse.delete(f"{address}/{second['id']}").status_code == 204
    assert DateProposal.objects.count() == 1


def test_dates_of_the_wrong_kind_are_refused(scene: Scene, caller: Callers) -> None:
    ilse, address = caller("Ilse"), dates(scene)
    assert ilse.post(address, {"dates": []}).status_code == 422
    assert ilse.post(address, {"dates": ["tomorrow"]}).status_code == 422
    assert ilse.post(address, {"dates": ["2030-01-01T10:00:00"]}).status_code == 422
    assert ilse.post(address, {"dates": ["9999-12-31T23:59:59Z"]}).status_code == 422
    assert ilse.post(address, {"dates": [when(3), when(-3)]}).json()["code"] == "date_past"
    assert not DateProposal.objects.exists()
    assert ilse.put(f"{address}/1/answer", {"can": True}).status_code == 404


def test_members_read_dates_and_those_who_fight_act(scene: Scene, caller: Callers) -> None:
    for name in ("Dagny", "Sten"):
        a_person(name)
    scene.campaign.memberships.create(person=scene.people["Priya"].__class__.objects.get(name="Dagny"))
    assert caller("Dagny").get(dates(scene)).json()["may_act"] is False
    assert caller("Dagny").post(dates(scene), {"dates": [when()]}).status_code == 404
    assert caller("Sten").get(dates(scene)).status_code == 404
    assert caller("Sten").get(f"campaigns/{scene.campaign.pk}/calendar").status_code == 404


def test_dates_take_the_same_queries_for_many(
    scene: Scene, caller: Callers, django_assert_max_num_queries: Any
) -> None:
    ilse = caller("Ilse")
    ilse.post(dates(scene), {"dates": [when(day) for day in range(2, 12)]})
    with django_assert_max_num_queries(9):
        assert len(ilse.get(dates(scene)).json()["dates"]) == 10


def test_the_calendar_has_what_is_dated_and_what_is_not(scene: Scene, caller: Callers) -> None:
    ilse, address = caller("Ilse"), f"campaigns/{scene.campaign.pk}/calendar"
    told = ilse.get(address).json()
    assert [entry["mine"] for entry in told["undated"]] == [True]
    date = timezone.now() + timedelta(days=40)
    Battle.objects.update(scheduled_for=date)
    there = ilse.get(f"{address}?month={timezone.localtime(date):%Y-%m}").json()
    assert [entry["kind"] for entry in there["entries"]] == ["battle"]
    assert ilse.get(f"{address}?month=2026-13").status_code == 422


def test_a_calendar_gets_an_address_a_new_one_and_none(scene: Scene, caller: Callers) -> None:
    ilse = caller("Ilse")
    assert [one["address"] for one in ilse.get("calendars").json()["items"]] == ["", ""]
    address = f"campaigns/{scene.campaign.pk}/calendar/address"
    first = ilse.post(address).json()["address"]
    assert Client().get(first).status_code == 200
    second = ilse.post(address).json()["address"]
    assert second != first
    assert Client().get(first).status_code == 404
    everything = ilse.post("calendars/all").json()
    assert everything["campaign"] is None
    shown = [one["address"] for one in ilse.get("calendars").json()["items"]]
    assert shown == [everything["address"], second]
    assert ilse.delete(address).status_code == 204
    assert ilse.delete("calendars/all").status_code == 204
    assert not CalendarFeed.objects.exists()
    a_person("Sten")
    assert caller("Sten").post(address).status_code == 404
