"""The walk's page: every step of it can be read and gone through."""

import pytest
from django.test import Client

from campaigns.models import Battle, Run
from tests.campaigns.runs import a_postgame, now, run_of, walk, walk_all
from tests.campaigns.stage import Scene, a_person
from tests.campaigns.walks import address, owner_of, press, refusals, step_on, walk_pages
from tests.people import sign_in
from warbands.reconcile import reconcile

pytestmark = pytest.mark.django_db


@pytest.fixture
def opened() -> tuple[Scene, Battle]:
    return a_postgame()


def lost(opened: tuple[Scene, Battle]) -> Run:
    scene, battle = opened
    return run_of(battle, scene.warbands["Marek"])


def won(opened: tuple[Scene, Battle]) -> Run:
    scene, battle = opened
    return run_of(battle, scene.warbands["Ilse"])


def test_everybody_walks_to_the_end_by_pages_alone(opened: tuple[Scene, Battle], client: Client) -> None:
    _scene, battle = opened
    while open_runs := list(battle.runs.filter(state=Run.State.OPEN)):
        for run in open_runs:
            found = run_of(battle, run.warband_id)
            walk_pages(owner_of(client, found), found)
    battle.refresh_from_db()
    assert battle.state == Battle.State.CLOSED
    page = client.get(address(lost(opened))).content.decode()
    assert "How it went" in page
    assert battle.seed in page
    assert not reconcile().differences


def test_everybody_walks_to_the_end_with_dice_from_the_table(opened: tuple[Scene, Battle], client: Client) -> None:
    _scene, battle = opened
    place = 0
    while open_runs := list(battle.runs.filter(state=Run.State.OPEN)):
        for run in open_runs:
            place += 1
            found = run_of(battle, run.warband_id)
            walk_pages(owner_of(client, found), found, faces=place)
    rolls = [roll for run in battle.runs.all() for step in run.steps.all() for roll in step.story["rolls"].values()]
    assert len(rolls) > 4
    assert all(roll["physical"] for roll in rolls)


def test_a_step_shows_its_question_and_then_its_roll_with_odds(opened: tuple[Scene, Battle], client: Client) -> None:
    run = lost(opened)
    page = owner_of(client, run).get(address(run)).content.decode()
    assert "Do you give anybody up before the injuries are rolled?" in page
    step_on(client, run)
    page = client.get(address(run)).content.decode()
    assert "Roll for Ilvane" in page
    assert "13.9" in page
    assert "5 in 36" in page
    step_on(client, run)
    page = client.get(address(run)).content.decode()
    assert 'class="rolltable"' in page
    assert 'class="hit"' in page


def test_a_player_of_the_campaign_reads_it_and_cannot_act(opened: tuple[Scene, Battle], client: Client) -> None:
    scene, _battle = opened
    run = lost(opened)
    page = sign_in(client, "Ilse").get(address(run)).content.decode()
    assert "You are looking on" in page
    assert "postgame_answer" not in page
    question = now(run).question
    assert question is not None
    answer = press(client, run, "answer", key=question.key, form="any")
    assert answer.status_code == 409
    assert "That is for Marek to decide." in answer.content.decode()
    assert sign_in(client, scene.gm.name).get(address(run)).status_code == 200


def test_a_stranger_finds_nothing(opened: tuple[Scene, Battle], client: Client) -> None:
    run = lost(opened)
    a_person("Sten")
    sign_in(client, "Sten")
    for part in ("", "progress", "changed", "finish"):
        assert client.get(address(run, part)).status_code == 404
    for part in ("answer", "roll", "type", "fate", "close", "reopen", "finish"):
        assert client.post(address(run, part)).status_code == 404


def test_who_waits_is_told_for_whom(client: Client) -> None:
    scene, battle = a_postgame()
    scene.campaign.house = {"gating": "strict"}
    scene.campaign.save(update_fields=["house"])
    run = run_of(battle, scene.warbands["Ilse"])
    waiting = walk_pages(owner_of(client, run), run)
    assert waiting.step
    page = client.get(address(run)).content.decode()
    assert "This step waits for Marek (Sable Oath)." in page
    answer = press(client, run, "close", step=waiting.step)
    assert answer.status_code == 409
    assert "waits for Sable Oath" in refusals(answer)[0]


def test_the_story_of_closed_steps_stays_with_its_dice(opened: tuple[Scene, Battle], client: Client) -> None:
    run = walk(lost(opened), until="experience")
    page = owner_of(client, run).get(address(run)).content.decode()
    assert "Story so far" in page
    assert 'class="die s' in page


def test_the_others_are_seen_with_their_last_rolls(opened: tuple[Scene, Battle], client: Client) -> None:
    run = won(opened)
    walk(lost(opened), until="exploration")
    page = owner_of(client, run).get(address(run)).content.decode()
    assert "At the other tables" in page
    assert "Marek has a roll to make at Exploration." in page
    assert "Ilvane" in page


def test_a_finished_one_says_so_and_can_be_read(opened: tuple[Scene, Battle], client: Client) -> None:
    _scene, battle = opened
    walk_all(battle)
    run = won(opened)
    page = owner_of(client, run).get(address(run)).content.decode()
    assert "This post-game is done." in page
    assert address(run, "changed") in page
    answer = press(client, run, "close", step="warband")
    assert answer.status_code == 409
