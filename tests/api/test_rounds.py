"""Rounds and ladders over the API."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from campaigns.models import Battle, Round, Seat
from campaigns.services.close_round import close_round
from campaigns.services.draft_round import draft_round
from tests.api.caller import Caller
from tests.campaigns.stage import Scene, a_person
from tests.campaigns.tournament import a_ladder, a_tournament, fight_all, next_round

Callers = Callable[..., Caller]


@pytest.fixture
def scene(db: None) -> Scene:
    return a_tournament(4)


def rounds(scene: Scene) -> str:
    return f"campaigns/{scene.campaign.pk}/rounds"


def soon() -> str:
    return (timezone.now() + timedelta(days=7)).isoformat()


def test_a_round_is_drafted_changed_published_and_dated(scene: Scene, caller: Callers) -> None:
    priya, address = caller("Priya"), rounds(scene)
    assert priya.get(f"{address}/next").json()["kind"] == "swiss"
    made = priya.post(address)
    assert (made.status_code, made.json()["state"], made.json()["tables"]) == (201, "draft", 2)
    one = f"{address}/1"
    assert made["Location"] == f"/api/v1/{one}"
    first, second = priya.get(f"{one}/tables").json()["items"]
    swap = {"do": "swap", "warband": first["seats"][0]["warband"], "other": second["seats"][0]["warband"]}
    changed = priya.post(f"{one}/changes", swap, if_match=made["ETag"])
    assert changed.status_code == 200, changed.content
    again = priya.get(f"{one}/tables").json()["items"]
    assert again[0]["seats"][0]["warband"] == swap["other"]
    assert priya.post(f"{one}/changes", swap, if_match=made["ETag"]).status_code == 412
    deadline = soon()
    published = priya.post(f"{one}/publication", {"deadline": deadline}, if_match=changed["ETag"])
    assert (published.json()["state"], published.json()["battles"]) == ("published", 2)
    assert Battle.objects.count() == 2
    later = priya.put(f"{one}/deadline", {"deadline": None})
    assert later.json()["deadline"] is None
    refused = priya.post(f"{one}/closing")
    assert (refused.status_code, refused.json()["code"]) == (409, "battles_open")
    Battle.objects.update(state=Battle.State.VOID)
    assert priya.post(f"{one}/closing").json()["state"] == "closed"


def test_a_draft_is_nobody_elses_business(scene: Scene, caller: Callers) -> None:
    draft_round(actor=scene.gm, campaign=scene.campaign)
    ilse, address = caller("Ilse"), rounds(scene)
    assert ilse.get(address).json()["items"] == []
    assert ilse.get(f"{address}/1").status_code == 404
    assert ilse.get(f"{address}/1/tables").status_code == 404
    assert ilse.get(f"{address}/next").json()["refused"] == ""
    assert "draft" in caller("Priya").get(f"{address}/next").json()["refused"]


def test_a_draft_is_discarded(scene: Scene, caller: Callers) -> None:
    draft_round(actor=scene.gm, campaign=scene.campaign)
    address = f"{rounds(scene)}/1"
    assert caller("Ilse").delete(address).status_code == 404
    assert caller("Priya").delete(address, if_match='"round-1-99"').status_code == 412
    assert caller("Priya").delete(address).status_code == 204
    assert not Round.objects.exists()


ACTS: tuple[tuple[str, str, Any], ...] = (
    ("post", "", None),
    ("post", "/1/changes", {"do": "bye", "warband": 1}),
    ("post", "/1/publication", {}),
    ("put", "/1/deadline", {}),
    ("post", "/1/closing", None),
    ("delete", "/1", None),
)


@pytest.mark.parametrize(("method", "path", "body"), ACTS)
def test_only_those_who_run_it_change_rounds(scene: Scene, caller: Callers, method: str, path: str, body: Any) -> None:
    next_round(scene)
    a_person("Stranger")
    for name in ("Ilse", "Stranger"):
        assert caller(name).ask(method, f"{rounds(scene)}{path}", body).status_code == 404
    assert Round.objects.get().state == Round.State.PUBLISHED


def test_a_published_round_is_read_by_its_players(scene: Scene, caller: Callers) -> None:
    next_round(scene)
    ilse, address = caller("Ilse"), rounds(scene)
    (row,) = ilse.get(address).json()["items"]
    assert (row["title"], row["battles"], row["over"]) == ("Round 1", 2, 0)
    read = ilse.get(f"{address}/1").json()
    (mine,) = read["own_tables"]
    tables = ilse.get(f"{address}/1/tables").json()["items"]
    assert [table["table"] for table in tables if any(seat["mine"] for seat in table["seats"])] == [mine]
    assert all(table["battle"] for table in tables)
    assert read["left_out"] == []
    assert ilse.get(f"{address}?state=closed").json()["items"] == []


def test_wrong_changes_are_refused_and_change_nothing(scene: Scene, caller: Callers) -> None:
    draft_round(actor=scene.gm, campaign=scene.campaign)
    priya, one = caller("Priya"), f"{rounds(scene)}/1"
    before = list(Seat.objects.order_by("pk").values_list("pairing", "warband"))
    assert priya.post(f"{one}/changes", {"do": "dance", "warband": 1}).status_code == 422
    assert priya.post(f"{one}/changes", {"do": "bye", "warband": 999_999}).json()["code"] == "not_enrolled"
    past = (timezone.now() - timedelta(days=1)).isoformat()
    assert priya.post(f"{one}/publication", {"deadline": past}).json()["code"] == "past"
    assert priya.post(f"{one}/publication", {"deadline": "0001-01-01T00:00:00+14:00"}).status_code == 422
    assert priya.post(f"{one}/publication", {"deadline": "2030-01-01T00:00:00"}).status_code == 422
    assert list(Seat.objects.order_by("pk").values_list("pairing", "warband")) == before


def test_tables_take_the_same_queries_for_many(db: None, caller: Callers, django_assert_max_num_queries: Any) -> None:
    big = a_tournament(8)
    next_round(big)
    ilse = caller("Ilse")
    ilse.get(f"{rounds(big)}/1/tables")
    with django_assert_max_num_queries(14):
        assert len(ilse.get(f"{rounds(big)}/1/tables").json()["items"]) == 4


def test_tables_are_read_anew_when_a_battle_or_another_round_moves(scene: Scene, caller: Callers) -> None:
    first = next_round(scene)
    priya, address = caller("Priya"), f"{rounds(scene)}/1/tables"
    seen = priya.get(address)
    assert priya.get(address, if_none_match=seen["ETag"]).status_code == 304
    fight_all(first, scene)
    fought = priya.get(address)
    assert fought["ETag"] != seen["ETag"]
    assert all(table["state"] == "closed" for table in fought.json()["items"])
    close_round(actor=scene.gm, turn=first)
    assert priya.get(address)["ETag"] != fought["ETag"]
    draft_round(actor=scene.gm, campaign=scene.campaign)
    before = priya.get(f"{rounds(scene)}/2/tables")
    one, other = (seat["warband"] for seat in before.json()["items"][0]["seats"])
    at_once = {"warbands": [one, other], "at_once": True}
    assert priya.post(f"campaigns/{scene.campaign.pk}/battles", at_once).status_code == 201
    (warning,) = priya.get(f"{rounds(scene)}/2/tables").json()["items"][0]["warnings"]
    assert "met before" in warning


# Ladders ----------------------------------------------------------------------------------------------


def test_a_ladder_is_read_with_who_stands_where(db: None, caller: Callers) -> None:
    scene = a_ladder()
    told = caller("Ilse").get(f"campaigns/{scene.campaign.pk}/ladder").json()
    gate, marsh, keep = told["stages"]
    assert (gate["is_start"], keep["is_top"], marsh["note"]) == (True, True, "Wet feet.")
    assert {one["on"]: one["to"] for one in gate["leads"]} == {"won": "keep", "lost": "marsh"}
    assert {one["name"] for one in gate["warbands"]} == {one.name for one in scene.warbands.values()}
    assert sum(one["mine"] for one in gate["warbands"]) == 1
    assert not told["may_change"]


def test_a_ladder_is_laid_anew_and_a_stale_one_is_told(db: None, caller: Callers) -> None:
    scene = a_ladder()
    priya, address = caller("Priya"), f"campaigns/{scene.campaign.pk}/ladder"
    etag = priya.get(address)["ETag"]
    body = {"stages": [{"key": "road", "name": "The road", "won": "keep"}, {"key": "keep", "name": "The keep"}]}
    homeless = priya.put(address, body, if_match=etag)
    assert (homeless.status_code, homeless.json()["code"]) == (409, "where_to")
    done = priya.put(address, body | {"moves": {"gate": "road"}}, if_match=etag)
    assert [stage["key"] for stage in done.json()["stages"]] == ["road", "keep"]
    assert len(done.json()["stages"][0]["warbands"]) == 2
    assert priya.put(address, body, if_match=etag).status_code == 412
    astray = {"stages": [{"key": "road", "name": "The road", "won": "nowhere"}]}
    assert priya.put(address, astray).json()["code"] == "ladder-no-such-stage"


def test_a_ladder_is_for_members_and_laid_by_those_who_run_it(db: None, caller: Callers) -> None:
    scene = a_ladder()
    a_person("Stranger")
    address = f"campaigns/{scene.campaign.pk}/ladder"
    assert caller("Stranger").get(address).status_code == 404
    assert caller("Ilse").put(address, {"stages": [{"key": "a", "name": "A"}]}).status_code == 404
    assert caller("Ilse").get(f"campaigns/{scene.campaign.pk}/rounds").status_code == 404


def test_a_tournament_has_no_ladder(scene: Scene, caller: Callers) -> None:
    assert caller("Priya").get(f"campaigns/{scene.campaign.pk}/ladder").status_code == 404
