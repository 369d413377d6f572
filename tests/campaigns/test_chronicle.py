"""The chronicle: what is told, in which words, who reads it, and how it is searched."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns.chronicle import GROUPS, SENTENCES, group_of, kinds_in, plain_sentence, sentence
from campaigns.chronicle_page import PAGE, latest_events, read_chronicle
from campaigns.models import Battle, Event
from campaigns.telling import tell
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return a_scene()


def address(scene: Scene) -> str:
    return reverse("chronicle", args=[scene.campaign.pk])


def page(client: Client, scene: Scene, **query: Any) -> str:
    response = client.get(address(scene), query)
    assert response.status_code == 200
    return response.content.decode()


def many(scene: Scene, count: int) -> list[Event]:
    """One an hour, the first one the oldest."""
    start = timezone.now() - timedelta(hours=count)
    return [
        Event.objects.create(
            campaign=scene.campaign, kind="announcement", actor=scene.gm, time=start + timedelta(hours=number),
            data={"actor": "Priya", "title": f"Number {number}.", "text": ""},
        )
        for number in range(count)
    ]  # fmt: skip


# Works ----------------------------------------------------------------------------------------------
def test_the_newest_stands_first_under_its_day(client: Client, scene: Scene) -> None:
    battle = a_battle(scene)
    old = tell(campaign=scene.campaign, kind="campaign_begun", actor=scene.gm)
    Event.objects.filter(pk=old.pk).update(time=timezone.now() - timedelta(days=3))
    new = tell(campaign=scene.campaign, kind="story_told", actor=scene.people["Ilse"], battle=battle)
    html = page(sign_in(client, "Marek"), scene)
    assert html.index(f'id="event-{new.pk}"') < html.index(f'id="event-{old.pk}"')
    assert f'datetime="{timezone.localdate():%Y-%m-%d}"' in html
    assert f'datetime="{timezone.localdate() - timedelta(days=3):%Y-%m-%d}"' in html


def test_an_event_has_an_address_that_shows_it_however_much_follows(client: Client, scene: Scene) -> None:
    events = many(scene, PAGE * 2 + 5)
    html = page(sign_in(client, "Ilse"), scene, until=events[3].pk)
    assert f'id="event-{events[3].pk}"' in html
    assert f'id="event-{events[4].pk}"' not in html
    assert f"?until={events[3].pk}#event-{events[3].pk}" in html


def test_pages_lead_through_all_of_it_and_back(scene: Scene) -> None:
    events = many(scene, PAGE * 2 + 5)
    seen: list[int] = []
    query: dict[str, str] = {}
    for _turn in range(3):
        shown = read_chronicle(scene.campaign, query)
        seen += [told.event.pk for day in shown.days for told in day.events]
        query = dict([pair.split("=") for pair in shown.older.split("&") if pair])
    assert query == {}
    assert seen == [event.pk for event in reversed(events)]
    back = read_chronicle(scene.campaign, dict([shown.newer.split("=")]))
    assert [told.event.pk for day in back.days for told in day.events] == seen[PAGE : 2 * PAGE]
    assert dict([back.older.split("=")])["until"] == str(seen[2 * PAGE])


def test_it_is_filtered_by_kind_warband_battle_and_person(scene: Scene) -> None:
    ilse, marek = scene.people["Ilse"], scene.people["Marek"]
    first = a_battle(scene, "Ilse", state=Battle.State.PROPOSED)
    second = a_battle(scene, "Marek", state=Battle.State.PROPOSED)
    death = tell(
        campaign=scene.campaign, kind="fighter_vanquished", actor=ilse, battle=first,
        warband=scene.warbands["Ilse"], fighter="Joss", cause="dead",
    )  # fmt: skip
    told = tell(campaign=scene.campaign, kind="story_told", actor=marek, battle=second)

    def found(**query: Any) -> list[int]:
        asked = {name: str(value) for name, value in query.items()}
        return [one.event.pk for day in read_chronicle(scene.campaign, asked).days for one in day.events]

    assert found(kind="wounds") == [death.pk]
    assert found(kind="battles") == [told.pk]
    assert found(warband=scene.warbands["Ilse"].pk) == [death.pk]
    assert found(warband=scene.warbands["Marek"].pk) == [told.pk]
    assert found(battle=2) == [told.pk]
    assert found(person=marek.pk, kind="battles") == [told.pk]
    assert found(person=marek.pk, kind="wounds") == []


def test_names_in_a_sentence_lead_to_battles_and_warbands_for_members_only(scene: Scene) -> None:
    battle, warband = a_battle(scene), scene.warbands["Ilse"]
    event = tell(campaign=scene.campaign, kind="treasure_found", actor=None, warband=warband, what="a lantern")
    assert f'href="/warbands/{warband.pk}/"' in sentence(event)
    assert "href" not in sentence(event, linked=False)
    about = tell(campaign=scene.campaign, kind="story_told", actor=scene.gm, battle=battle)
    assert ">1</a>" in sentence(about)
    assert plain_sentence(about) == "Priya told the story of battle 1."


def test_what_people_typed_is_shown_and_never_run(client: Client, scene: Scene) -> None:
    tell(campaign=scene.campaign, kind="announcement", actor=scene.gm, title="<img src=x onerror=alert(1)>",
         text="<script>alert(2)</script> [x](javascript:alert(3))")  # fmt: skip
    html = page(sign_in(client, "Ilse"), scene)
    assert "&lt;img src=x" in html
    assert "<script>alert" not in html
    assert 'href="javascript' not in html


def test_a_kind_that_is_told_no_more_and_a_name_that_is_missing_still_have_words(scene: Scene) -> None:
    old = Event.objects.create(campaign=scene.campaign, kind="gone_100%_kind")
    assert sentence(old) == "Gone 100% kind"
    bare = Event.objects.create(campaign=scene.campaign, kind="story_told")
    assert plain_sentence(bare) == "somebody told the story of battle somebody."


def test_every_kind_is_in_a_group_and_every_group_is_named() -> None:
    assert {group_of(kind) for kind in SENTENCES} <= GROUPS.keys()
    assert sorted(kind for group in GROUPS for kind in kinds_in(group)) == sorted(SENTENCES)
    assert (group_of("warband_died_out"), group_of("warband_enrolled")) == ("wounds", "people")


def test_events_of_a_battle_that_became_void_say_so(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, state=Battle.State.VOID)
    tell(campaign=scene.campaign, kind="fighter_promoted", actor=None, battle=battle,
         warband=scene.warbands["Ilse"], fighter="Pell")  # fmt: skip
    assert "the battle is void" in page(sign_in(client, "Ilse"), scene)


def test_the_campaign_page_gets_the_latest_few(scene: Scene) -> None:
    events = many(scene, 8)
    assert [told.event.pk for told in latest_events(scene.campaign, 3)] == [
        event.pk for event in (events[7], events[6], events[5])
    ]


def test_it_costs_as_many_queries_however_much_there_is(client: Client, scene: Scene) -> None:
    sign_in(client, "Ilse")
    counts = []
    for more in (2, PAGE + 20):
        many(scene, more)
        for _number in range(more // 10):
            tell(campaign=scene.campaign, kind="story_told", actor=scene.gm, battle=a_battle(scene, state="closed"))
        with CaptureQueriesContext(connection) as queries:
            page(client, scene)
        counts.append(len(queries))
    assert counts[1] - counts[0] <= 1, counts  # one for stories, once there are any
    assert counts[1] <= 12, counts


# Needs access ---------------------------------------------------------------------------------------
def test_a_stranger_reads_nothing_of_it(client: Client, scene: Scene) -> None:
    a_person("Sten")
    assert sign_in(client, "Sten").get(address(scene)).status_code == 404


# Refuses what is wrong ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "query",
    [{"until": "x"}, {"until": "9" * 30}, {"since": "-1"}, {"warband": "²"}, {"battle": "9" * 18}, {"person": "0x1"},
     {"kind": "no such kind"}],
)  # fmt: skip
def test_nonsense_in_the_address_is_no_error(client: Client, scene: Scene, query: dict[str, str]) -> None:
    many(scene, 1)
    page(sign_in(client, "Ilse"), scene, **query)


def test_an_event_of_another_campaign_begins_no_page_here(scene: Scene) -> None:
    other = a_scene((), gm="Otto", name="Elsewhere")
    foreign = tell(campaign=other.campaign, kind="campaign_begun", actor=None)
    own = many(scene, 2)
    shown = read_chronicle(scene.campaign, {"until": str(foreign.pk)})
    assert [told.event.pk for day in shown.days for told in day.events] == [own[1].pk, own[0].pk]
