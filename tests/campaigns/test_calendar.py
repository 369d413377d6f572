"""The calendar of a campaign, a month at a time."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns.access import place_for
from campaigns.calendars import read_month
from campaigns.models import Battle, DateProposal, Round
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db
FRIDAY = datetime(2031, 5, 9, 19, 30, tzinfo=UTC)


@pytest.fixture
def scene() -> Scene:
    return a_scene(("Ilse", "Marek", "Dagny"))


def page(client: Client, scene: Scene, month: str = "2031-05") -> str:
    response = client.get(reverse("calendar", args=[scene.campaign.pk]), {"month": month})
    assert response.status_code == 200
    return response.content.decode()


def test_battles_offers_and_deadlines_stand_on_their_days(client: Client, scene: Scene) -> None:
    fixed = a_battle(scene, "Ilse", "Marek", state=Battle.State.SCHEDULED, scheduled_for=FRIDAY, place="Cellar")
    loose = a_battle(scene, "Marek", "Dagny", state=Battle.State.PROPOSED)
    DateProposal.objects.create(battle=loose, by=scene.people["Dagny"], when=FRIDAY + timedelta(days=2))
    Round.objects.create(
        campaign=scene.campaign, number=1, state=Round.State.PUBLISHED, deadline=FRIDAY + timedelta(days=9)
    )
    month = read_month(place_for(scene.people["Ilse"], scene.campaign.pk), "2031-05")
    items = {day.date.day: [(item.kind, item.mine) for item in day.items] for day in month.days if day.items}
    assert items == {9: [("battle", True)], 11: [("offer", False)], 18: [("deadline", False)]}
    assert [item.note for item in month.undated] == ["battle 2"]
    html = page(sign_in(client, "Ilse"), scene)
    assert fixed.get_absolute_url() in html
    assert reverse("dates", args=[loose.campaign_id, loose.number]) in html
    assert "Round 1 ends" in html
    assert "Cellar" in html


def test_void_battles_drafts_of_rounds_and_offers_of_settled_battles_do_not(scene: Scene) -> None:
    a_battle(scene, "Ilse", state=Battle.State.VOID, scheduled_for=FRIDAY)
    settled = a_battle(scene, "Marek", state=Battle.State.SCHEDULED, scheduled_for=FRIDAY)
    DateProposal.objects.create(battle=settled, by=scene.gm, when=FRIDAY + timedelta(days=1))
    Round.objects.create(campaign=scene.campaign, number=1, deadline=FRIDAY)
    month = read_month(place_for(scene.gm, scene.campaign.pk), "2031-05")
    assert [item.note for day in month.days for item in day.items] == ["battle 2"]
    assert month.undated == []


def test_months_follow_each_other_over_the_turn_of_the_year(scene: Scene) -> None:
    place = place_for(scene.gm, scene.campaign.pk)
    december = read_month(place, "2031-12")
    assert (december.earlier, december.later, len(december.days)) == ("2031-11", "2032-01", 31)
    assert len(read_month(place, "2032-02").days) == 29
    assert read_month(place, "2000-01").earlier == read_month(place, "2099-12").later == ""


def test_the_first_and_the_last_minute_belong_to_the_month(scene: Scene) -> None:
    for month, day, hour, minute in ((5, 1, 0, 0), (5, 31, 23, 59), (6, 1, 0, 0)):
        when = datetime(2031, month, day, hour, minute, tzinfo=UTC)
        a_battle(scene, "Ilse", state=Battle.State.SCHEDULED, scheduled_for=when)
    shown = read_month(place_for(scene.gm, scene.campaign.pk), "2031-05")
    assert [day.date.day for day in shown.days if day.items] == [1, 31]


def test_it_costs_as_many_queries_however_many_dates(client: Client, scene: Scene) -> None:
    sign_in(client, "Ilse")
    counts = []
    for more in (1, 9):
        for number in range(more):
            a_battle(scene, "Ilse", "Marek", state=Battle.State.SCHEDULED, scheduled_for=FRIDAY)
            loose = a_battle(scene, "Marek", "Dagny", state=Battle.State.PROPOSED)
            DateProposal.objects.create(battle=loose, by=scene.gm, when=FRIDAY + timedelta(hours=number))
        with CaptureQueriesContext(connection) as queries:
            page(client, scene)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 14, counts


def test_strangers_see_none_of_it(client: Client, scene: Scene) -> None:
    a_person("Sten")
    assert sign_in(client, "Sten").get(reverse("calendar", args=[scene.campaign.pk])).status_code == 404


@pytest.mark.parametrize("month", ["", "x", "2031-13", "2031-00", "0000-01", "9999-12", "٢٠٣١-٠٥"])
def test_a_month_that_is_none_is_this_one(client: Client, scene: Scene, month: str) -> None:
    assert f'datetime="{timezone.localdate():%Y-%m-%d}"' in page(sign_in(client, "Ilse"), scene, month)
