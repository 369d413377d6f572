"""The page of a battle."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from campaigns.models import Battle, Campaign
from tests.campaigns.stage import PLAYERS, Scene, a_battle, a_person, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db
State = Battle.State


@pytest.fixture
def scene() -> Scene:
    return a_scene()


def page(client: Client, battle: Battle, name: str = "Ilse") -> str:
    answer = sign_in(client, name).get(battle.get_absolute_url())
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("state", list(State))
@pytest.mark.parametrize("name", ["Ilse", "Priya"])
def test_a_battle_shows_in_every_state(client: Client, scene: Scene, state: str, name: str) -> None:
    battle = a_battle(scene, state=state, void_reason="Nobody came.")
    shown = page(client, battle, name)
    assert "The Lantern Wardens" in shown
    assert "Sable Oath" in shown
    assert battle.commitment in shown


def test_it_says_whom_it_waits_for_as_one_would(client: Client, scene: Scene) -> None:
    shown = page(client, a_battle(scene, "Ilse", "Marek", state=State.SCHEDULED))
    assert "Waits for you and Marek." in shown


@pytest.mark.parametrize("state", [state for state in State if state not in (State.CLOSED, State.VOID)])
def test_the_seed_stays_secret_until_the_battle_is_over(client: Client, scene: Scene, state: str) -> None:
    battle = a_battle(scene, state=state)
    assert battle.seed not in page(client, battle)
    over = a_battle(scene, state=State.CLOSED)
    assert over.seed in page(client, over)


def test_the_weaker_one_sees_the_underdog_bonus(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, state=State.PLAYING)
    battle.participations.filter(position=0).update(rating_before=100)
    battle.participations.filter(position=1).update(rating_before=160)
    shown = page(client, battle)
    assert "60 weaker" in shown
    assert '<b class="gain">+1</b>' in shown


def test_a_campaign_without_the_bonus_shows_none(client: Client) -> None:
    scene = a_scene(overrides={"underdog_bonus": False})
    battle = a_battle(scene, state=State.PLAYING)
    battle.participations.filter(position=0).update(rating_before=100)
    battle.participations.filter(position=1).update(rating_before=400)
    assert '<b class="gain">' not in page(client, battle)


def test_it_says_how_the_armies_get_along_and_who_may_ally(client: Client) -> None:
    scene = a_scene(PLAYERS[:3])
    shown = page(client, a_battle(scene, state=State.SCHEDULED))
    assert "They may ally." in shown or "They cannot ally" in shown
    two = page(client, a_battle(scene, "Ilse", "Marek", state=State.SCHEDULED))
    assert "each other" in two
    assert "They may ally." not in two


def test_somebody_outside_the_campaign_does_not_find_it(client: Client, scene: Scene) -> None:
    battle = a_battle(scene)
    a_person("Sten")
    assert sign_in(client, "Sten").get(battle.get_absolute_url()).status_code == 404


def test_a_number_that_is_no_battle_is_not_found(client: Client, scene: Scene) -> None:
    a_battle(scene)
    assert sign_in(client, "Ilse").get(reverse("battle", args=[scene.campaign.pk, 7])).status_code == 404


def test_buttons_are_only_for_those_who_fight_and_the_game_master(client: Client) -> None:
    scene = a_scene(PLAYERS[:3])
    battle = a_battle(scene, "Ilse", "Marek", state=State.SCHEDULED)
    assert "Open the pre-game" in page(client, battle, "Ilse")
    assert "Open the pre-game" in page(client, battle, "Priya")
    assert "Open the pre-game" not in page(client, battle, "Dagny")
    assert "Void this battle" not in page(client, battle, "Ilse")


def test_nothing_is_offered_in_a_campaign_that_has_ended(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, state=State.SCHEDULED)
    Campaign.objects.update(status=Campaign.Status.ENDED)
    shown = page(client, battle, "Priya")
    assert "Open the pre-game" not in shown
    assert "Void this battle" not in shown


def test_more_warbands_cost_no_more_queries(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    scene = a_scene(PLAYERS)
    small, large = a_battle(scene, "Ilse", "Marek", state=State.SCHEDULED), a_battle(scene, state=State.SCHEDULED)
    sign_in(client, "Ilse")
    for battle in (small, large):
        with django_assert_max_num_queries(18):
            client.get(battle.get_absolute_url())


def test_it_says_when_they_check_for_rout_and_a_final_battle_has_its_own_limit(client: Client) -> None:
    """A quarter of eight models; in a final battle half of them (8.2, 2.4.2)."""
    scene = a_scene(PLAYERS)
    usual = a_battle(scene, "Ilse", "Marek", state=State.PLAYING)
    final = a_battle(scene, "Ilse", "Marek", state=State.SCHEDULED, is_final=True)
    assert page(client, usual).count(">2 of 8</span>") == 2
    assert page(client, final).count(">4 of 8</span>") == 2
    closed = a_battle(scene, "Dagny", "Ruben", state=State.CLOSED)
    assert "models out of action on" not in page(client, closed)
