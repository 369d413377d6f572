"""What those who run a campaign do by the API."""

from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from campaigns.models import Battle, Event, Membership, Notice
from campaigns.services.intervene import intervene_in, read_order
from tests.api.caller import Caller
from tests.campaigns.runs import a_postgame, now, run_of, walk
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from warbands.models import Warband
from warbands.projection import read_state

Callers = Callable[..., Caller]
pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return a_scene()


def home(scene: Scene) -> str:
    return f"campaigns/{scene.campaign.pk}"


def band(scene: Scene, name: str = "Ilse") -> str:
    return f"{home(scene)}/warbands/{scene.warbands[name].pk}"


POINTS = {"order": {"do": "points", "amount": 20}, "reason": "A miscount."}


def test_the_console_says_what_waits_and_somebody_is_reminded_once(caller: Callers, scene: Scene) -> None:
    a_battle(scene, state=Battle.State.PLAYING)
    priya = caller("Priya")
    shown = priya.get(f"{home(scene)}/console").json()
    ilse = next(one for one in shown["waits"] if one["person"]["name"] == "Ilse")
    order = {"person": ilse["person"]["id"], "matter": ilse["matters"][0]["key"]}
    assert priya.post(f"{home(scene)}/reminders", order).status_code == 204
    assert Notice.objects.get(kind="reminder").person.name == "Ilse"
    again = priya.post(f"{home(scene)}/reminders", order)
    assert (again.status_code, again.json()["code"]) == (409, "reminded_already")


def test_an_intervention_is_shown_done_listed_and_taken_back(caller: Callers, scene: Scene) -> None:
    priya, before = caller("Priya"), read_state(scene.warbands["Ilse"])
    shown = priya.post(f"{band(scene)}/interventions/preview", POINTS)
    assert shown.status_code == 200, shown.content
    treasury = next(one for one in shown.json()["changes"]["totals"] if one["what"] == "Treasury")
    assert treasury["after"] == str(before.treasury + 20)
    assert read_state(scene.warbands["Ilse"]) == before
    done = priya.post(f"{band(scene)}/interventions", {"token": shown.json()["token"]})
    assert done.status_code == 201, done.content
    assert read_state(Warband.objects.get(pk=scene.warbands["Ilse"].pk)).treasury == before.treasury + 20
    (row,) = priya.get(f"{home(scene)}/interventions").json()["items"]
    assert (row["act"], row["stands"], row["who"]) == (done.json()["act"], True, "Priya")
    undone = priya.post(f"{home(scene)}/interventions/{row['act']}/undoing", {"reason": "It was right."})
    assert (undone.status_code, undone.json()["stands"]) == (200, False)
    assert read_state(Warband.objects.get(pk=scene.warbands["Ilse"].pk)) == before


def test_a_preview_of_a_warband_that_has_changed_since_is_refused(caller: Callers, scene: Scene) -> None:
    priya = caller("Priya")
    token = priya.post(f"{band(scene)}/interventions/preview", POINTS).json()["token"]
    intervene_in(
        actor=scene.gm, campaign=scene.campaign, warband=scene.warbands["Ilse"], seed="x", reason="first",
        order=read_order({"do": "points", "amount": 1}),
    )  # fmt: skip
    assert priya.post(f"{band(scene)}/interventions", {"token": token}).status_code == 412
    assert priya.post(f"{band(scene, 'Marek')}/interventions", {"token": token}).status_code == 409
    assert Event.objects.filter(kind="intervention").count() == 1


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        ({"order": {"do": "dance"}}, 422),
        ({"order": {"do": "points"}}, 422),
        ({"order": {"do": "points", "amount": 10**7}}, 422),
        ({"order": {"do": "points", "amount": -9999}}, 409),
        ({"reason": ""}, 422),
        ({"reason": "   "}, 409),
    ],
)
def test_wrong_orders_are_refused(caller: Callers, scene: Scene, wrong: dict[str, Any], status: int) -> None:
    answer = caller("Priya").post(f"{band(scene)}/interventions/preview", POINTS | wrong)
    assert answer.status_code == status


