"""The chronicle over the API, and what people write into it."""

from collections.abc import Callable
from typing import Any

import pytest

from campaigns.models import Battle, Campaign, Event, Notice, Story
from tests.api.caller import Caller
from tests.campaigns.pictures import a_picture
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from warbands.models import Warband

Callers = Callable[..., Caller]


@pytest.fixture
def scene(db: None) -> Scene:
    found = a_scene()
    a_battle(found, state=Battle.State.CLOSED)
    return found


def stories(scene: Scene) -> str:
    return f"campaigns/{scene.campaign.pk}/battles/1/stories"


def test_the_chronicle_is_read_page_by_page(campaign: Campaign, caller: Callers) -> None:
    ilse = caller("Ilse")
    told: list[dict[str, Any]] = []
    cursor: str | None = ""
    while cursor is not None:
        part = ilse.get(f"campaigns/{campaign.pk}/chronicle?limit=40&cursor={cursor}").json()
        told += part["items"]
        cursor = part["next"]
    assert len(told) == campaign.events.count()
    assert [one["time"] for one in told] == sorted((one["time"] for one in told), reverse=True)
    oldest = ilse.get(f"campaigns/{campaign.pk}/chronicle?order=oldest&limit=1").json()["items"]
    assert oldest == [told[-1]]


def test_the_chronicle_can_be_filtered(campaign: Campaign, caller: Callers) -> None:
    ilse, address = caller("Ilse"), f"campaigns/{campaign.pk}/chronicle?limit=100"
    people = ilse.get(f"{address}&group=people").json()["items"]
    assert people
    assert {one["group"] for one in people} == {"people"}
    of_battle = ilse.get(f"{address}&battle=1").json()["items"]
    assert {one["battle"] for one in of_battle} == {1}
    mine = Warband.objects.get(owner__name="Ilse").pk
    assert {one["warband"] for one in ilse.get(f"{address}&warband={mine}").json()["items"]} <= {mine, None}
    assert ilse.get(f"{address}&group=weather").status_code == 422
    assert ilse.get(f"{address}&battle=-1").status_code == 422


def test_the_chronicle_takes_the_same_queries_for_many(
    campaign: Campaign, caller: Callers, django_assert_max_num_queries: Any
) -> None:
    ilse = caller("Ilse")
    ilse.get("campaigns")
    with django_assert_max_num_queries(4):
        assert len(ilse.get(f"campaigns/{campaign.pk}/chronicle?limit=100").json()["items"]) > 30


def test_an_announcement_reaches_everybody(scene: Scene, caller: Callers) -> None:
    address = f"campaigns/{scene.campaign.pk}/announcements"
    assert caller("Priya").post(address, {"title": ""}).status_code == 422
    made = caller("Priya").post(address, {"title": "On Monday", "text": "Bring *rosters*."})
    assert made.status_code == 201
    assert Notice.objects.filter(kind="announcement").count() == 2
    (told,) = caller("Ilse").get(f"campaigns/{scene.campaign.pk}/chronicle?group=announcements").json()["items"]
    assert (told["id"], told["text"]) == (made.json()["id"], "Bring *rosters*.")


def test_a_story_is_told_edited_and_taken_back(scene: Scene, caller: Callers) -> None:
    ilse, address = caller("Ilse"), stories(scene)
    made = ilse.post(address, {"text": "We were there."})
    assert made.status_code == 201, made.content
    one = f"{address}/{made.json()['id']}"
    etag = ilse.get(one)["ETag"]
    changed = ilse.patch(one, {"text": "We were there first."}, if_match=etag)
    assert changed.json()["text"] == "We were there first."
    assert ilse.patch(one, {"text": "No."}, if_match=etag).status_code == 412
    assert [story["text"] for story in caller("Marek").get(address).json()["items"]] == ["We were there first."]
    assert ilse.delete(one).status_code == 204
    assert not Story.objects.exists()
    assert not Event.objects.filter(kind="story_told").exists()


def test_a_story_gets_a_picture_and_loses_it(scene: Scene, caller: Callers) -> None:
    ilse, address = caller("Ilse"), stories(scene)
    one = f"{address}/{ilse.post(address, {'text': 'See for yourself.'}).json()['id']}"
    sent = ilse.client.put(f"/api/v1/{one}/picture?alt=The+bridge", a_picture().read(), content_type="image/png")
    assert sent.status_code == 200, sent.content
    told = sent.json()
    assert told["alt"] == "The bridge"
    assert ilse.client.get(told["picture"]).status_code == 200
    nonsense = ilse.client.put(f"/api/v1/{one}/picture", b"nothing", content_type="image/png")
    assert (nonsense.status_code, nonsense.json()["code"]) == (409, "portrait_unreadable")
    assert ilse.client.put(f"/api/v1/{one}/picture", b"x", content_type="text/plain").status_code == 415
    assert ilse.delete(f"{one}/picture").status_code == 204
    assert ilse.get(one).json()["picture"] == ""


def test_stories_are_their_authors(scene: Scene, caller: Callers) -> None:
    a_person("Sten")
    address = stories(scene)
    assert caller("Sten").get(address).status_code == 404
    assert caller("Sten").post(address, {"text": "Me too."}).status_code == 404
    one = f"{address}/{caller('Ilse').post(address, {'text': 'Mine.'}).json()['id']}"
    assert caller("Marek").patch(one, {"text": "His."}).status_code == 404
    assert caller("Marek").delete(one).status_code == 404
    assert caller("Ilse").post(address, {"text": ""}).json()["code"] == "story_empty"
    assert caller("Priya").delete(one).status_code == 204


def test_stories_take_the_same_queries_for_many(
    scene: Scene, caller: Callers, django_assert_max_num_queries: Any
) -> None:
    ilse = caller("Ilse")
    for number in range(8):
        ilse.post(stories(scene), {"text": f"Part {number}."})
    with django_assert_max_num_queries(5):
        assert len(ilse.get(stories(scene)).json()["items"]) == 8
