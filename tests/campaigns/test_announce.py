"""A game master announces something."""

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.announcements import latest_announcement
from campaigns.models import Campaign, Event, Membership, Notice
from campaigns.services.announce import announce
from rules.engine.errors import RuleViolation
from tests.campaigns.stage import Scene, a_person, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return a_scene()


def address(scene: Scene) -> str:
    return reverse("announce", args=[scene.campaign.pk])


def test_everybody_else_gets_a_notice_and_the_chronicle_keeps_it(client: Client, scene: Scene) -> None:
    response = sign_in(client, "Priya").post(address(scene), {"title": "We move", "text": "To the *cellar*."})
    event = Event.objects.get(kind="announcement")
    assert response["Location"].endswith(f"#event-{event.pk}")
    notices = Notice.objects.filter(kind="announcement").select_related("person").order_by("person__name")
    assert [notice.person.name for notice in notices] == ["Ilse", "Marek"]
    told = sign_in(client, "Ilse").get(notices[0].address, follow=True).content.decode()
    assert f'id="event-{event.pk}"' in told
    assert "<em>cellar</em>" in told


def test_the_campaign_page_gets_the_newest_one(scene: Scene) -> None:
    assert latest_announcement(scene.campaign) is None
    announce(actor=scene.gm, campaign=scene.campaign, title="One")
    announce(actor=scene.gm, campaign=scene.campaign, title="Two", text="More *words*.")
    latest = latest_announcement(scene.campaign)
    assert latest is not None
    assert latest.event.data["title"] == "Two"
    assert "<em>words</em>" in latest.text


def test_a_co_game_master_may_too(scene: Scene) -> None:
    Membership.objects.filter(person__name="Marek").update(role=Membership.Role.CO_GM)
    announce(actor=scene.people["Marek"], campaign=scene.campaign, title="Hear, hear")
    assert Notice.objects.filter(kind="announcement").count() == 2


def test_players_and_strangers_find_nothing_there(client: Client, scene: Scene) -> None:
    a_person("Sten")
    for name in ("Ilse", "Sten"):
        assert sign_in(client, name).get(address(scene)).status_code == 404
        assert client.post(address(scene), {"title": "I rule"}).status_code == 404
    with pytest.raises(RuleViolation):
        announce(actor=scene.people["Ilse"], campaign=scene.campaign, title="I rule")


def test_without_a_title_it_is_refused_and_the_text_kept(client: Client, scene: Scene) -> None:
    response = sign_in(client, "Priya").post(address(scene), {"title": "", "text": "Long thoughts."})
    assert response.status_code == 422
    assert "Long thoughts." in response.content.decode()
    assert not Event.objects.filter(kind="announcement").exists()


def test_what_is_too_long_is_refused(client: Client, scene: Scene) -> None:
    assert sign_in(client, "Priya").post(address(scene), {"title": "x" * 101}).status_code == 422
    with pytest.raises(RuleViolation):
        announce(actor=scene.gm, campaign=scene.campaign, title="x", text="x" * 5_001)


def test_the_same_form_sent_twice_announces_once(client: Client, scene: Scene) -> None:
    sign_in(client, "Priya").post(address(scene), {"title": "Again"})
    response = client.post(address(scene), {"title": "Again"})
    assert response.status_code == 409
    assert "just this already" in response.content.decode()
    assert Event.objects.filter(kind="announcement").count() == 1


def test_nothing_is_announced_when_it_is_over(client: Client, scene: Scene) -> None:
    Campaign.objects.update(status=Campaign.Status.ENDED)
    response = sign_in(client, "Priya").post(address(scene), {"title": "One more"})
    assert response.status_code == 409
    assert "has ended" in response.content.decode()
