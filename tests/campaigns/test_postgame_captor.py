"""What becomes of a captive is asked of the captor, on the captor's own page."""

import pytest
from django.test import Client

from campaigns.models import Run
from tests.campaigns.runs import a_postgame, now, run_of, waiting, walk
from tests.campaigns.walks import address, owner_of, press, step_on
from warbands.models import Warband

pytestmark = pytest.mark.django_db
CAPTURED = {"face-1": "6", "face-2": "1"}


@pytest.fixture
def runs(client: Client) -> tuple[Run, Run]:
    """The owner's, who lost somebody to the captor, and the captor's, a chaotic one who may choose."""
    scene, battle = a_postgame()
    Warband.objects.filter(pk=scene.warbands["Ilse"].pk).update(chaotic=True)
    owner, captor = (run_of(battle, scene.warbands[name]) for name in ("Marek", "Ilse"))
    step_on(owner_of(client, owner), owner)
    wanted = now(run_of(battle, owner.warband_id)).wanted
    assert wanted is not None
    press(client, owner, "type", key=wanted.key, dice=2, **CAPTURED)
    return owner, captor


def until_asked(client: Client, owner: Run, captor: Run) -> Run:
    """The owner goes on by pages until it is the captor's turn."""
    walk(captor, until="player_trade.captives")
    owner_of(client, owner)
    while True:
        run = run_of(owner.battle, owner.warband_id)
        question = now(run).question
        if waiting(run) or (question is not None and question.topic == "captive_fate"):
            return run
        assert step_on(client, run).status_code == 302


def test_the_captor_is_asked_and_answers_from_their_own_page(runs: tuple[Run, Run], client: Client) -> None:
    owner, captor = runs
    run = until_asked(client, owner, captor)
    assert "Ilse decides: What becomes of the captive?" in client.get(address(run)).content.decode()
    page = owner_of(client, captor).get(address(captor)).content.decode()
    assert "Asked of you" in page
    assert "Sell as a slave" in page
    assert "Marek waits at Player trade for a word from you." in page
    assert "You wait" not in page
    question = now(run).question
    assert question is not None
    answer = press(client, run, "answer", key=question.key, form="one", answer="execute", back=captor.warband_id)
    assert answer.status_code == 302
    assert answer["Location"] == address(captor)
    assert run_of(run.battle, run.warband_id).answers[question.key] == "execute"
    assert "Asked of you" not in client.get(address(captor)).content.decode()
    walk(run_of(run.battle, run.warband_id))
    told = " ".join(client.get(address(captor)).content.decode().split())
    assert "At the table of Sable Oath:" in told
    assert "Odile Brandt gained 1 experience." in told.partition("At the table of Sable Oath:")[2]


def test_the_owner_cannot_answer_for_the_captor(runs: tuple[Run, Run], client: Client) -> None:
    owner, captor = runs
    run = until_asked(client, owner, captor)
    question = now(run).question
    assert question is not None
    answer = press(client, run, "answer", key=question.key, form="one", answer="sell")
    assert answer.status_code == 409
    assert "That is for Ilse to decide." in answer.content.decode()


def test_a_ransom_is_talked_about_on_a_page_of_its_own(runs: tuple[Run, Run], client: Client) -> None:
    owner, _captor = runs
    page = owner_of(client, owner).get(address(owner)).content.decode()
    assert "What did you agree on with the captor?" in page
    assert "Talk about the ransom" in page
    assert "No deal" in page
