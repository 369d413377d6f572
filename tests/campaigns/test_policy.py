"""Habits: what is done for somebody who does not answer."""

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Policy
from campaigns.services.save_policy import save_policy
from campaigns.walk.wishes import habit, wishables
from rules.engine.errors import RuleViolation
from rules.texts import hidden_sentence
from tests.campaigns.stage import Scene, a_person, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return a_scene()


def test_habits_of_a_campaign_are_kept_and_shown(scene: Scene, client: Client) -> None:
    path = reverse("policy", args=[scene.campaign.pk])
    sign_in(client, "Ilse")
    sent = {
        "basis": "cautious",
        "wish-advance": ["Res", "", "HP"],
        "wish-healing_herb": "keep",
        "reserved": ["trade", "skill"],
    }
    assert client.post(path, sent).status_code == 302
    kept = Policy.objects.get(person=scene.people["Ilse"], campaign=scene.campaign)
    assert kept.wishes == {"otherwise": "cautious", "advance": ["Res", "HP"], "healing_herb": "keep"}
    assert kept.reserved == ["skill", "trade"]
    page = client.get(path).content.decode()
    assert '<option value="keep" selected>' in page
    assert 'value="cautious" checked' in page
    client.post(path, sent | {"basis": "default"})
    assert Policy.objects.filter(person=scene.people["Ilse"]).count() == 1


def test_those_for_everything_are_shown_where_nothing_else_is_said(scene: Scene, client: Client) -> None:
    sign_in(client, "Ilse")
    assert client.post(reverse("policy_everywhere"), {"basis": "greedy"}).status_code == 302
    page = client.get(reverse("policy", args=[scene.campaign.pk])).content.decode()
    assert "These are your habits for everything" in page
    assert 'value="greedy" checked' in page


def test_habits_are_forgotten(scene: Scene, client: Client) -> None:
    sign_in(client, "Ilse")
    path = reverse("policy", args=[scene.campaign.pk])
    client.post(path, {"basis": "greedy"})
    client.post(path, {"forget": "1"})
    assert not Policy.objects.exists()


@pytest.mark.parametrize("wrong", [{"basis": "reckless"}, {"reserved": ["the weather"]}])
def test_nonsense_is_refused_and_what_was_chosen_is_kept(scene: Scene, client: Client, wrong: dict[str, str]) -> None:
    sign_in(client, "Ilse")
    path = reverse("policy", args=[scene.campaign.pk])
    answer = client.post(path, {"wish-healing_herb": "keep"} | wrong)
    assert answer.status_code == 409
    assert '<option value="keep" selected>' in answer.content.decode()
    assert not Policy.objects.exists()


def test_a_stranger_has_no_habits_there(scene: Scene, client: Client) -> None:
    a_person("Sten")
    assert sign_in(client, "Sten").get(reverse("policy", args=[scene.campaign.pk])).status_code == 404


@pytest.mark.parametrize("wish", ["\0", "keep\u202e"])
def test_a_wish_hides_nothing(scene: Scene, client: Client, wish: str) -> None:
    path = reverse("policy", args=[scene.campaign.pk])
    answer = sign_in(client, "Ilse").post(path, {"wish-healing_herb": wish})
    assert (answer.status_code, hidden_sentence() in answer.content.decode()) == (409, True)
    assert not Policy.objects.exists()


def test_too_many_wishes_are_refused(scene: Scene) -> None:
    with pytest.raises(RuleViolation, match="more wishes"):
        save_policy(actor=scene.gm, campaign=None, wishes={"skill": ["Strongman"] * 20}, reserved=[])


def test_every_habit_is_told_in_words() -> None:
    for basis in ("default", "cautious", "greedy"):
        for one in wishables():
            told = habit(one.topic, {"otherwise": basis})
            assert told
            assert "_" not in told
    assert habit("advance", {"advance": ["Res", "skill"]}) == "Resilience, else A skill"
