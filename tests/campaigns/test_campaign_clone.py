"""A campaign as a pattern for the next."""

import pytest
from django.test import Client

from campaigns.models import Campaign, Way
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.people import sign_in


@pytest.fixture
def scene(db: None) -> Scene:
    made = a_scene(kind="ladder", motto="Mud.", house={"dice": "server"}, overrides={"rout_percent": 30})
    foot = made.campaign.stages.create(key="foot", name="The ford", is_start=True)
    top = made.campaign.stages.create(key="top", name="The keep", position=1)
    Way.objects.create(stage=foot, to=top, on="won")
    a_battle(made, state="closed")
    return made


def page(scene: Scene) -> str:
    return f"/campaigns/{scene.campaign.pk}/clone/"


@pytest.mark.parametrize("status", ["gathering", "running", "ended"])
def test_settings_and_ladder_come_along_and_nobody_else(client: Client, scene: Scene, status: str) -> None:
    Campaign.objects.update(status=status)
    sign_in(client, "Priya")
    assert "2 stages of the ladder come along." in client.get(page(scene)).content.decode()
    answer = client.post(page(scene), {"name": "Second thaw"})
    made = Campaign.objects.get(name="Second thaw")
    assert answer.headers["Location"] == f"/campaigns/{made.pk}/invite/"
    assert (made.status, made.kind, made.motto, made.visibility) == ("gathering", "ladder", "Mud.", "private")
    assert (made.house, made.overrides) == (scene.campaign.house, scene.campaign.overrides)
    assert list(made.stages.values_list("key", "is_start")) == [("foot", True), ("top", False)]
    way = Way.objects.get(stage__campaign=made)
    assert (way.stage.key, way.to.key, way.to.campaign, way.on) == ("foot", "top", made, "won")
    assert list(made.people.values_list("name", flat=True)) == ["Priya"]
    assert (made.battles.count(), made.enrolments.count()) == (0, 0)


@pytest.mark.parametrize("name", ["", " ", "x" * 81])
def test_the_new_one_needs_a_name(client: Client, scene: Scene, name: str) -> None:
    answer = sign_in(client, "Priya").post(page(scene), {"name": name})
    assert answer.status_code == 422
    assert answer.context["form"].errors["name"]
    assert Campaign.objects.count() == 1


@pytest.mark.parametrize("who", ["nobody", "Ilse", "Sten"])
def test_it_is_for_those_who_run_it(client: Client, scene: Scene, who: str) -> None:
    a_person("Sten")
    if who != "nobody":
        sign_in(client, who)
    for answer in (client.get(page(scene)), client.post(page(scene), {"name": "Mine"})):
        assert answer.status_code == (302 if who == "nobody" else 404)
    assert Campaign.objects.count() == 1
