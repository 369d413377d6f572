"""From scheduled to the pre-game, or past it."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from msgspec import convert

from campaigns.models import Battle, Event, Participation
from campaigns.services.start_battle import start_battle
from rules.engine.dice import Roll, verify
from rules.engine.errors import RuleViolation
from tests.campaigns.stage import PLAYERS, Scene, a_battle, a_scene
from tests.people import sign_in
from warbands.models import LedgerEntry, Warband
from warbands.reconcile import differences

State = Battle.State


@pytest.fixture
def scene(db: None) -> Scene:
    return a_scene(PLAYERS[:3])


def post(client: Client, name: str, battle: Battle, **sent: Any) -> Any:
    address = reverse("battle_start", args=[battle.campaign_id, battle.number])
    return sign_in(client, name).post(address, {"version": battle.version} | sent)


def test_the_pre_game_opens_and_ratings_are_kept(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, "Ilse", "Marek", state=State.SCHEDULED)
    Participation.objects.update(rating_before=0, treasury_before=0)
    answer = post(client, "Ilse", battle)
    assert answer["Location"] == reverse("pregame", args=[battle.campaign_id, battle.number])
    battle.refresh_from_db()
    assert battle.state == State.PREGAME
    for part in battle.participations.all():
        assert part.is_fighting
        assert (part.rating_before, part.treasury_before) == (part.warband.rating, part.warband.treasury)
        assert part.rating_before > 0


def test_a_second_press_does_nothing_more(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, "Ilse", "Marek", state=State.SCHEDULED)
    for _press in range(2):
        assert post(client, "Ilse", battle).status_code == 302
    battle.refresh_from_db()
    assert battle.version == 1
    assert Event.objects.filter(kind="pregame_opened").count() == 1


def test_a_warband_that_is_in_a_battle_starts_no_other(client: Client, scene: Scene) -> None:
    a_battle(scene, "Ilse", "Dagny", state=State.PLAYING)
    battle = a_battle(scene, "Ilse", "Marek", state=State.SCHEDULED)
    answer = post(client, "Marek", battle)
    assert answer.status_code == 409
    assert "The Lantern Wardens is still in battle 1." in answer.content.decode()
    page = client.get(battle.get_absolute_url()).content.decode()
    assert "The Lantern Wardens is still in battle 1. Finish that one first." in page
    assert reverse("battle_start", args=[battle.campaign_id, battle.number]) not in page
    battle.refresh_from_db()
    assert battle.state == State.SCHEDULED
    assert not battle.participations.filter(is_fighting=True).exists()


def test_who_has_retired_since_starts_nothing(scene: Scene) -> None:
    battle = a_battle(scene, "Ilse", "Marek", state=State.SCHEDULED)
    Warband.objects.filter(owner__name="Marek").update(status=Warband.Status.RETIRED)
    with pytest.raises(RuleViolation, match="Sable Oath has retired"):
        start_battle(actor=scene.people["Ilse"], battle=battle)


def test_only_a_battle_that_is_on_starts_and_only_for_those_in_it(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, "Ilse", "Marek", state=State.PROPOSED)
    assert post(client, "Ilse", battle).status_code == 409
    on = a_battle(scene, "Ilse", "Marek", state=State.SCHEDULED)
    assert post(client, "Dagny", on).status_code == 404
    assert post(client, "Ilse", on, version=9).status_code == 409
    assert post(client, "Ilse", on, version="x").status_code == 409


def test_those_who_have_played_go_to_the_report_with_their_fate_rerolls(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, "Ilse", "Marek", state=State.SCHEDULED)
    answer = post(client, "Ilse", battle, played="yes", scenario="Gold Hunt")
    assert answer["Location"] == reverse("report", args=[battle.campaign_id, battle.number])
    battle.refresh_from_db()
    assert (battle.state, battle.scenario, battle.pregame["skipped"]) == (State.PLAYING, "Gold Hunt", True)
    for warband in scene.warbands.values():
        warband.refresh_from_db()
    assert scene.warbands["Ilse"].fate_rerolls == 1
    assert 1 <= scene.warbands["Marek"].fate_rerolls <= 3
    entries = LedgerEntry.objects.filter(battle=battle.key)
    assert set(entries.values_list("step", flat=True)) == {"pregame"}
    rolls = [convert(roll, Roll) for entry in entries for roll in entry.rolls]
    assert len(rolls) == 1
    assert verify(battle.seed.encode(), battle.commitment, rolls) == []
    assert all(list(differences(warband)) == [] for warband in scene.warbands.values())


def test_a_skipped_battle_of_no_known_scenario_has_none(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, "Ilse", "Marek", state=State.SCHEDULED)
    post(client, "Ilse", battle, played="yes")
    battle.refresh_from_db()
    assert (battle.state, battle.scenario) == (State.PLAYING, "")


# Putting it off ---------------------------------------------------------------------------------------


def test_a_pre_game_that_was_opened_too_early_is_put_off_after_a_question(client: Client, scene: Scene) -> None:
    battle = start_battle(actor=scene.gm, battle=a_battle(scene, "Ilse", "Marek", state=State.SCHEDULED))
    address = reverse("battle_postpone", args=[battle.campaign_id, battle.number])
    assert "Put battle 1 off?" in sign_in(client, "Marek").get(address).content.decode()
    assert client.post(address, {"version": battle.version + 1}).status_code == 409
    assert client.post(address, {"version": battle.version}).status_code == 302
    battle.refresh_from_db()
    assert battle.state == State.SCHEDULED
    assert not battle.participations.filter(is_fighting=True).exists()
    again = start_battle(actor=scene.gm, battle=battle)
    assert (again.state, again.seed) == (State.PREGAME, battle.seed)


def test_only_an_open_pre_game_is_put_off_and_only_by_those_in_it(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, "Ilse", "Marek", state=State.PLAYING)
    address = reverse("battle_postpone", args=[battle.campaign_id, battle.number])
    assert sign_in(client, "Ilse").post(address, {"version": battle.version}).status_code == 409
    assert sign_in(client, "Dagny").post(address, {"version": battle.version}).status_code == 404


# Races ------------------------------------------------------------------------------------------------


def at_once(*deeds: Callable[[], object]) -> list[BaseException]:
    """Each in a thread of its own."""
    failures: list[BaseException] = []
    ready = threading.Barrier(len(deeds))

    def run(deed: Callable[[], object]) -> None:
        try:
            ready.wait(timeout=30)
            deed()
        except BaseException as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(deed,)) for deed in deeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failures


@pytest.mark.django_db(transaction=True)
def test_of_two_battles_that_start_at_once_with_one_warband_one_is_refused() -> None:
    scene = a_scene(PLAYERS[:3])
    battles = [a_battle(scene, "Ilse", other, state=State.SCHEDULED) for other in ("Marek", "Dagny")]
    failures = at_once(*(lambda one=one: start_battle(actor=scene.gm, battle=one) for one in battles))
    assert [type(error) for error in failures] == [RuleViolation]
    assert failures[0].code == "in_another_battle"  # type: ignore[attr-defined]
    assert sorted(Battle.objects.values_list("state", flat=True)) == ["pregame", "scheduled"]
    assert Participation.objects.filter(warband=scene.warbands["Ilse"], is_fighting=True).count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_players_who_start_it_at_once_start_it_once() -> None:
    scene = a_scene(PLAYERS[:2])
    battle = a_battle(scene, state=State.SCHEDULED)
    people = [scene.people["Ilse"], scene.people["Marek"]]
    failures = at_once(
        *(lambda who=who: start_battle(actor=who, battle=battle, version=0, played=True) for who in people)
    )
    assert failures == []
    battle.refresh_from_db()
    assert battle.state == State.PLAYING
    assert Event.objects.filter(kind="battle_began").count() == 1
    assert LedgerEntry.objects.filter(battle=battle.key).values("act").distinct().count() == 2
