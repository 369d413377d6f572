"""What is pressed on the walk's page: answers, rolls, typed dice, fate, closing and opening again."""

from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from accounts.models import User
from campaigns.models import Battle, Run
from campaigns.services.reopen_step import reopen_step
from campaigns.walk.asked import asked, read_answer
from campaigns.walk.sheet import read_sheet
from rules.engine.errors import RuleViolation
from rules.engine.questions import Option, Question
from rules.library import pack
from tests.campaigns.runs import a_postgame, now, run_of, waiting, walk
from tests.campaigns.stage import Scene
from tests.campaigns.trades import a_captive
from tests.campaigns.walks import address, owner_of, press, refusals, step_on, walk_pages
from warbands.names import Names

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene_and_battle() -> tuple[Scene, Battle]:
    return a_postgame()


@pytest.fixture
def lost(scene_and_battle: tuple[Scene, Battle]) -> Run:
    scene, battle = scene_and_battle
    return run_of(battle, scene.warbands["Marek"])


@pytest.fixture
def won(scene_and_battle: tuple[Scene, Battle]) -> Run:
    scene, battle = scene_and_battle
    return run_of(battle, scene.warbands["Ilse"])


def fresh(run: Run) -> Run:
    return run_of(run.battle, run.warband_id)


def with_fate(run: Run, rerolls: int = 2) -> None:
    type(run.warband).objects.filter(pk=run.warband_id).update(fate_rerolls=rerolls)


@pytest.mark.parametrize("part", ["answer", "roll", "type", "fate", "close", "reopen"])
def test_acts_are_posted_and_never_read(lost: Run, client: Client, part: str) -> None:
    assert owner_of(client, lost).get(address(lost, part)).status_code == 405


@pytest.mark.parametrize("part", ["answer", "roll", "type", "fate", "close", "reopen", "finish"])
def test_a_page_that_is_old_is_told_so_and_shows_what_is_now(lost: Run, client: Client, part: str) -> None:
    owner_of(client, lost)
    step_on(client, lost)
    answer = client.post(address(lost, part), {"version": 0, "step": "injury", "die": "0", "dice": "1", "face-1": "1"})
    assert answer.status_code == 409
    assert "has gone on since you opened the page" in refusals(answer)[0]
    assert "Roll for Ilvane" in answer.content.decode()


def test_an_answer_can_be_given_anew_until_dice_are_thrown(lost: Run, client: Client) -> None:
    owner_of(client, lost)
    question = now(lost).question
    assert question is not None
    press(client, lost, "answer", key=question.key, form="any", nothing="1")
    page = client.get(address(lost)).content.decode()
    assert "changeable" in page
    press(client, lost, "answer", key=question.key, form="any", answer=[question.options[0].key])
    assert fresh(lost).answers[question.key] == [question.options[0].key]
    press(client, lost, "answer", key=question.key, form="any", nothing="1")
    assert "before the last dice are fixed" not in client.get(address(lost)).content.decode()
    step_on(client, lost)
    page = client.get(address(lost)).content.decode()
    assert "changeable" not in page
    assert "before the last dice are fixed" in page
    answer = press(client, lost, "answer", key=question.key, form="any", nothing="1")
    assert answer.status_code == 409
    assert "Dice were thrown since" in refusals(answer)[0]


def test_nonsense_is_refused_beside_the_question(lost: Run, client: Client) -> None:
    owner_of(client, lost)
    question = now(lost).question
    assert question is not None
    answer = press(client, lost, "answer", key=question.key, form="any", answer=["nobody"])
    assert answer.status_code == 409
    assert "not possible" in refusals(answer)[0]
    assert fresh(lost).answers == {}


