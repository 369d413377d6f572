"""Whoever told a story tells it better."""

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle, Campaign, Story
from campaigns.services.edit_story import version_of
from campaigns.services.tell_story import tell_story
from tests.campaigns.pictures import a_picture
from tests.campaigns.stage import Scene, a_battle, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return a_scene()


@pytest.fixture
def story(scene: Scene) -> Story:
    return tell_story(actor=scene.people["Ilse"], battle=a_battle(scene), text="First words.", picture=a_picture())


def address(story: Story) -> str:
    return reverse("story_edit", args=[story.battle.campaign_id, story.battle.number, story.pk])


def test_words_and_picture_are_changed(
    client: Client, story: Story, django_capture_on_commit_callbacks: object
) -> None:
    old = str(story.picture.name)
    sent = {"text": "Better words.", "picture": a_picture("b.jpg"), "alt": "Snow", "version": version_of(story)}
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        response = sign_in(client, "Ilse").post(address(story), sent)
    assert response["Location"].endswith(f"#story-{story.pk}")
    before, after = story, Story.objects.get()
    assert (after.text, after.alt) == ("Better words.", "Snow")
    assert after.picture.name != old
    assert not before.picture.storage.exists(old)
    assert after.edited


def test_the_picture_is_taken_away(client: Client, story: Story) -> None:
    sign_in(client, "Ilse").post(address(story), {"text": "Words.", "without_picture": "on", "alt": "x"})
    after = Story.objects.get()
    assert (after.picture.name, after.alt) == ("", "")


def test_the_form_shows_what_is_there(client: Client, story: Story) -> None:
    assert "First words." in sign_in(client, "Ilse").get(address(story)).content.decode()


def test_nobody_else_edits_it_not_even_the_game_master(client: Client, story: Story) -> None:
    for name in ("Marek", "Priya"):
        assert sign_in(client, name).get(address(story)).status_code == 404
        assert client.post(address(story), {"text": "Mine now."}).status_code == 404
    assert Story.objects.get().text == "First words."


def test_a_story_of_another_battle_is_not_there(client: Client, scene: Scene, story: Story) -> None:
    other = a_battle(scene, state=Battle.State.PROPOSED)
    wrong = reverse("story_edit", args=[other.campaign_id, other.number, story.pk])
    assert sign_in(client, "Ilse").get(wrong).status_code == 404


def test_a_stale_form_is_told_so_keeps_what_was_typed_and_may_be_sent_again(client: Client, story: Story) -> None:
    old = version_of(story)
    sign_in(client, "Ilse").post(address(story), {"text": "In one tab.", "version": old})
    response = client.post(address(story), {"text": "In another tab.", "version": old})
    html = response.content.decode()
    assert response.status_code == 409
    assert "changed since you opened the page" in html
    assert "In another tab." in html
    assert Story.objects.get().text == "In one tab."
    again = version_of(Story.objects.get())
    assert again.replace("+", "&#x2B;") in html or again in html
    assert client.post(address(story), {"text": "In another tab.", "version": again}).status_code == 302


def test_too_long_or_empty_is_refused(client: Client, story: Story) -> None:
    sign_in(client, "Ilse")
    assert client.post(address(story), {"text": "x" * 10_001}).status_code == 409
    assert client.post(address(story), {"text": "", "without_picture": "on"}).status_code == 409
    assert Story.objects.get().text == "First words."


def test_nothing_is_edited_in_a_campaign_that_is_over(client: Client, story: Story) -> None:
    Campaign.objects.update(status=Campaign.Status.ENDED)
    response = sign_in(client, "Ilse").post(address(story), {"text": "Late."})
    assert response.status_code == 409
    assert "has ended" in response.content.decode()
