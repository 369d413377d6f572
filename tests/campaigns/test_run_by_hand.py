"""The page on which a game master answers and lays dice in somebody's post-game."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Event, Run
from tests.campaigns.runs import a_postgame, now, run_of, walk
from tests.campaigns.stage import Scene, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked() -> tuple[Scene, Run]:
    """Marek's, at the question before his injuries."""
    scene, battle = a_postgame()
    return scene, walk(run_of(battle, scene.warbands["Marek"]), until="injury")


def address(run: Run) -> str:
    return reverse("run_by_hand", args=[run.battle.campaign_id, run.battle.number, run.warband_id])


def form_of(run: Run, **fields: Any) -> dict[str, Any]:
    return {"version": run.version, "reason": "he is ill"} | fields


def answering(run: Run) -> dict[str, Any]:
    question = now(run).question
    assert question is not None
    return form_of(run, do="answer", key=question.key, form=question.form, nothing="1")


def fresh(run: Run) -> Run:
    return run_of(run.battle, run.warband_id)


def test_an_answer_is_shown_first_and_then_given(client: Client, asked: tuple[Scene, Run]) -> None:
    _scene, run = asked
    page = sign_in(client, "Priya").get(address(run))
    assert 'name="reason"' in page.content.decode()
    shown = client.post(address(run), answering(run))
    assert (shown.status_code, 'name="sure"' in shown.content.decode()) == (200, True)
    assert fresh(run).answers == {}
    done = client.post(address(run), answering(run) | {"sure": "1"})
    assert done["Location"] == run.get_absolute_url()
    assert fresh(run).by_hand["answers"]
    assert "Priya by hand: he is ill" in client.get(run.get_absolute_url()).content.decode()


def test_dice_are_laid_and_thrown_again(client: Client, asked: tuple[Scene, Run]) -> None:
    _scene, run = asked
    sign_in(client, "Priya").post(address(run), answering(run) | {"sure": "1"})
    run = fresh(run)
    wanted = now(run).wanted
    assert wanted is not None
    laid = form_of(run, do="set", key=wanted.key, dice=2, **{"face-1": 4, "face-2": 4})
    shown = client.post(address(run), laid)
    assert "As they would lie" in shown.content.decode()
    assert fresh(run).typed == {}
    assert client.post(address(run), laid | {"sure": "1"}).status_code == 302
    again = form_of(fresh(run), do="again", key=wanted.key)
    before = fresh(run).typed
    assert "server throws all dice" in client.post(address(run), again).content.decode()
    assert fresh(run).typed == before
    assert client.post(address(run), again | {"sure": "1"}).status_code == 302
    assert Event.objects.filter(kind="run_dice_again").count() == 1
    assert "Priya by hand: he is ill" in client.get(run.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    "wrong", [{"reason": ""}, {"key": "no question"}, {"version": 0}, {"do": "set"}, {"do": "again"}, {"do": ""}]
)
def test_what_is_wrong_is_said_and_nothing_changes(
    client: Client, asked: tuple[Scene, Run], wrong: dict[str, Any]
) -> None:
    _scene, run = asked
    sign_in(client, "Priya")
    for sure in ({}, {"sure": "1"}):
        answer = client.post(address(run), answering(run) | wrong | sure)
        assert (answer.status_code, 'role="alert"' in answer.content.decode()) == (409, True)
    assert (fresh(run).answers, fresh(run).by_hand) == ({}, {})


def test_only_its_game_master_finds_the_page(client: Client, asked: tuple[Scene, Run]) -> None:
    _scene, run = asked
    a_scene(["Anna"], gm="Zoe")
    for name in ("Marek", "Ilse", "Zoe"):
        assert sign_in(client, name).get(address(run)).status_code == 404
        assert client.post(address(run), answering(run)).status_code == 404
    assert address(run) not in sign_in(client, "Marek").get(run.get_absolute_url()).content.decode()
    assert address(run) in sign_in(client, "Priya").get(run.get_absolute_url()).content.decode()


def test_a_post_game_that_is_finished_has_nothing_to_do(client: Client, asked: tuple[Scene, Run]) -> None:
    _scene, run = asked
    walk(run)
    Run.objects.filter(pk=run.pk).update(state="finished", step="")
    assert "not open" in sign_in(client, "Priya").get(address(run)).content.decode()
