"""Whole rounds at once, results of a file and simulations over the API."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from campaigns.models import Batch, Battle, Campaign, Simulation
from campaigns.services.end_batch import end_batch
from campaigns.services.resolve_item import resolve_next
from campaigns.services.run_simulation_chunk import run_simulation_chunk
from campaigns.services.start_batch import start_batch
from tests.api.caller import Caller
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene

Callers = Callable[..., Caller]


@pytest.fixture
def scene(db: None) -> Scene:
    return a_scene()


@pytest.fixture
def waiting(scene: Scene) -> Battle:
    return a_battle(scene, state=Battle.State.CONFIRMED)


def address(scene: Scene, rest: str = "batches") -> str:
    return f"campaigns/{scene.campaign.pk}/{rest}"


def work(batch: int) -> None:
    """What the workers do."""
    while resolve_next(batch=batch):
        pass
    end_batch(batch=batch)


def test_a_round_is_looked_at_and_resolved(scene: Scene, waiting: Battle, caller: Callers) -> None:
    priya = caller("Priya")
    (battle,) = priya.get(address(scene, "batches/battles")).json()["items"]
    assert (battle["number"], len(battle["warbands"])) == (1, 2)
    preview = priya.post(address(scene), {"battles": [battle["id"]], "is_preview": True}).json()
    assert preview["batch"]["is_preview"]
    work(preview["batch"]["id"])
    (line,) = priya.get(address(scene, f"batches/{preview['batch']['id']}/items")).json()["items"]
    assert line["state"] in ("done", "needs")
    assert len(line["outcomes"]) == 2
    waiting.refresh_from_db()
    assert waiting.state == Battle.State.CONFIRMED
    started = priya.post(address(scene), {})
    assert started.status_code == 201
    one = address(scene, f"batches/{started.json()['batch']['id']}")
    assert started["Location"] == f"/api/v1/{one}"
    etag = priya.get(one)["ETag"]
    assert priya.get(one, if_none_match=etag).status_code == 304
    work(started.json()["batch"]["id"])
    moved = priya.get(one, if_none_match=etag)
    assert (moved.status_code, moved.json()["progress"]["percent"]) == (200, 100)
    waiting.refresh_from_db()
    assert waiting.state == Battle.State.CLOSED
    listed = priya.get(address(scene)).json()["items"]
    assert [row["is_preview"] for row in listed] == [False, True]


def test_a_batch_is_stopped_and_tried_again(scene: Scene, waiting: Battle, caller: Callers) -> None:
    priya = caller("Priya")
    one = address(scene, f"batches/{priya.post(address(scene), {}).json()['batch']['id']}")
    stopped = priya.post(f"{one}/cancellation").json()
    assert (stopped["batch"]["state"], stopped["progress"]["cancelled"]) == ("cancelled", 1)
    assert priya.post(f"{one}/cancellation").json()["code"] == "batch_over"
    assert priya.get(f"{one}/items?state=cancelled").json()["items"]
    assert priya.post(f"{one}/retry").json()["progress"]["waiting"] == 1
    assert priya.post(f"{one}/retry").json()["code"] == "batch_running"


def test_a_battle_that_cannot_be_resolved_says_why(scene: Scene, caller: Callers) -> None:
    battle = a_battle(scene, state=Battle.State.SCHEDULED)
    assert caller("Priya").post(address(scene), {}).json()["code"] == "nothing_to_resolve"
    made = caller("Priya").post(address(scene), {"battles": [battle.pk]}).json()
    (line,) = caller("Priya").get(address(scene, f"batches/{made['batch']['id']}/items")).json()["items"]
    assert line["state"] == "failed"
    assert "scheduled" in line["reason"]


def test_members_read_batches_but_no_previews(scene: Scene, waiting: Battle, caller: Callers) -> None:
    a_person("Sten")
    preview = start_batch(actor=scene.gm, campaign=scene.campaign, is_preview=True, send=False)
    real = start_batch(actor=scene.gm, campaign=scene.campaign, send=False)
    assert caller("Ilse").get(address(scene, f"batches/{real.pk}")).status_code == 200
    assert caller("Ilse").get(address(scene, f"batches/{preview.pk}")).status_code == 404
    assert caller("Sten").get(address(scene, f"batches/{real.pk}")).status_code == 404


ACTS: tuple[tuple[str, str, Any], ...] = (
    ("get", "batches", None),
    ("get", "batches/battles", None),
    ("post", "batches", {}),
    ("post", "batches/{batch}/cancellation", None),
    ("post", "batches/{batch}/retry", None),
    ("post", "results", {"battles": []}),
    ("post", "results/check", {"battles": []}),
    ("get", "simulations", None),
    ("post", "simulations", {}),
)


@pytest.mark.parametrize(("method", "path", "body"), ACTS)
def test_batches_and_simulations_are_for_those_who_run_it(
    scene: Scene, waiting: Battle, caller: Callers, method: str, path: str, body: Any
) -> None:
    batch = start_batch(actor=scene.gm, campaign=scene.campaign, send=False)
    answer = caller("Ilse").ask(method, address(scene, path.format(batch=batch.pk)), body)
    assert answer.status_code == 404
    batch.refresh_from_db()
    assert batch.state == Batch.State.RUNNING


def test_lists_take_the_same_queries_for_many(
    scene: Scene, waiting: Battle, caller: Callers, django_assert_max_num_queries: Any
) -> None:
    for _preview in range(6):
        batch = start_batch(actor=scene.gm, campaign=scene.campaign, is_preview=True, send=False)
    priya = caller("Priya")
    priya.get("campaigns")
    with django_assert_max_num_queries(3):
        assert len(priya.get(address(scene)).json()["items"]) == 6
    with django_assert_max_num_queries(5):
        priya.get(address(scene, f"batches/{batch.pk}/items"))


# Results from a file ----------------------------------------------------------------------------------


def a_file(scene: Scene) -> dict[str, Any]:
    won, lost = (scene.warbands[name].name for name in ("Ilse", "Marek"))
    sides = [{"warband": won, "result": "won"}, {"warband": lost, "result": "lost", "routed": 1}]
    return {"battles": [{"battle": 1, "warbands": sides}]}


def test_results_are_checked_and_imported(scene: Scene, caller: Callers) -> None:
    priya, file = caller("Priya"), a_file(scene)
    assert priya.post(address(scene, "results/check"), file).json() == {"battles": 1}
    assert not Batch.objects.exists()
    made = priya.post(address(scene, "results?resolves=false"), file)
    assert made.status_code == 201, made.content
    assert (made.json()["batch"]["kind"], made.json()["batch"]["resolves"]) == ("import", False)
    work(made.json()["batch"]["id"])
    assert Battle.objects.get().state == Battle.State.POSTGAME
    again = priya.post(address(scene, "results"), file)
    assert (again.status_code, again.json()["code"]) == (409, "imported_already")


def test_a_table_is_imported_as_well(scene: Scene, caller: Callers) -> None:
    won, lost = (scene.warbands[name].name for name in ("Ilse", "Marek"))
    table = f"battle,warband,result,routed\n1,{won},won,\n1,{lost},lost,1\n"
    answer = caller("Priya").client.post(
        f"/api/v1/{address(scene, 'results/check')}", table.encode(), content_type="text/csv"
    )
    assert answer.json() == {"battles": 1}


def test_mistakes_of_a_file_are_told_with_their_places(scene: Scene, caller: Callers) -> None:
    file = a_file(scene)
    file["battles"][0]["warbands"][1]["warband"] = "Nobody"
    answer = caller("Priya").post(address(scene, "results"), file)
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (422, "bad_results")
    assert problem["errors"][0]["where"].startswith("battles[0].warbands[1]")
    assert not Batch.objects.exists()
    nonsense = caller("Priya").client.post(
        f"/api/v1/{address(scene, 'results')}", json.dumps([1, 2]).encode(), content_type="application/json"
    )
    assert nonsense.status_code == 422


def test_the_same_key_imports_once(scene: Scene, caller: Callers) -> None:
    priya = caller("Priya")
    answers = [priya.post(address(scene, "results"), a_file(scene), idempotency_key="k") for _twice in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert Batch.objects.count() == 1


# Simulations ------------------------------------------------------------------------------------------


def test_a_simulation_is_begun_read_and_stopped(scene: Scene, caller: Callers) -> None:
    priya = caller("Priya")
    made = priya.post(address(scene, "simulations"), {"seasons": 500, "rounds": 1})
    assert made.status_code == 201, made.content
    one = address(scene, f"simulations/{made.json()['id']}")
    etag = priya.get(one)["ETag"]
    run_simulation_chunk(simulation=made.json()["id"])
    read = priya.get(one, if_none_match=etag)
    assert read.status_code == 200
    told = read.json()
    assert told["simulation"]["done"] > 0
    assert len(told["warbands"]) == 2
    assert sum(one["count"] for one in told["ratings"]) > 0
    assert [row["id"] for row in priya.get(address(scene, "simulations")).json()["items"]] == [made.json()["id"]]
    assert priya.post(f"{one}/cancellation").json()["state"] == "cancelled"
    assert priya.post(f"{one}/cancellation").json()["code"] == "simulation_over"


def test_a_simulation_of_nobody_is_refused(db: None, caller: Callers) -> None:
    scene = a_scene(())
    priya = caller("Priya")
    assert priya.post(address(scene, "simulations"), {"seasons": 0}).status_code == 422
    assert priya.post(address(scene, "simulations"), {"seasons": 5}).json()["code"] == "too_few"
    assert not Simulation.objects.exists()
    assert Campaign.objects.count() == 1
