"""A player tells the story of a battle."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from campaigns.access import place_for
from campaigns.models import Battle, Campaign, Event, Notice, Story
from campaigns.services.tell_story import tell_story
from campaigns.stories import LONGEST, may_tell, stories_of
from rules.engine.errors import RuleViolation
from tests.campaigns.pictures import a_picture
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db

NASTY = (
    "<script>alert(1)</script> <img src=x onerror=alert(2)> [press](javascript:alert(3)) "
    "[press](data:text/html;base64,PHN2Zz4=) <a href='javascript:alert(4)'>x</a> ![p](http://spy.example/p.png) "
)


@pytest.fixture
def scene() -> Scene:
    return a_scene(("Ilse", "Marek", "Dagny"))


@pytest.fixture
def battle(scene: Scene) -> Battle:
    return a_battle(scene, "Ilse", "Marek")


def address(battle: Battle) -> str:
    return reverse("story_new", args=[battle.campaign_id, battle.number])


# Works ----------------------------------------------------------------------------------------------
def test_a_story_is_told_chronicled_and_noticed(client: Client, battle: Battle) -> None:
    response = sign_in(client, "Ilse").post(address(battle), {"text": "We *won*.\r\nAt last."})
    story = Story.objects.get()
    assert response["Location"] == f"{battle.get_absolute_url()}#story-{story.pk}"
    assert (story.text, story.author.name) == ("We *won*.\nAt last.", "Ilse")
    event = Event.objects.get(kind="story_told")
    assert (event.battle, event.data["story"]) == (battle, story.pk)
    assert [notice.person.name for notice in Notice.objects.filter(kind="story_told")] == ["Marek"]
    assert "<em>won</em>" in stories_of(battle)[0].text
    html = client.get(reverse("chronicle", args=[battle.campaign_id])).content.decode()
    assert "<em>won</em>" in html


def test_a_picture_is_drawn_anew_and_served(client: Client, battle: Battle) -> None:
    sent = {"picture": a_picture(), "alt": "Two ogres in the snow"}
    assert sign_in(client, "Marek").post(address(battle), sent).status_code == 302
    story = Story.objects.get()
    with story.picture.open() as file:
        data = file.read()
    assert data[8:12] == b"WEBP"
    assert b"taken at home" not in data
    response = client.get(story.picture.url)
    assert (response.status_code, response["Content-Type"]) == (200, "image/webp")
    html = client.get(reverse("chronicle", args=[battle.campaign_id])).content.decode()
    assert 'alt="Two ogres in the snow"' in html


def test_the_longest_story_with_markup_in_it_is_shown_harmlessly(client: Client, battle: Battle) -> None:
    text = (NASTY * (LONGEST // len(NASTY) + 1))[:LONGEST].strip().ljust(LONGEST, ".")
    assert sign_in(client, "Ilse").post(address(battle), {"text": text}).status_code == 302
    assert len(Story.objects.get().text) == LONGEST
    for html in (
        stories_of(battle)[0].text,
        client.get(reverse("chronicle", args=[battle.campaign_id])).content.decode(),
    ):
        assert "<script>alert" not in html
        assert "<img src=x" not in html
        assert 'src="http://spy' not in html
        assert 'href="javascript:' not in html
        assert 'href="data:' not in html


def test_the_game_master_tells_stories_too(scene: Scene, battle: Battle) -> None:
    assert tell_story(actor=scene.gm, battle=battle, text="From above.").author == scene.gm


def test_a_page_knows_who_may_tell(scene: Scene, battle: Battle) -> None:
    may = {name: may_tell(place_for(person, battle.campaign_id), battle) for name, person in scene.people.items()}
    assert may == {"Priya": True, "Ilse": True, "Marek": True, "Dagny": False}


# Needs access ---------------------------------------------------------------------------------------
def test_members_who_did_not_fight_and_strangers_find_nothing(client: Client, battle: Battle) -> None:
    a_person("Sten")
    for name in ("Dagny", "Sten"):
        assert sign_in(client, name).get(address(battle)).status_code == 404
        assert client.post(address(battle), {"text": "I was there."}).status_code == 404
    assert not Story.objects.exists()


# Refuses what is wrong ------------------------------------------------------------------------------
def test_a_story_that_is_too_long_is_refused_and_kept(client: Client, battle: Battle) -> None:
    text = "The snow. " * 1001
    response = sign_in(client, "Ilse").post(address(battle), {"text": text})
    html = response.content.decode()
    assert response.status_code == 409
    assert "A story has at most 10,000 letters; this one has 10,009." in html
    assert text.strip() in html
    assert not Story.objects.exists()


def test_a_story_needs_words_or_a_picture(client: Client, battle: Battle) -> None:
    response = sign_in(client, "Ilse").post(address(battle), {"text": "  \r\n "})
    assert response.status_code == 409
    assert "Write a few words, or add a picture." in response.content.decode()


def test_what_is_no_picture_is_refused_and_the_text_kept(client: Client, battle: Battle) -> None:
    file = SimpleUploadedFile("x.svg", b"<svg><script>alert(1)</script></svg>", "image/svg+xml")
    response = sign_in(client, "Ilse").post(address(battle), {"text": "Kept.", "picture": file})
    assert response.status_code == 409
    assert "no picture that can be read" in response.content.decode()
    assert "Kept." in response.content.decode()
    assert not Story.objects.exists()


def test_a_void_battle_and_a_campaign_that_is_over_get_no_story(client: Client, scene: Scene, battle: Battle) -> None:
    ilse = scene.people["Ilse"]
    Battle.objects.filter(pk=battle.pk).update(state=Battle.State.VOID)
    with pytest.raises(RuleViolation) as void:
        tell_story(actor=ilse, battle=battle, text="It never was.")
    Campaign.objects.update(status=Campaign.Status.ENDED)
    with pytest.raises(RuleViolation) as over:
        tell_story(actor=ilse, battle=battle, text="Too late.")
    assert (void.value.code, over.value.code) == ("wrong_state", "campaign_over")
    form = reverse("story_new", args=[battle.campaign_id, battle.number])
    assert "This campaign has ended." in sign_in(client, "Ilse").get(form).content.decode()


def test_a_picture_that_nobody_has_is_not_there(client: Client, db: None) -> None:
    assert client.get("/media/stories/nobody-has-this-picture.webp").status_code == 404