def test_dice_that_were_typed_wrong_are_kept_on_the_page(lost: Run, client: Client) -> None:
    owner_of(client, lost)
    step_on(client, lost)
    wanted = now(fresh(lost)).wanted
    assert wanted is not None
    answer = press(client, lost, "type", key=wanted.key, dice=2, **{"face-1": "5"})
    assert answer.status_code == 409
    assert "Tap a face for each die." in refusals(answer)[0]
    page = answer.content.decode()
    assert 'name="face-1" value="5" checked' in page
    assert 'name="face-2" value="5" checked' not in page
    assert fresh(lost).typed == {}


def test_typed_dice_count_and_are_shown_as_thrown_at_the_table(lost: Run, client: Client) -> None:
    owner_of(client, lost)
    step_on(client, lost)
    wanted = now(fresh(lost)).wanted
    assert wanted is not None
    press(client, lost, "type", key=wanted.key, dice=2, **{"face-1": "4", "face-2": "4"})
    page = client.get(address(lost)).content.decode()
    assert "44, Full Recovery" in page
    assert "Thrown at the table." in page


def test_all_rolls_of_a_step_are_made_at_once(lost: Run, client: Client) -> None:
    owner_of(client, lost)
    step_on(client, lost)
    press(client, lost, "roll", all="1")
    assert now(fresh(lost)).wanted is None


def test_who_has_fate_is_told_what_rolling_all_at_once_means(lost: Run, client: Client) -> None:
    owner_of(client, lost)
    step_on(client, lost)
    text = "Fate throws again only what was rolled last"
    with_fate(lost, 0)
    assert text not in client.get(address(lost)).content.decode()
    with_fate(lost, 1)
    assert text in client.get(address(lost)).content.decode()


def test_many_skills_stand_under_their_lists() -> None:
    skills = pack().skills
    options = tuple(Option(name) for name in (*list(skills)[:12], "spell"))
    question = Question("1/advancement/f1/skill", "skill", options=options, default=options[0].key)
    run = Run(warband_id=1)
    shown = asked(question, run, reader=1, owners={1: User(pk=1)}, names=Names(), pack=pack())
    assert [option for shelf in shown.shelves for option in shelf.options] == list(shown.options)
    assert shown.shelves[0].name == skills[options[0].key].lists[0]
    assert [shelf.is_open for shelf in shown.shelves] == [True] + [False] * (len(shown.shelves) - 1)
    assert [option.key for option in shown.shelves[-1].options] == ["spell"]
    few = Question(question.key, "skill", options=options[:3], default=options[0].key)
    assert not asked(few, run, reader=1, owners={1: User(pk=1)}, names=Names(), pack=pack()).shelves


def test_a_house_that_plays_with_its_own_dice_offers_no_roll(client: Client) -> None:
    from tests.campaigns.stage import a_scene

    scene, battle = a_postgame(a_scene(house={"dice": "physical"}))
    run = run_of(battle, scene.warbands["Marek"])
    owner_of(client, run)
    step_on(client, run)
    page = client.get(address(run)).content.decode()
    assert "Roll for Ilvane" not in page
    assert "Type in table dice" in page
    answer = press(client, run, "roll", all="1")
    assert answer.status_code == 409
    assert "dice on the table" in refusals(answer)[0]


def test_fate_is_offered_with_its_odds_and_spent(lost: Run, client: Client) -> None:
    with_fate(lost)
    owner_of(client, lost)
    step_on(client, lost)
    wanted = now(fresh(lost)).wanted
    assert wanted is not None
    press(client, lost, "type", key=wanted.key, dice=2, **{"face-1": "2", "face-2": "5"})
    page = client.get(address(lost)).content.decode()
    assert "The tens, 2" in page
    assert "2 fate rerolls left" in page
    assert press(client, lost, "fate", key=wanted.key).status_code == 409
    wanted_now = now(fresh(lost)).wanted
    key = now(fresh(lost)).result.rolls[-1].key
    assert press(client, lost, "fate", key=key, die="0").status_code == 302
    page = client.get(address(lost)).content.decode()
    assert "Type in the die that was thrown again" in page
    press(client, lost, "type", key=key, dice=1, **{"face-1": "4"})
    page = client.get(address(lost)).content.decode()
    assert "45, Full Recovery" in page
    assert "1 fate reroll left" in page
    assert wanted_now is None or wanted_now.key != key


