"""A game master answers for a player who is not there: by the rules, with a reason, and everybody can see it."""

from typing import Any

import pytest

from campaigns.models import Event, Notice, Run, RunStep
from campaigns.services.answer_for import answer_for
from campaigns.services.answer_question import answer_question
from campaigns.services.close_step import close_step
from campaigns.services.hold_run import StaleRun
from campaigns.services.throw_dice import throw_dice
from rules.engine.errors import RuleViolation
from tests.campaigns.runs import a_postgame, now, run_of, walk
from tests.campaigns.stage import Scene, a_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked() -> tuple[Scene, Run]:
    """Ilse's run at its first question."""
    scene, battle = a_postgame()
    run = run_of(battle, scene.warbands["Ilse"])
    while now(run).question is None:
        outcome = now(run)
        if outcome.wanted is not None:
            throw_dice(actor=run.warband.owner, run=run, key=outcome.wanted.key)
        else:
            close_step(actor=run.warband.owner, run=run, step=run.step)
        run = run_of(battle, run.warband_id)
    return scene, run


def do(scene: Scene, run: Run, **more: Any) -> Run:
    question = now(run).question
    assert question is not None
    given: dict[str, Any] = {
        "actor": scene.gm,
        "key": question.key,
        "answer": question.default,
        "reason": "she is on holiday",
    }
    return answer_for(run=run, **(given | more))


def test_the_answer_counts_and_says_who_gave_it(asked: tuple[Scene, Run]) -> None:
    scene, run = asked
    question = now(run).question
    assert question is not None
    done = do(scene, run)
    assert question.key in done.answers
    assert done.by_hand["answers"][question.key] == {"by": "Priya", "reason": "she is on holiday"}
    event = Event.objects.get(kind="run_answered")
    assert (event.actor, event.warband) == (scene.gm, run.warband)
    assert Notice.objects.get(kind="run_answered").person == run.warband.owner


def test_the_mark_stays_with_the_closed_step(asked: tuple[Scene, Run]) -> None:
    scene, run = asked
    key, step = now(run).question, run.step
    assert key is not None
    do(scene, run)
    walk(run_of(run.battle, run.warband_id))
    assert key.key in RunStep.objects.get(run=run, step=step).by_hand["answers"]


def test_an_answer_that_its_player_gives_anew_is_the_players(asked: tuple[Scene, Run]) -> None:
    scene, run = asked
    question = now(run).question
    assert question is not None
    do(scene, run)
    again = answer_question(actor=run.warband.owner, run=run, key=question.key, answer=question.default)
    assert again.by_hand["answers"] == {}


def test_only_those_who_run_the_campaign_do_it(asked: tuple[Scene, Run]) -> None:
    scene, run = asked
    for person in (scene.people["Marek"], run.warband.owner, a_person("Sten")):
        with pytest.raises(RuleViolation, match="run the campaign"):
            do(scene, run, actor=person)
    assert run_of(run.battle, run.warband_id).answers == {}


def test_without_a_reason_nothing_happens(asked: tuple[Scene, Run]) -> None:
    scene, run = asked
    with pytest.raises(RuleViolation, match="Say why"):
        do(scene, run, reason=" ")
    assert run_of(run.battle, run.warband_id).by_hand == {}


@pytest.mark.parametrize("wrong", [{"answer": "the moon"}, {"key": "what is this"}])
def test_nonsense_is_refused_and_nothing_is_marked(asked: tuple[Scene, Run], wrong: dict[str, Any]) -> None:
    scene, run = asked
    with pytest.raises(RuleViolation):
        do(scene, run, **wrong)
    assert run_of(run.battle, run.warband_id).by_hand == {}
    assert not Event.objects.filter(kind="run_answered").exists()


def test_whoever_was_slower_is_told(asked: tuple[Scene, Run]) -> None:
    scene, run = asked
    with pytest.raises(StaleRun):
        do(scene, run, expected_version=run.version - 1)


def test_a_campaign_that_has_ended_stays_as_it_is(asked: tuple[Scene, Run]) -> None:
    scene, run = asked
    type(scene.campaign).objects.filter(pk=scene.campaign.pk).update(status="ended")
    with pytest.raises(RuleViolation, match="ended"):
        do(scene, run)
