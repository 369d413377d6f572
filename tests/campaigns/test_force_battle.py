"""A battle is moved by hand: by ways that there are, with a reason, and everybody is told."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.battles import StaleBattle
from campaigns.models import Battle, Dispute, Event, Notice, Participation
from campaigns.services import move_battle
from campaigns.services.force_battle import MOVES, WAYS, force_battle
from rules.engine.errors import RuleViolation
from tests.campaigns.stage import Scene, a_battle, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db
State = Battle.State


@pytest.fixture
def scene() -> Scene:
    return a_scene()


def force(scene: Scene, battle: Battle, to: str, **more: Any) -> Battle:
    given: dict[str, Any] = {"actor": scene.gm, "battle": battle, "to": to, "reason": "by mistake"}
    force_battle(**(given | more))
    battle.refresh_from_db()
    return battle


def test_its_ways_are_some_of_those_that_there_are() -> None:
    ways = {(state, way.to) for state, some in WAYS.items() for way in some}
    assert ways == set(MOVES)
    assert all(to in move_battle.WAYS[state] for state, to in ways)


@pytest.mark.parametrize(
    ("state", "to", "then"),
    [
        (State.PROPOSED, State.SCHEDULED, State.SCHEDULED),
        (State.SCHEDULED, State.PROPOSED, State.PROPOSED),
        (State.PREGAME, State.SCHEDULED, State.SCHEDULED),
        (State.REPORTED, State.PLAYING, State.PLAYING),
        (State.REPORTED, State.CONFIRMED, State.POSTGAME),
        (State.DISPUTED, State.REPORTED, State.REPORTED),
    ],
)
def test_each_way_is_gone_and_told(scene: Scene, state: str, to: str, then: str) -> None:
    battle = force(scene, a_battle(scene, state=state), to)
    assert battle.state == then
    event = Event.objects.get(kind__startswith="battle_forced")
    assert (event.actor, event.data["reason"]) == (scene.gm, "by mistake")
    told = Notice.objects.filter(kind="battle_forced").values_list("person__name", flat=True)
    assert set(told) == {"Ilse", "Marek"}


def test_a_report_that_is_opened_again_waits_for_nobodys_answer(scene: Scene) -> None:
    battle = a_battle(scene, state=State.REPORTED)
    Participation.objects.update(answer="confirmed")
    force(scene, battle, State.PLAYING)
    assert set(Participation.objects.values_list("answer", flat=True)) == {""}
    assert battle.confirms_itself is None


def test_a_dispute_that_is_set_aside_is_answered_and_the_report_waits_again(scene: Scene) -> None:
    battle = a_battle(scene, state=State.DISPUTED)
    Dispute.objects.create(battle=battle, by=scene.people["Marek"], reason="no")
    Participation.objects.filter(warband=scene.warbands["Marek"]).update(answer="disputed")
    force(scene, battle, State.REPORTED)
    assert Dispute.objects.get().ruling == "by mistake"
    assert Participation.objects.get(warband=scene.warbands["Marek"]).answer == ""
    assert battle.confirms_itself is not None


def test_a_pregame_that_is_closed_sets_its_warbands_free(scene: Scene) -> None:
    force(scene, a_battle(scene, state=State.PREGAME), State.SCHEDULED)
    assert not Participation.objects.filter(is_fighting=True).exists()


@pytest.mark.parametrize("state", [one for one in State.values if one not in WAYS])
def test_from_elsewhere_nothing_is_moved(scene: Scene, state: str) -> None:
    battle = a_battle(scene, state=state)
    with pytest.raises(RuleViolation, match="by hand"):
        force(scene, battle, State.PLAYING)
    battle.refresh_from_db()
    assert battle.state == state


def test_what_is_wrong_is_refused(scene: Scene) -> None:
    battle = a_battle(scene, state=State.REPORTED)
    with pytest.raises(RuleViolation, match="Say why"):
        force(scene, battle, State.PLAYING, reason=" ")
    with pytest.raises(StaleBattle):
        force(scene, battle, State.PLAYING, version=battle.version + 1)
    with pytest.raises(RuleViolation, match="run the campaign"):
        force(scene, battle, State.PLAYING, actor=scene.people["Ilse"])
    battle.refresh_from_db()
    assert battle.state == State.REPORTED
    assert not Event.objects.filter(kind__startswith="battle_forced").exists()


def test_the_page_names_what_follows_and_does_it(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, state=State.REPORTED)
    address = reverse("battle_force", args=[scene.campaign.pk, battle.number])
    page = sign_in(client, "Priya").get(address).content.decode()
    assert "the post-game begins" in page
    assert reverse("battle_void", args=[scene.campaign.pk, battle.number]) in page
    assert client.post(address, {"to": "playing", "reason": "", "version": battle.version}).status_code == 422
    assert client.post(address, {"to": "closed", "reason": "x", "version": battle.version}).status_code == 409
    assert client.post(address, {"to": "playing", "reason": "x", "version": 77}).status_code == 409
    done = client.post(address, {"to": "playing", "reason": "a line was wrong", "version": battle.version})
    assert done["Location"] == battle.get_absolute_url()
    battle.refresh_from_db()
    assert battle.state == State.PLAYING


def test_only_its_game_master_finds_the_page(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, state=State.REPORTED)
    a_scene(["Anna"], gm="Zoe")
    for name in ("Ilse", "Zoe"):
        address = reverse("battle_force", args=[scene.campaign.pk, battle.number])
        assert sign_in(client, name).get(address).status_code == 404
        assert client.post(address, {"to": "playing", "reason": "x", "version": 0}).status_code == 404
