"""A warband gets another player of its campaign."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle, Event, Membership, Notice
from campaigns.services.change_owner import change_owner
from campaigns.waiting import waiting_by_person
from rules.engine.errors import RuleViolation
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.people import sign_in
from warbands.models import Warband

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    """Dagny is a player without a warband."""
    made = a_scene()
    dagny = a_person("Dagny")
    Membership.objects.create(campaign=made.campaign, person=dagny)
    return Scene(made.campaign, made.gm, {**made.people, "Dagny": dagny}, made.warbands)


def give(scene: Scene, to: str = "Dagny", **more: Any) -> Warband:
    given: dict[str, Any] = {
        "actor": scene.gm, "campaign": scene.campaign, "warband": scene.warbands["Ilse"], "person": scene.people[to],
        "reason": "she has moved away",
    }  # fmt: skip
    return change_owner(**(given | more))


def owner(scene: Scene) -> str:
    return Warband.objects.select_related("owner").get(pk=scene.warbands["Ilse"].pk).owner.name


def test_the_new_player_leads_it_and_all_three_know(scene: Scene) -> None:
    give(scene)
    assert owner(scene) == "Dagny"
    event = Event.objects.get(kind="warband_owner")
    assert (event.data["before"], event.data["person"], event.data["reason"]) == ("Ilse", "Dagny", "she has moved away")
    assert Notice.objects.get(kind="warband_owner_lost").person == scene.people["Ilse"]
    assert Notice.objects.get(kind="warband_owner_got").person == scene.people["Dagny"]


def test_what_waited_for_the_old_player_waits_for_the_new_one(scene: Scene) -> None:
    a_battle(scene, state=Battle.State.PLAYING)
    give(scene)
    waiting = waiting_by_person(scene.campaign)
    assert [one.kind for one in waiting[scene.people["Dagny"].pk]] == ["report"]
    assert [one.kind for one in waiting.get(scene.people["Ilse"].pk, [])] == ["enrol"]


def test_private_notes_stay_with_their_writer_and_come_back(scene: Scene) -> None:
    Warband.objects.filter(pk=scene.warbands["Ilse"].pk).update(notes="my plan")
    give(scene)
    assert Warband.objects.get(pk=scene.warbands["Ilse"].pk).notes == ""
    Warband.objects.filter(pk=scene.warbands["Ilse"].pk).update(notes="another plan")
    give(scene, "Ilse")
    assert Warband.objects.get(pk=scene.warbands["Ilse"].pk).notes == "my plan"


def test_nobody_gets_more_warbands_than_a_player_may_have(scene: Scene) -> None:
    with pytest.raises(RuleViolation, match="as many warbands"):
        give(scene, "Marek")
    assert owner(scene) == "Ilse"


def test_what_is_wrong_is_refused(scene: Scene) -> None:
    sten = a_person("Sten")
    Membership.objects.filter(person=scene.people["Dagny"]).update(role="player")
    for wrong, sentence in (
        ({"reason": ""}, "Say why"),
        ({"person": sten}, "not in this campaign"),
        ({"person": scene.people["Ilse"]}, "already"),
        ({"was": scene.people["Marek"].pk}, "another player"),
        ({"actor": scene.people["Marek"]}, "run the campaign"),
    ):
        with pytest.raises(RuleViolation, match=sentence):
            give(scene, **wrong)
    Membership.objects.filter(person=scene.people["Dagny"]).update(role="spectator")
    with pytest.raises(RuleViolation, match="watches"):
        give(scene)
    foreign = a_scene(["Anna"], gm="Zoe")
    with pytest.raises(RuleViolation, match="not in the campaign"):
        give(scene, warband=foreign.warbands["Anna"])
    assert owner(scene) == "Ilse"


def test_the_page_says_what_is_lost_and_does_it(client: Client, scene: Scene) -> None:
    address = reverse("warband_owner", args=[scene.campaign.pk, scene.warbands["Ilse"].pk])
    page = sign_in(client, "Priya").get(address).content.decode()
    assert "What Ilse loses" in page
    form = {"person": scene.people["Dagny"].pk, "was": scene.people["Ilse"].pk, "reason": "she has moved away"}
    assert client.post(address, form | {"reason": ""}).status_code == 422
    assert client.post(address, form | {"person": 10**8}).status_code == 422
    assert client.post(address, form | {"person": scene.people["Marek"].pk}).status_code == 409
    assert client.post(address, form).status_code == 302
    assert owner(scene) == "Dagny"


def test_only_its_game_master_finds_the_page(client: Client, scene: Scene) -> None:
    address = reverse("warband_owner", args=[scene.campaign.pk, scene.warbands["Ilse"].pk])
    assert sign_in(client, "Ilse").get(address).status_code == 404
