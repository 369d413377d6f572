"""Each way to win a campaign, through battles of different results; and the page that shows it."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from campaigns.models import Battle, Campaign, Participation
from campaigns.services.touch_campaign import touch_campaign
from campaigns.settings import House, stored
from campaigns.standings import Row, standings, worked_out
from tests.campaigns.large import large_campaign
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.people import BACKEND
from warbands.models import Warband

pytestmark = pytest.mark.django_db

TRIO = ("Ilse", "Marek", "Dagny")


def a_play(scene: Scene, results: Mapping[str, str], state: str = Battle.State.CLOSED, **fields: Any) -> Battle:
    """A battle of these players with these results; the report has no other lines."""
    battle = a_battle(scene, *results, state=state, **fields)
    for name, result in results.items():
        part(battle, scene, name, result=result, routed=0)
    return battle


def part(battle: Battle, scene: Scene, name: str, **fields: Any) -> None:
    Participation.objects.filter(battle=battle, warband=scene.warbands[name]).update(**fields)


def ratings(scene: Scene, **values: int) -> None:
    for name, value in values.items():
        Warband.objects.filter(pk=scene.warbands[name].pk).update(rating=value)


def house(scene: Scene, **fields: Any) -> Campaign:
    scene.campaign.house = stored(House(**fields))
    scene.campaign.save(update_fields=["house"])
    return scene.campaign


def order(scene: Scene) -> list[tuple[int, str]]:
    """Place and player, in the order of the table."""
    names = {warband.pk: name for name, warband in scene.warbands.items()}
    return [(row.place, names[row.warband]) for row in worked_out(Campaign.objects.get(pk=scene.campaign.pk)).rows]


def row_of(scene: Scene, name: str) -> Row:
    key = scene.warbands[name].pk
    return next(row for row in worked_out(scene.campaign).rows if row.warband == key)


# Methods ----------------------------------------------------------------------------------------------


def test_the_rating_decides_and_then_victories_and_then_fewer_battles() -> None:
    scene = a_scene(TRIO)
    ratings(scene, Ilse=120, Marek=120, Dagny=120)
    assert order(scene) == [(1, "Ilse"), (1, "Marek"), (1, "Dagny")]
    a_play(scene, {"Marek": "won", "Ilse": "lost"})
    assert order(scene) == [(1, "Marek"), (2, "Dagny"), (3, "Ilse")]
    ratings(scene, Ilse=121)
    assert order(scene) == [(1, "Ilse"), (2, "Marek"), (3, "Dagny")]


def test_points_for_achievements_decide_and_then_victories() -> None:
    scene = a_scene(TRIO)
    house(scene, winner="points", achievement_points={"Sole victory": 10, "Sharpshooter": 4})
    first = a_play(scene, {"Ilse": "won", "Marek": "lost"})
    part(first, scene, "Ilse", achieved=["Sole victory"])
    part(first, scene, "Marek", achieved=["Sharpshooter"])
    assert [(row.name, row.points) for row in worked_out(scene.campaign).rows[:2]] == [
        (scene.warbands["Ilse"].name, 10),
        (scene.warbands["Marek"].name, 4),
    ]


def test_an_achievement_counts_once_a_campaign_where_the_campaign_says_so() -> None:
    scene = a_scene(TRIO)
    house(scene, winner="points", achievement_points={"Sharpshooter": 4})
    for _again in range(2):
        battle = a_play(scene, {"Ilse": "won", "Marek": "lost"})
        part(battle, scene, "Marek", achieved=["Sharpshooter"])
    assert row_of(scene, "Marek").points == 8
    scene.campaign.overrides = {"achievements_once_per": "campaign"}
    assert row_of(scene, "Marek").points == 4


def test_an_achievement_that_the_pack_does_not_know_counts_for_nothing() -> None:
    scene = a_scene(TRIO)
    house(scene, winner="points")
    battle = a_play(scene, {"Ilse": "lost", "Marek": "lost"})
    part(battle, scene, "Ilse", achieved=["Of another edition"])
    assert row_of(scene, "Ilse").points == 0


def test_points_for_the_order_of_routing() -> None:
    scene = a_scene(TRIO)
    house(scene, winner="points", points="rout_order")
    battle = a_play(scene, {"Ilse": "won", "Marek": "lost", "Dagny": "lost"})
    part(battle, scene, "Marek", routed=2)
    part(battle, scene, "Dagny", routed=1)
    assert [row_of(scene, name).points for name in TRIO] == [2, 1, 0]
    assert order(scene) == [(1, "Ilse"), (2, "Marek"), (3, "Dagny")]


def test_the_winner_and_each_ally_take_a_point_for_every_player() -> None:
    scene = a_scene(TRIO)
    house(scene, winner="points", points="winner_takes")
    ratings(scene, Ilse=100, Marek=110, Dagny=200)
    a_play(scene, {"Ilse": "won_allied", "Marek": "won_allied", "Dagny": "lost"})
    assert order(scene) == [(1, "Marek"), (2, "Ilse"), (3, "Dagny")]
    assert [row_of(scene, name).points for name in TRIO] == [3, 3, 0]
    assert row_of(scene, "Ilse").allied == 1


def test_points_of_the_scenario() -> None:
    scene = a_scene(TRIO)
    house(scene, winner="points", points="scenario")
    battle = a_play(scene, {"Ilse": "won", "Marek": "lost"})
    part(battle, scene, "Marek", scenario_points=5)
    assert order(scene)[0] == (1, "Marek")


def test_markers_decide_and_can_be_lost_again() -> None:
    scene = a_scene(TRIO)
    house(scene, winner="markers")
    for held in (3, -1):
        battle = a_play(scene, {"Ilse": "won", "Dagny": "lost"})
        part(battle, scene, "Dagny", markers=held)
    assert (row_of(scene, "Dagny").markers, order(scene)[0]) == (2, (1, "Dagny"))


def test_until_the_final_battle_the_rating_gives_the_order() -> None:
    scene = a_scene(TRIO)
    house(scene, winner="final_battle")
    ratings(scene, Ilse=90, Marek=120, Dagny=100)
    a_play(scene, {"Ilse": "won", "Marek": "lost"})
    assert order(scene) == [(1, "Marek"), (2, "Dagny"), (3, "Ilse")]
    assert not worked_out(scene.campaign).final_fought


def test_the_final_battle_decides_and_who_was_not_in_it_comes_last() -> None:
    scene = a_scene(("Ilse", "Marek", "Dagny", "Ruben"))
    house(scene, winner="final_battle")
    ratings(scene, Ilse=90, Marek=100, Dagny=110, Ruben=300)
    final = a_play(scene, {"Ilse": "won", "Marek": "lost", "Dagny": "lost"}, is_final=True)
    part(final, scene, "Marek", routed=2)
    part(final, scene, "Dagny", routed=1)
    a_play(scene, {"Ruben": "won", "Ilse": "lost"})
    assert order(scene) == [(1, "Ilse"), (2, "Marek"), (3, "Dagny"), (4, "Ruben")]
    assert row_of(scene, "Ruben").final == ""


# What counts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "counts"),
    [("playing", 0), ("reported", 0), ("disputed", 0), ("confirmed", 1), ("postgame", 1), ("closed", 1), ("void", 0)],
)
def test_a_battle_counts_from_its_confirmed_report_on_and_a_void_one_never(state: str, counts: int) -> None:
    scene = a_scene()
    a_battle(scene, state=state)
    assert worked_out(scene.campaign).battles == counts
    assert row_of(scene, "Ilse").wins == counts


def test_a_row_counts_wins_losses_draws_kills_and_casualties() -> None:
    scene = a_scene()
    a_battle(scene, state=Battle.State.CLOSED)
    a_play(scene, {"Ilse": "drawn", "Marek": "drawn"})
    row, other = row_of(scene, "Ilse"), row_of(scene, "Marek")
    assert (row.wins, row.losses, row.draws, row.battles) == (1, 0, 1, 2)
    assert (row.kills, row.casualties, other.kills, other.casualties) == (2, 0, 0, 2)
    assert row.form == ("won", "drawn")
    assert row.treasury == Warband.objects.get(pk=scene.warbands["Ilse"].pk).treasury


def test_who_died_out_left_or_retired_stays_and_is_marked() -> None:
    scene = a_scene(TRIO)
    scene.warbands["Ilse"].fighters.all().delete()
    scene.campaign.enrolments.filter(warband=scene.warbands["Marek"]).update(left=scene.campaign.created)
    Warband.objects.filter(pk=scene.warbands["Dagny"].pk).update(status=Warband.Status.RETIRED)
    assert [row_of(scene, name).mark for name in TRIO] == ["gone", "left", "retired"]


# The cache --------------------------------------------------------------------------------------------


def test_standings_are_kept_until_the_campaign_is_touched(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    scene = a_scene()
    assert standings(scene.campaign).battles == 0
    a_battle(scene, state=Battle.State.CLOSED)
    fresh = Campaign.objects.get(pk=scene.campaign.pk)
    with django_assert_num_queries(1):
        assert standings(fresh).battles == 0
    touch_campaign(campaign=fresh)
    assert standings(fresh).battles == 1


def test_a_changed_warband_changes_the_standings_without_being_told() -> None:
    scene = a_scene()
    assert standings(scene.campaign).rows[0].rating != 500
    Warband.objects.filter(pk=scene.warbands["Marek"].pk).update(rating=500, version=99)
    fresh = Campaign.objects.get(pk=scene.campaign.pk)
    assert standings(fresh).rows[0].rating == 500


def test_touching_by_key_is_the_same_as_by_row() -> None:
    scene = a_scene()
    touch_campaign(campaign=scene.campaign.pk)
    touch_campaign(campaign=scene.campaign)
    assert scene.campaign.version == 2


# The page ---------------------------------------------------------------------------------------------


def opened(client: Client, campaign: Campaign, person: Any, query: str = "") -> Any:
    client.force_login(person, BACKEND)
    return client.get(reverse("standings", args=[campaign.pk]) + query)


@pytest.mark.parametrize("winner", ["rating", "final_battle", "points", "markers"])
def test_the_page_says_what_decides_and_what_breaks_ties(client: Client, winner: str) -> None:
    scene = a_scene(TRIO)
    campaign = house(scene, winner=winner)
    a_battle(scene, state=Battle.State.CLOSED)
    page = opened(client, campaign, scene.people["Ilse"]).content.decode()
    assert "told apart by" in page
    assert len(re.findall(r'<tr class="mine">', page)) == 1
    assert all(warband.name in page for warband in scene.warbands.values())


def test_nobody_but_members_sees_the_standings(client: Client) -> None:
    scene = a_scene()
    assert opened(client, scene.campaign, a_person("Sten")).status_code == 404


def test_one_s_own_warband_stands_above_a_page_that_it_is_not_on(client: Client) -> None:
    crowd = large_campaign(60, 30)
    last = crowd.warbands.order_by("rating").first()
    assert last is not None
    response = opened(client, crowd, last.owner)
    assert [line.name for line in response.context["elsewhere"]] == [last.name]
    assert len(response.context["lines"]) == 50
    assert opened(client, crowd, last.owner, "?page=2").context["elsewhere"] == []


def test_a_campaign_without_warbands_says_so(client: Client) -> None:
    scene = a_scene(())
    assert "No warband has enrolled" in opened(client, scene.campaign, scene.gm).content.decode()


def test_the_page_asks_as_often_for_many_as_for_few(client: Client) -> None:
    counts = [_queries(client, large_campaign(*size)) for size in ((4, 8), (40, 200))]
    assert counts[0] == counts[1]
    assert max(counts) <= 14


def _queries(client: Client, campaign: Campaign) -> int:
    person = campaign.memberships.get(role="gm").person
    client.force_login(person, BACKEND)
    with CaptureQueriesContext(connection) as asked:
        assert client.get(reverse("standings", args=[campaign.pk])).status_code == 200
    return len(asked)
