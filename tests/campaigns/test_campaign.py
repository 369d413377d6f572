"""The campaign page: what waits comes first, and it asks as often for many as for few."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaigns.models import Battle, Campaign, Round
from campaigns.services.announce import announce
from campaigns.telling import tell
from tests.campaigns.large import large_campaign
from tests.campaigns.stage import a_battle, a_person, a_scene
from tests.people import BACKEND

pytestmark = pytest.mark.django_db


def opened(client: Client, campaign: Campaign, person: Any) -> Any:
    client.force_login(person, BACKEND)
    return client.get(campaign.get_absolute_url())


def test_what_waits_stands_before_everything_else(client: Client) -> None:
    scene = a_scene()
    a_battle(scene)
    page = opened(client, scene.campaign, scene.people["Ilse"]).content.decode()
    assert page.index("One thing waits for you") < page.index("Standings</h2>") < page.index("Next battles")
    assert "Report battle 1" in page


def test_a_player_reads_who_holds_up_their_battles_and_nothing_of_others(client: Client) -> None:
    scene = a_scene(("Ilse", "Marek", "Dagny", "Ruben"))
    a_battle(scene, "Ilse", "Marek", state=Battle.State.REPORTED, reported_by=scene.people["Ilse"])
    a_battle(scene, "Dagny", "Ruben")
    response = opened(client, scene.campaign, scene.people["Ilse"])
    assert [one.person.name for one in response.context["view"].others] == ["Marek"]
    assert "What waits for whom" not in response.content.decode()


def test_a_game_master_reads_what_waits_for_whom_and_since_when(client: Client) -> None:
    scene = a_scene(("Ilse", "Marek", "Dagny"))
    a_battle(scene, "Ilse", "Marek")
    page = opened(client, scene.campaign, scene.gm)
    assert {one.person.name for one in page.context["view"].others} == {"Ilse", "Marek"}
    assert "What waits for whom" in page.content.decode()
    assert "since" in page.content.decode()


def test_it_shows_the_next_battles_the_chronicle_and_the_round(client: Client) -> None:
    scene = a_scene()
    turn = Round.objects.create(campaign=scene.campaign, number=3, state=Round.State.PUBLISHED)
    a_battle(scene, state=Battle.State.SCHEDULED, scheduled_for=timezone.now(), round=turn)
    tell(campaign=scene.campaign, kind="campaign_begun", actor=scene.gm)
    response = opened(client, scene.campaign, scene.people["Marek"])
    page = response.content.decode()
    assert "The campaign began." in page
    assert "0 of 1 battles over" in page
    assert [one.mine for one in response.context["view"].coming] == [True]


def test_a_draft_of_a_round_is_for_those_who_run_it(client: Client) -> None:
    scene = a_scene()
    Round.objects.create(campaign=scene.campaign, number=3)
    assert "round 3" not in opened(client, scene.campaign, scene.people["Ilse"]).content.decode().lower()
    assert "Publish round 3" in opened(client, scene.campaign, scene.gm).content.decode()


def test_an_empty_campaign_says_what_comes_first(client: Client) -> None:
    scene = a_scene((), status=Campaign.Status.GATHERING)
    page = opened(client, scene.campaign, scene.gm).content.decode()
    assert "No warband has enrolled" in page
    assert f'/campaigns/{scene.campaign.pk}/enrol/">Enrol a warband' in page
    assert "The campaign begins when two warbands are in it and its game master says so." in page


@pytest.mark.parametrize(("most", "offered"), [(1, False), (2, True)])
def test_who_has_all_his_warbands_in_it_is_not_asked_for_another(client: Client, most: int, offered: bool) -> None:
    scene = a_scene(("Ilse",), status=Campaign.Status.GATHERING, house={"warbands_per_player": most})
    page = opened(client, scene.campaign, scene.people["Ilse"]).content.decode()
    assert (">Enrol a warband</a>" in page) is offered


def test_an_announcement_stands_after_what_waits(client: Client) -> None:
    scene = a_scene()
    a_battle(scene)
    announce(actor=scene.gm, campaign=scene.campaign, title="Bring dice", text="Many.")
    page = opened(client, scene.campaign, scene.people["Ilse"]).content.decode()
    assert page.index("One thing waits for you") < page.index("Bring dice</h2>") < page.index("Standings</h2>")


def test_a_stranger_does_not_find_it(client: Client) -> None:
    scene = a_scene()
    assert opened(client, scene.campaign, a_person("Sten")).status_code == 404


@pytest.mark.parametrize("role", ["gm", "player"])
def test_it_asks_as_often_for_many_as_for_few(client: Client, role: str) -> None:
    """The first look works the standings out, the second one reads them from the cache."""
    few, many = (_queries(client, large_campaign(*size), role) for size in ((4, 8), (40, 200)))
    assert few == many
    assert max(many) <= 15, many


def _queries(client: Client, campaign: Campaign, role: str) -> tuple[int, int]:
    client.force_login(campaign.memberships.filter(role=role).order_by("pk")[0].person, BACKEND)
    client.get("/")
    return _asked(client, campaign), _asked(client, campaign)


def _asked(client: Client, campaign: Campaign) -> int:
    with CaptureQueriesContext(connection) as asked:
        assert client.get(campaign.get_absolute_url()).status_code == 200
    return len(asked)