def test_a_warband_is_given_to_another_member(caller: Callers, scene: Scene) -> None:
    dagny = a_person("Dagny")
    Membership.objects.create(campaign=scene.campaign, person=dagny)
    order = {"person": dagny.pk, "reason": "Moved away.", "was": scene.people["Ilse"].pk}
    answer = caller("Priya").put(f"{band(scene)}/owner", order)
    assert (answer.status_code, answer.json()["owner"]["name"]) == (200, "Dagny")
    assert caller("Priya").put(f"{band(scene)}/owner", order).status_code in (409, 412)
    assert caller("Priya").put(f"{band(scene)}/owner", order | {"person": 10**9}).status_code == 404


def test_a_battle_is_moved_by_hand(caller: Callers, scene: Scene) -> None:
    battle = a_battle(scene, state=Battle.State.REPORTED)
    priya, there = caller("Priya"), f"{home(scene)}/battles/{battle.number}"
    ways = priya.get(f"{there}/ways")
    assert {one["to"] for one in ways.json()["items"]} == {"playing", "confirmed"}
    order = {"to": "playing", "reason": "A line was wrong."}
    moved = priya.post(f"{there}/moves", order, if_match=ways["ETag"])
    assert (moved.status_code, moved.json()["state"]) == (200, "playing")
    assert priya.post(f"{there}/moves", order, if_match=ways["ETag"]).status_code == 412
    assert priya.post(f"{there}/moves", order).status_code == 409
    assert priya.post(f"{there}/moves", order | {"to": "closed"}).status_code == 422


def test_a_question_is_answered_and_dice_are_laid(caller: Callers) -> None:
    scene, battle = a_postgame()
    run = walk(run_of(battle, scene.warbands["Marek"]), until="injury")
    priya, there = caller("Priya"), f"{home(scene)}/battles/{battle.number}/postgame/{run.warband_id}"
    question = now(run).question
    assert question is not None
    answer = {"key": question.key, "answer": question.default, "reason": "He is ill."}
    assert priya.post(f"{there}/by-hand/answers", answer | {"reason": " "}).status_code == 409
    assert priya.post(f"{there}/by-hand/answers", answer).status_code == 200
    wanted = now(run_of(battle, run.warband_id)).wanted
    assert wanted is not None
    dice = {"key": wanted.key, "faces": [4, 4], "reason": "By phone."}
    assert priya.post(f"{there}/by-hand/rolls", dice | {"faces": [4, 7]}).status_code == 422
    assert priya.post(f"{there}/by-hand/rolls", dice).status_code == 200
    assert now(run_of(battle, run.warband_id)).result.rolls[0].faces == (4, 4)
    assert priya.post(f"{there}/by-hand/rolls", {"key": wanted.key, "reason": "Again."}).status_code == 200
    assert run_of(battle, run.warband_id).by_hand["rolls"]
    for name in ("Ilse", "Marek"):
        assert caller(name).post(f"{there}/by-hand/rolls", dice).status_code == 404


def test_who_does_not_run_the_campaign_finds_nothing(caller: Callers, scene: Scene) -> None:
    a_scene(["Anna"], gm="Zoe")
    before = read_state(scene.warbands["Ilse"])
    for name in ("Ilse", "Zoe"):
        them = caller(name)
        asked = [
            them.get(f"{home(scene)}/console"),
            them.get(f"{home(scene)}/interventions"),
            them.post(f"{band(scene)}/interventions/preview", POINTS),
            them.post(f"{band(scene)}/interventions", {"token": "x"}),
            them.put(f"{band(scene)}/owner", {"person": 1, "reason": "mine"}),
            them.post(f"{home(scene)}/reminders", {"person": 1, "matter": "x"}),
        ]
        assert [answer.status_code for answer in asked] == [404] * 6
    assert caller("Priya", "read", "play").get(f"{home(scene)}/console").status_code == 403
    assert read_state(scene.warbands["Ilse"]) == before


def test_the_list_asks_the_database_the_same_for_few_and_many(
    caller: Callers, scene: Scene, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for amount in range(1, 10):
        intervene_in(
            actor=scene.gm, campaign=scene.campaign, warband=scene.warbands["Ilse"], seed="x", reason="one of many",
            order=read_order({"do": "points", "amount": amount}),
        )  # fmt: skip
    priya = caller("Priya")
    priya.get(f"{home(scene)}/interventions")
    with django_assert_max_num_queries(6):
        assert len(priya.get(f"{home(scene)}/interventions").json()["items"]) == 9
