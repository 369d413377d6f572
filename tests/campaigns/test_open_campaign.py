"""Campaigns as outsiders see them, and asking to join one."""

from typing import Any

import pytest
from django.test import Client

from campaigns.models import Campaign, JoinRequest
from campaigns.services.request_to_join import request_to_join
from campaigns.telling import tell
from rules.engine.errors import RuleViolation
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.campaigns.threads import at_once
from tests.people import sign_in

LIST = "/campaigns/open/"


@pytest.fixture
def scene(db: None) -> Scene:
    return a_scene(visibility="public", link_token="a-token-that-nobody-guesses", motto="Mud.")


def by_number(scene: Scene) -> str:
    return f"{LIST}{scene.campaign.pk}/"


def ask(scene: Scene) -> str:
    return f"/campaigns/{scene.campaign.pk}/request/"


# Looking in -------------------------------------------------------------------------------------------


def test_everybody_reads_a_public_campaign(client: Client, scene: Scene) -> None:
    a_battle(scene, state="closed")
    tell(campaign=scene.campaign, kind="warband_enrolled", actor=scene.people["Ilse"], warband=scene.warbands["Ilse"])
    tell(campaign=scene.campaign, kind="setting_changed", actor=scene.gm, setting="Dice", before="a", after="b")
    answer = client.get(by_number(scene))
    page = answer.content.decode()
    assert scene.warbands["Marek"].name in page
    assert "Ilse enrolled The Lantern Wardens." in page
    assert "changed Dice" not in page
    assert "@example.org" not in page
    assert f"/campaigns/{scene.campaign.pk}/battles" not in page
    assert "X-Robots-Tag" not in answer.headers


@pytest.mark.parametrize(
    ("visibility", "number", "token"), [("private", 404, 404), ("link", 404, 200), ("public", 200, 200)]
)
def test_each_visibility_opens_its_own_ways(
    client: Client, scene: Scene, visibility: str, number: int, token: int
) -> None:
    Campaign.objects.update(visibility=visibility)
    assert client.get(by_number(scene)).status_code == number
    answer = client.get(f"{LIST}a-token-that-nobody-guesses/")
    assert answer.status_code == token
    assert ("X-Robots-Tag" in answer.headers) is (visibility == "link")
    assert client.get(f"{LIST}another/").status_code == 404


def test_a_member_is_led_inside_and_others_may_ask(client: Client, scene: Scene) -> None:
    assert "Ask to join" in client.get(by_number(scene)).content.decode()
    assert "To the campaign" in sign_in(client, "Ilse").get(by_number(scene)).content.decode()
    sten = a_person("Sten")
    request_to_join(actor=sten, campaign=scene.campaign)
    page = sign_in(client, "Sten").get(by_number(scene)).content.decode()
    assert "You have asked to join" in page
    assert ask(scene) not in page


def test_the_list_names_public_campaigns_only(client: Client, scene: Scene) -> None:
    Campaign.objects.create(name="Hidden away")
    page = client.get(LIST).content.decode()
    assert "The thaw" in page
    assert "GM Priya" in page
    assert "2 warbands" in page
    assert "Hidden away" not in page


def test_an_empty_list_says_so(client: Client, db: None) -> None:
    assert "<h2>No campaign is open</h2>" in client.get(LIST).content.decode()


@pytest.mark.parametrize("page", ["2", "0", "x", "-1"])
def test_the_list_bears_any_page(client: Client, scene: Scene, page: str) -> None:
    assert client.get(LIST, {"page": page}).status_code == 200


def test_the_list_asks_the_database_a_fixed_number_of_times(
    client: Client, scene: Scene, django_assert_max_num_queries: Any
) -> None:
    for number in range(20):
        Campaign.objects.create(name=f"Open {number}", visibility="public")
    with django_assert_max_num_queries(4):
        client.get(LIST)


# Asking -----------------------------------------------------------------------------------------------


def test_somebody_asks_with_a_note(client: Client, scene: Scene) -> None:
    a_person("Sten")
    sign_in(client, "Sten")
    assert client.get(ask(scene)).status_code == 200
    assert client.post(ask(scene), {"note": "On Fridays"}).headers["Location"] == by_number(scene)
    asked = JoinRequest.objects.get()
    assert (asked.note, asked.state) == ("On Fridays", "waiting")
    notice = scene.gm.notices.get()
    assert (notice.kind, notice.matter) == ("asked_to_join", f"join-request-{asked.pk}")


def test_nobody_asks_twice(client: Client, scene: Scene) -> None:
    a_person("Sten")
    sign_in(client, "Sten")
    client.post(ask(scene), {"note": ""})
    answer = client.post(ask(scene), {"note": "Please"})
    assert answer.status_code == 409
    assert "You have asked already." in answer.content.decode()
    assert "Please" in answer.content.decode()
    assert JoinRequest.objects.count() == 1


def test_a_member_need_not_ask(client: Client, scene: Scene) -> None:
    answer = sign_in(client, "Ilse").post(ask(scene), {"note": ""})
    assert answer.status_code == 409
    assert "You are in this campaign already." in answer.content.decode()


def test_a_long_note_is_refused(client: Client, scene: Scene) -> None:
    a_person("Sten")
    answer = sign_in(client, "Sten").post(ask(scene), {"note": "x" * 501})
    assert answer.status_code == 422
    assert answer.context["form"].errors["note"]


@pytest.mark.parametrize("visibility", ["private", "link"])
def test_only_public_campaigns_are_asked(client: Client, scene: Scene, visibility: str) -> None:
    Campaign.objects.update(visibility=visibility)
    sten = a_person("Sten")
    assert sign_in(client, "Sten").post(ask(scene), {"note": ""}).status_code == 404
    with pytest.raises(RuleViolation) as refused:
        request_to_join(actor=sten, campaign=scene.campaign)
    assert refused.value.code == "not_public"


def test_asking_needs_a_person(client: Client, scene: Scene) -> None:
    assert client.get(ask(scene)).headers["Location"] == f"/account/login/?next={ask(scene)}"


@pytest.mark.django_db(transaction=True)
def test_a_double_click_asks_once() -> None:
    scene = a_scene(visibility="public")
    sten = a_person("Sten")
    click = lambda: request_to_join(actor=sten, campaign=scene.campaign)  # noqa: E731
    assert sorted(at_once(click, click)) == ["", "already_asked"]
    assert JoinRequest.objects.count() == 1
