"""Calling for a battle."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from campaigns.models import Battle, Campaign, Enrolment, Event, Membership, Notice
from campaigns.services.propose_battle import propose_battle
from rules.engine.errors import RuleViolation
from tests.campaigns.stage import PLAYERS, Scene, a_person, a_scene, a_warband
from tests.people import sign_in
from warbands.models import Warband

State = Battle.State


@pytest.fixture
def scene(db: None) -> Scene:
    return a_scene(PLAYERS[:3])


def keys(scene: Scene, *names: str) -> list[int]:
    return [scene.warbands[name].pk for name in names]


def address(scene: Scene) -> str:
    return reverse("battle_new", args=[scene.campaign.pk])


def refused(scene: Scene, *names: str, actor: str = "Ilse", **more: object) -> str:
    with pytest.raises(RuleViolation) as refusal:
        propose_battle(
            actor=scene.people[actor],
            campaign=scene.campaign,
            warbands=keys(scene, *names),
            **more,  # type: ignore[arg-type]
        )
    assert not Battle.objects.exists()
    return refusal.value.code


def test_the_form_calls_for_a_battle_and_asks_the_others(client: Client, scene: Scene) -> None:
    sign_in(client, "Ilse")
    assert client.get(address(scene)).status_code == 200
    when = (timezone.now() + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M")
    sent = {"warbands": keys(scene, "Ilse", "Marek"), "when": when, "place": "At Dagny's", "scenario": "Gold Hunt"}
    answer = client.post(address(scene), sent)
    battle = Battle.objects.get()
    assert answer.status_code == 302
    assert answer["Location"] == battle.get_absolute_url()
    assert (battle.number, battle.state, battle.place) == (1, State.PROPOSED, "At Dagny's")
    assert (battle.scenario, battle.scenario_agreed) == ("Gold Hunt", True)
    accepted = {part.warband.owner.name: bool(part.accepted) for part in battle.participations.all()}
    assert accepted == {"Ilse": True, "Marek": False}
    assert [notice.person.name for notice in Notice.objects.filter(kind="battle_proposed")] == ["Marek"]
    assert Event.objects.get(kind="battle_proposed").data["warbands"] == "The Lantern Wardens, Sable Oath"


def test_an_own_scenario_goes_before_one_of_the_list(client: Client, scene: Scene) -> None:
    sign_in(client, "Ilse")
    sent = {"warbands": keys(scene, "Ilse", "Marek"), "scenario": "Gold Hunt", "own_scenario": "The Burning Mill"}
    client.post(address(scene), sent)
    assert Battle.objects.get().scenario == "The Burning Mill"


@pytest.mark.parametrize(
    ("names", "code"),
    [(("Ilse",), "too_few"), ((), "too_few"), (("Ilse", "Ilse"), "twice"), (("Marek", "Dagny"), "not_yours")],
)
def test_what_is_no_battle_is_refused(scene: Scene, names: tuple[str, ...], code: str) -> None:
    assert refused(scene, *names) == code


def test_a_battle_has_at_most_eight(scene: Scene) -> None:
    names = [f"Guest {number}" for number in range(6)]
    for name in names:
        person = scene_person(scene, name)
        scene.warbands[name] = a_warband(person)  # type: ignore[index]
        Enrolment.objects.create(campaign=scene.campaign, warband=scene.warbands[name])
    assert refused(scene, "Ilse", "Marek", "Dagny", *names) == "too_many"
    made = propose_battle(
        actor=scene.people["Ilse"], campaign=scene.campaign, warbands=keys(scene, "Ilse", "Marek", *names)
    )
    assert made.participations.count() == 8


def scene_person(scene: Scene, name: str) -> User:
    person = a_person(name.replace(" ", ""))
    Membership.objects.create(campaign=scene.campaign, person=person)
    return person


def test_who_is_not_enrolled_has_left_or_retired_is_refused(scene: Scene) -> None:
    enrolment = Enrolment.objects.get(warband=scene.warbands["Marek"])
    enrolment.left = timezone.now()
    enrolment.save()
    assert refused(scene, "Ilse", "Marek") == "left"
    enrolment.delete()
    assert refused(scene, "Ilse", "Marek") == "not_enrolled"
    Warband.objects.filter(pk=scene.warbands["Dagny"].pk).update(status=Warband.Status.RETIRED)
    assert refused(scene, "Ilse", "Dagny") == "retired"


def test_a_date_in_the_past_is_refused_beside_the_form_and_what_was_typed_stays(client: Client, scene: Scene) -> None:
    sign_in(client, "Ilse")
    sent = {"warbands": keys(scene, "Ilse", "Marek"), "when": "2020-01-01T10:00", "place": "The cellar"}
    answer = client.post(address(scene), sent)
    assert answer.status_code == 409
    shown = answer.content.decode()
    assert "This date has passed." in shown
    assert "The cellar" in shown
    assert not Battle.objects.exists()


def test_nonsense_is_refused_beside_the_form(client: Client, scene: Scene) -> None:
    sign_in(client, "Ilse")
    sent = {"warbands": ["a", "b"], "when": "tomorrow", "scenario": "Tea Party"}
    assert client.post(address(scene), sent).status_code == 422
    assert not Battle.objects.exists()


def test_a_game_master_calls_for_others_and_for_a_final_that_is_on_at_once(client: Client, scene: Scene) -> None:
    sign_in(client, "Priya")
    client.post(address(scene), {"warbands": keys(scene, "Ilse", "Marek"), "is_final": "on", "at_once": "on"})
    battle = Battle.objects.get()
    assert (battle.state, battle.is_final) == (State.SCHEDULED, True)


def test_a_player_calls_for_no_final(client: Client, scene: Scene) -> None:
    sign_in(client, "Ilse")
    client.post(address(scene), {"warbands": keys(scene, "Ilse", "Marek"), "is_final": "on", "at_once": "on"})
    battle = Battle.objects.get()
    assert (battle.state, battle.is_final) == (State.PROPOSED, False)


@pytest.mark.parametrize(
    ("status", "code"), [(Campaign.Status.ENDED, "campaign_over"), (Campaign.Status.GATHERING, "not_begun")]
)
def test_only_a_running_campaign_has_battles(scene: Scene, status: str, code: str) -> None:
    Campaign.objects.update(status=status)
    assert refused(scene, "Ilse", "Marek") == code


def test_spectators_and_strangers_call_for_nothing(client: Client, scene: Scene) -> None:
    Membership.objects.filter(person__name="Dagny").update(role=Membership.Role.SPECTATOR)
    assert sign_in(client, "Dagny").get(address(scene)).status_code == 404
    assert refused(scene, "Dagny", "Ilse", actor="Dagny") == "not_a_player"
    a_person("Sten")
    assert sign_in(client, "Sten").get(address(scene)).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_battles_that_are_called_for_at_once_get_numbers_of_their_own() -> None:
    scene = a_scene(PLAYERS)
    failures: list[BaseException] = []

    def call(name: str) -> None:
        try:
            other = "Ilse" if name != "Ilse" else "Marek"
            propose_battle(actor=scene.people[name], campaign=scene.campaign, warbands=keys(scene, name, other))
        except BaseException as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=call, args=(name,)) for name in PLAYERS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert sorted(Battle.objects.values_list("number", flat=True)) == [1, 2, 3, 4]
