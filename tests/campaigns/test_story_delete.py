"""A story is taken back."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.access import place_for
from campaigns.models import Campaign, Event, Story
from campaigns.services.delete_story import delete_story
from campaigns.services.tell_story import tell_story
from campaigns.stories import stories_of
from rules.engine.errors import RuleViolation
from tests.campaigns.pictures import a_picture
from tests.campaigns.stage import Scene, a_battle, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return a_scene()


@pytest.fixture
def story(scene: Scene) -> Story:
    return tell_story(actor=scene.people["Ilse"], battle=a_battle(scene), text="Words.", picture=a_picture())


def address(story: Story) -> str:
    return reverse("story_delete", args=[story.battle.campaign_id, story.battle.number, story.pk])


@pytest.mark.parametrize("name", ["Ilse", "Priya"])
def test_its_author_and_the_game_master_delete_it_after_being_asked(
    client: Client, story: Story, name: str, django_capture_on_commit_callbacks: Any
) -> None:
    assert "Keep it" in sign_in(client, name).get(address(story)).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        response = client.post(address(story))
    assert response["Location"] == story.battle.get_absolute_url()
    assert not Story.objects.exists()
    assert not Event.objects.filter(kind="story_told").exists()
    assert not story.picture.storage.exists(str(story.picture.name))


def test_another_player_does_not(client: Client, scene: Scene, story: Story) -> None:
    assert sign_in(client, "Marek").post(address(story)).status_code == 404
    with pytest.raises(RuleViolation):
        delete_story(actor=scene.people["Marek"], story=story)
    assert Story.objects.exists()


def test_what_is_gone_already_is_no_error(scene: Scene, story: Story) -> None:
    delete_story(actor=scene.people["Ilse"], story=story)
    story.pk = 1
    delete_story(actor=scene.people["Ilse"], story=story)
    assert not Story.objects.exists()


def test_its_author_deletes_it_even_when_the_campaign_is_over(scene: Scene, story: Story) -> None:
    Campaign.objects.update(status=Campaign.Status.ENDED)
    delete_story(actor=scene.people["Ilse"], story=story)
    assert not Story.objects.exists()


def test_a_page_knows_who_may_do_what(scene: Scene, story: Story) -> None:
    rights = {}
    for name, person in scene.people.items():
        shown = stories_of(story.battle, place_for(person, story.battle.campaign_id))[0]
        rights[name] = (shown.may_edit, shown.may_delete)
    assert rights == {"Ilse": (True, True), "Marek": (False, False), "Priya": (False, True)}
    outside = stories_of(story.battle)[0]
    assert (outside.may_edit, outside.may_delete) == (False, False)