def test_a_second_click_on_close_does_not_close_the_next_step(won: Run, client: Client) -> None:
    run = walk(won, until="trading")
    owner_of(client, run)
    while run.step == "trading":
        last = step_on(client, run)
        assert last.status_code == 302
        run = fresh(run)
    answer = press(client, run, "close", step="trading")
    assert answer.status_code == 409
    assert "closed already" in refusals(answer)[0]


def test_a_step_is_opened_again_by_its_button(won: Run, lost: Run, client: Client) -> None:
    walk(lost, until="experience")
    run = walk(won, until="allocation")
    owner_of(client, run)
    page = client.get(address(run)).content.decode()
    assert "Back to Trading" in page
    assert press(client, run, "reopen", step="trading").status_code == 302
    assert fresh(run).step == "trading"
    answer = press(client, run, "reopen", step="injury")
    assert answer.status_code == 409


def opens_again(run: Run) -> bool:
    """Whether the last step in which something was decided can be opened again; nothing is changed by asking."""
    decided = [step for step in run.steps.order_by("-place") if step.answers or step.story.get("rolls")]
    if not decided:
        return False
    try:
        with transaction.atomic():
            reopen_step(actor=run.warband.owner, run=run, step=decided[0].step)
            raise RuleViolation("tried", "and not kept")
    except RuleViolation as refused:
        return refused.code == "tried"


def open_runs(scene: Scene, battle: Battle) -> list[Run]:
    return [run for run in (run_of(battle, warband) for warband in scene.warbands.values()) if run.step]


def test_the_way_back_is_offered_just_where_it_is_open(client: Client) -> None:
    scene, battle, _captive = a_captive()
    seen = set()
    while going := [run for run in open_runs(scene, battle) if not waiting(run)]:
        for run in going:
            sheet = read_sheet(run.battle, run.warband_id, run.warband.owner)
            assert (sheet.reopens is not None) == opens_again(run), run.step
            seen.add(sheet.reopens is not None)
            step_on(owner_of(client, run), run)
    assert seen == {True, False}


def test_sets_to_keep_are_offered_ready(won: Run, client: Client) -> None:
    run = walk_pages(owner_of(client, won), won, until="exploration")
    wanted = now(run).wanted
    assert wanted is not None
    faces = [2, 2, 2, 5, 5, 6, 4, 3, 1][: wanted.count]
    press(client, run, "type", key=wanted.key, dice=wanted.count,
          **{f"face-{place}": str(face) for place, face in enumerate(faces, 1)})  # fmt: skip
    question = now(fresh(run)).question
    assert question is not None
    assert question.topic in ("keep_six", "which_set")
    page = client.get(address(run)).content.decode()
    assert "three 2s" in page or "Which find do you follow?" in page
    if question.topic == "keep_six":
        keep = next(iter(question.facts["sets"].values()))["keep"]
        assert press(client, run, "answer", key=question.key, form="any", pick=",".join(keep)).status_code == 302
        assert fresh(run).answers[question.key] == keep
        assert "Dropped" in client.get(address(run)).content.decode()


def test_dice_orders_are_read_from_the_form() -> None:
    from django.http import QueryDict

    def read(text: str) -> Any:
        return read_answer(QueryDict(text))

    assert read("form=orders&use=dowser+f3&die=2") == [{"use": "dowser", "fighter": "f3", "die": 2}]
    assert read("form=orders&use=catacombs+-1&die=0") == [{"use": "catacombs", "by": -1, "die": 0}]
    assert read("form=orders&use=city_map&die=x") == [{"use": "city_map", "die": -1}]
    assert read("form=orders&nothing=1&use=city_map") == []
    assert read("form=any&answer=a&answer=b") == ["a", "b"]
    assert read("form=one&answer=a") == "a"
