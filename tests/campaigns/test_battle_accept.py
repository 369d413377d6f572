"""Saying yes or no to a battle, scheduling it, withdrawing it, moving it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Battle, Campaign, Notice
from campaigns.services.answer_battle import answer_battle
from campaigns.services.propose_battle import propose_battle
from campaigns.services.reschedule_battle import reschedule_battle
from campaigns.services.schedule_battle import schedule_battle
from campaigns.services.withdraw_battle import withdraw_battle
from rules.engine.errors import RuleViolation
from tests.campaigns.stage import PLAYERS, Scene, a_battle, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db
State = Battle.State


@pytest.fixture
def scene() -> Scene:
    return a_scene(PLAYERS[:3])


def proposed(scene: Scene, *names: str) -> Battle:
    keys = [scene.warbands[name].pk for name in names]
    return propose_battle(actor=scene.people[names[0]], campaign=scene.campaign, warbands=keys)


def post(client: Client, name: str, route: str, battle: Battle, **sent: Any) -> Any:
    address = reverse(route, args=[battle.campaign_id, battle.number])
    return sign_in(client, name).post(address, {"version": battle.version} | sent)


def test_when_the_last_one_says_yes_it_is_on(client: Client, scene: Scene) -> None:
    battle = proposed(scene, "Ilse", "Marek", "Dagny")
    assert (
        post(client, "Marek", "battle_accept", battle, warband=scene.warbands["Marek"].pk, answer="accept").status_code
        == 302
    )
    battle.refresh_from_db()
    assert battle.state == State.PROPOSED
    post(client, "Dagny", "battle_accept", battle, warband=scene.warbands["Dagny"].pk, answer="accept")
    battle.refresh_from_db()
    assert battle.state == State.SCHEDULED
    assert not Notice.objects.filter(kind="battle_proposed", read=None).exists()


def test_who_says_no_to_a_battle_of_two_ends_it(client: Client, scene: Scene) -> None:
    battle = proposed(scene, "Ilse", "Marek")
    post(client, "Marek", "battle_accept", battle, warband=scene.warbands["Marek"].pk, answer="decline")
    battle.refresh_from_db()
    assert (battle.state, battle.void_reason) == (State.VOID, "Sable Oath declined.")


def test_who_says_no_to_a_battle_of_three_is_out_and_the_others_are_asked_again(scene: Scene) -> None:
    battle = proposed(scene, "Ilse", "Marek", "Dagny")
    answer_battle(actor=scene.people["Marek"], battle=battle, warband=scene.warbands["Marek"].pk, accept=True)
    answer_battle(actor=scene.people["Dagny"], battle=battle, warband=scene.warbands["Dagny"].pk, accept=False)
    battle.refresh_from_db()
    assert battle.state == State.PROPOSED
    accepted = {part.warband.owner.name: bool(part.accepted) for part in battle.participations.all()}
    assert accepted == {"Ilse": True, "Marek": False}


def test_nobody_answers_for_somebody_else(client: Client, scene: Scene) -> None:
    battle = proposed(scene, "Ilse", "Marek")
    answer = post(client, "Ilse", "battle_accept", battle, warband=scene.warbands["Marek"].pk, answer="accept")
    assert answer.status_code == 409
    assert post(client, "Dagny", "battle_accept", battle, warband=scene.warbands["Dagny"].pk).status_code == 404
    battle.refresh_from_db()
    assert battle.state == State.PROPOSED


@pytest.mark.parametrize("answer", ["forged", ""])
def test_only_yes_and_no_are_answers(client: Client, scene: Scene, answer: str) -> None:
    battle = proposed(scene, "Ilse", "Marek")
    page = post(client, "Marek", "battle_accept", battle, warband=scene.warbands["Marek"].pk, answer=answer)
    assert page.status_code == 409
    assert "Answer with yes or no." in page.content.decode()
    battle.refresh_from_db()
    assert battle.state == State.PROPOSED


def test_an_old_page_gets_a_sentence_and_the_battle_as_it_is(client: Client, scene: Scene) -> None:
    battle = proposed(scene, "Ilse", "Marek")
    answer = post(
        client, "Marek", "battle_accept", battle, warband=scene.warbands["Marek"].pk, answer="accept", version=77
    )
    assert answer.status_code == 409
    assert "has changed since you opened the page" in answer.content.decode()
    assert f'name="version" value="{battle.version}"' in answer.content.decode()


def test_a_page_is_not_got_where_something_is_done(client: Client, scene: Scene) -> None:
    battle = proposed(scene, "Ilse", "Marek")
    sign_in(client, "Ilse")
    for route in ("battle_accept", "battle_schedule", "battle_start", "pregame_skip"):
        assert client.get(reverse(route, args=[battle.campaign_id, battle.number])).status_code == 405


def test_a_game_master_schedules_it_whoever_has_not_answered(client: Client, scene: Scene) -> None:
    battle = proposed(scene, "Ilse", "Marek")
    assert post(client, "Ilse", "battle_schedule", battle).status_code == 404
    with pytest.raises(RuleViolation, match="Only the game master"):
        schedule_battle(actor=scene.people["Ilse"], battle=battle)
    assert post(client, "Priya", "battle_schedule", battle).status_code == 302
    battle.refresh_from_db()
    assert battle.state == State.SCHEDULED


def test_who_called_for_it_withdraws_it_after_a_question(client: Client, scene: Scene) -> None:
    battle = proposed(scene, "Ilse", "Marek")
    sign_in(client, "Ilse")
    address = reverse("battle_withdraw", args=[battle.campaign_id, battle.number])
    assert "Withdraw battle 1?" in client.get(address).content.decode()
    battle.refresh_from_db()
    assert battle.state == State.PROPOSED
    assert client.post(address, {"version": battle.version}).status_code == 302
    battle.refresh_from_db()
    assert battle.state == State.VOID


def test_others_do_not_withdraw_it_and_nobody_when_it_is_on(client: Client, scene: Scene) -> None:
    battle = proposed(scene, "Ilse", "Marek")
    assert post(client, "Marek", "battle_withdraw", battle).status_code == 404
    with pytest.raises(RuleViolation, match="Only who called"):
        withdraw_battle(actor=scene.people["Marek"], battle=battle)
    on = a_battle(scene, "Ilse", "Marek", state=State.SCHEDULED)
    assert post(client, "Ilse", "battle_withdraw", on).status_code == 409


def test_date_and_place_change_and_the_others_hear_of_it(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, "Ilse", "Marek", state=State.SCHEDULED)
    when = timezone.now() + timedelta(days=2)
    sent = {"when": when.strftime("%Y-%m-%dT%H:%M"), "place": "The cellar"}
    assert post(client, "Marek", "battle_move", battle, **sent).status_code == 302
    battle.refresh_from_db()
    assert battle.place == "The cellar"
    assert [notice.person.name for notice in Notice.objects.filter(kind="battle_moved")] == ["Ilse"]


def test_a_past_date_is_refused_and_what_was_typed_stays(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, "Ilse", "Marek", state=State.SCHEDULED)
    answer = post(client, "Ilse", "battle_move", battle, when="2020-01-01T10:00", place="The mill")
    assert answer.status_code == 409
    assert "The mill" in answer.content.decode()
    far = post(client, "Ilse", "battle_move", battle, when="9999-12-31T23:59", place="The mill").content.decode()
    assert "is more than two years away. Is the year right?" in far
    assert "9999-12-31T23:59" in far
    assert post(client, "Ilse", "battle_move", battle, when="soon").status_code == 422
    assert post(client, "Dagny", "battle_move", battle, place="x").status_code == 404


def test_an_old_form_is_renewed(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, "Ilse", "Marek", state=State.SCHEDULED)
    Battle.objects.update(version=5)
    answer = post(client, "Ilse", "battle_move", battle, place="The mill")
    assert answer.status_code == 409
    assert 'value="5"' in answer.content.decode()


def test_a_game_that_has_begun_is_not_moved(scene: Scene) -> None:
    battle = a_battle(scene, "Ilse", "Marek", state=State.PLAYING)
    with pytest.raises(RuleViolation, match="not possible any more"):
        reschedule_battle(actor=scene.people["Ilse"], battle=battle, when=None, place="x")


def test_a_campaign_that_has_ended_refuses_all_of_it(scene: Scene) -> None:
    battle = proposed(scene, "Ilse", "Marek")
    Campaign.objects.update(status=Campaign.Status.ENDED)
    marek, key = scene.people["Marek"], scene.warbands["Marek"].pk
    deeds: tuple[Callable[[], object], ...] = (
        lambda: answer_battle(actor=marek, battle=battle, warband=key, accept=True),
        lambda: schedule_battle(actor=scene.gm, battle=battle),
        lambda: withdraw_battle(actor=scene.gm, battle=battle),
        lambda: reschedule_battle(actor=marek, battle=battle, when=None, place="x"),
    )
    for deed in deeds:
        with pytest.raises(RuleViolation) as refusal:
            deed()
        assert refusal.value.code == "campaign_over"
