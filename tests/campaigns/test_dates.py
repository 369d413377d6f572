"""Players of a battle find a date."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Battle, Campaign, DateProposal, Event, Notice
from campaigns.services.accept_date import accept_date
from campaigns.services.answer_date import answer_date
from campaigns.services.propose_dates import propose_dates
from campaigns.services.withdraw_date import withdraw_date
from rules.engine.errors import RuleViolation
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db


def on(days: int) -> datetime:
    return (timezone.now() + timedelta(days=days)).replace(minute=30, second=0, microsecond=0)


@pytest.fixture
def scene() -> Scene:
    return a_scene(("Ilse", "Marek", "Dagny"))


@pytest.fixture
def battle(scene: Scene) -> Battle:
    return a_battle(scene, "Ilse", "Marek", state=Battle.State.PROPOSED)


@pytest.fixture
def offer(scene: Scene, battle: Battle) -> DateProposal:
    return propose_dates(actor=scene.people["Ilse"], battle=battle, dates=[on(3)])[0]


def address(battle: Battle) -> str:
    return reverse("dates", args=[battle.campaign_id, battle.number])


def refused(response: object, sentence: str) -> bool:
    return response.status_code == 409 and sentence in response.content.decode()  # type: ignore[attr-defined]


# Works ----------------------------------------------------------------------------------------------
def test_several_dates_are_proposed_and_the_other_is_asked_once(client: Client, battle: Battle) -> None:
    sent = {
        "do": "propose",
        "date_1": f"{on(3):%Y-%m-%dT%H:%M}",
        "date_2": f"{on(4):%Y-%m-%dT%H:%M}",
        "place": "Cellar",
    }
    assert sign_in(client, "Ilse").post(address(battle), sent).status_code == 302
    assert [date.when for date in battle.dates.all()] == [on(3), on(4)]
    assert {date.place for date in battle.dates.all()} == {"Cellar"}
    assert set(battle.dates.values_list("answers__person__name", "answers__can")) == {("Ilse", True)}
    notice = Notice.objects.get(kind="dates_proposed")
    assert (notice.person.name, notice.address) == ("Marek", address(battle))
    html = sign_in(client, "Marek").get(address(battle)).content.decode()
    assert "Ilse can." in html
    assert "No answer yet: Marek." in html


def test_once_everybody_can_whoever_proposed_it_takes_it(client: Client, battle: Battle, offer: DateProposal) -> None:
    sign_in(client, "Marek").post(address(battle), {"do": "can", "date": offer.pk})
    assert Notice.objects.get(kind="dates_proposed").read
    sign_in(client, "Ilse").post(address(battle), {"do": "accept", "date": offer.pk, "version": battle.version})
    battle.refresh_from_db()
    assert battle.scheduled_for == offer.when
    assert battle.version == 1
    assert Event.objects.get(kind="date_agreed").battle == battle
    assert Notice.objects.get(kind="date_agreed").person.name == "Marek"


def test_a_game_master_settles_any_date(scene: Scene, battle: Battle, offer: DateProposal) -> None:
    answer_date(actor=scene.people["Marek"], proposal=offer, can=False)
    accept_date(actor=scene.gm, proposal=offer)
    battle.refresh_from_db()
    assert battle.scheduled_for == offer.when
    assert Notice.objects.filter(kind="date_agreed").count() == 2


def test_an_answer_is_changed_and_counts_once(scene: Scene, offer: DateProposal) -> None:
    answer_date(actor=scene.people["Marek"], proposal=offer, can=False)
    answer_date(actor=scene.people["Marek"], proposal=offer, can=True)
    assert list(offer.answers.filter(person__name="Marek").values_list("can", flat=True)) == [True]


def test_a_date_is_taken_off_and_nobody_asks_any_more(client: Client, battle: Battle, offer: DateProposal) -> None:
    sign_in(client, "Ilse").post(address(battle), {"do": "withdraw", "date": offer.pk})
    assert not battle.dates.exists()
    assert Notice.objects.get(kind="dates_proposed").read


def test_a_date_that_is_on_offer_already_stays_as_it_is(scene: Scene, battle: Battle, offer: DateProposal) -> None:
    made = propose_dates(actor=scene.people["Marek"], battle=battle, dates=[offer.when, on(5)])
    assert [date.when for date in made] == [on(5)]
    assert battle.dates.count() == 2


def test_the_page_costs_as_many_queries_for_many_dates(client: Client, scene: Scene, battle: Battle) -> None:
    sign_in(client, "Ilse")
    counts = []
    for days in (range(1, 3), range(3, 12)):
        propose_dates(actor=scene.people["Marek"], battle=battle, dates=[on(day) for day in days])
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address(battle)).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 16


# Needs access ---------------------------------------------------------------------------------------
def test_members_read_and_only_those_who_fight_act(client: Client, battle: Battle, offer: DateProposal) -> None:
    html = sign_in(client, "Dagny").get(address(battle)).content.decode()
    assert "I can" not in html
    assert client.post(address(battle), {"do": "can", "date": offer.pk}).status_code == 404
    a_person("Sten")
    assert sign_in(client, "Sten").get(address(battle)).status_code == 404


def test_who_is_not_in_it_neither_proposes_nor_answers(scene: Scene, battle: Battle, offer: DateProposal) -> None:
    dagny = scene.people["Dagny"]
    for act in (
        lambda: propose_dates(actor=dagny, battle=battle, dates=[on(9)]),
        lambda: answer_date(actor=dagny, proposal=offer, can=True),
        lambda: accept_date(actor=dagny, proposal=offer),
        lambda: withdraw_date(actor=dagny, proposal=offer),
    ):
        with pytest.raises(RuleViolation) as refusal:
            act()
        assert refusal.value.code == "not_yours"


def test_a_game_master_who_does_not_fight_has_no_answer(scene: Scene, offer: DateProposal) -> None:
    with pytest.raises(RuleViolation) as refusal:
        answer_date(actor=scene.gm, proposal=offer, can=True)
    assert refusal.value.code == "not_in_battle"


# Refuses what is wrong ------------------------------------------------------------------------------
def test_a_date_in_the_past_is_refused_and_what_was_typed_kept(client: Client, battle: Battle) -> None:
    sent = {"do": "propose", "date_1": "2020-02-01T19:30", "place": "Cellar"}
    response = sign_in(client, "Ilse").post(address(battle), sent)
    assert refused(response, "1 February 2020, 19:30 is in the past.")
    assert 'value="2020-02-01T19:30"' in response.content.decode()
    assert 'value="Cellar"' in response.content.decode()
    assert not battle.dates.exists()


def test_a_year_that_was_mistyped_and_no_date_at_all_are_refused(client: Client, battle: Battle) -> None:
    sign_in(client, "Ilse")
    far = client.post(address(battle), {"do": "propose", "date_1": "2206-02-01T19:30"})
    assert refused(far, "more than two years away")
    assert client.post(address(battle), {"do": "propose", "date_1": "soon"}).status_code == 422
    assert client.post(address(battle), {"do": "propose"}).status_code == 422


def test_there_is_an_end_to_dates(scene: Scene, battle: Battle) -> None:
    with pytest.raises(RuleViolation) as refusal:
        propose_dates(actor=scene.people["Ilse"], battle=battle, dates=[on(day) for day in range(1, 15)])
    assert refusal.value.code == "too_many_dates"


@pytest.mark.parametrize("state", [Battle.State.PLAYING, Battle.State.CLOSED, Battle.State.VOID])
def test_a_battle_that_is_played_or_over_needs_no_date(client: Client, scene: Scene, state: str) -> None:
    battle = a_battle(scene, "Ilse", "Marek", state=state)
    offer = DateProposal.objects.create(battle=battle, by=scene.people["Ilse"], when=on(2))
    sign_in(client, "Ilse")
    for do in ("can", "accept", "withdraw"):
        response = client.post(address(battle), {"do": do, "date": offer.pk, "version": battle.version})
        assert refused(response, "so that is not possible any more"), do
    later = {"do": "propose", "date_1": f"{on(6):%Y-%m-%dT%H:%M}"}
    assert refused(client.post(address(battle), later), "so that is not possible any more")


def test_a_date_is_not_taken_before_everybody_can(client: Client, battle: Battle, offer: DateProposal) -> None:
    response = sign_in(client, "Ilse").post(address(battle), {"do": "accept", "date": offer.pk, "version": 0})
    assert refused(response, "Not everybody has said that they can.")


def test_only_its_proposer_or_a_game_master_settles_or_takes_it_off(scene: Scene, offer: DateProposal) -> None:
    marek = scene.people["Marek"]
    answer_date(actor=marek, proposal=offer, can=True)
    for act in (accept_date, withdraw_date):
        with pytest.raises(RuleViolation) as refusal:
            act(actor=marek, proposal=offer)
        assert refusal.value.code == "not_your_date"


def test_a_stale_page_does_not_settle_a_date(client: Client, battle: Battle, offer: DateProposal) -> None:
    response = sign_in(client, "Priya").post(address(battle), {"do": "accept", "date": offer.pk, "version": 7})
    assert refused(response, "has changed since you opened the page")


def test_a_date_that_passed_meanwhile_is_not_taken(scene: Scene, offer: DateProposal) -> None:
    DateProposal.objects.filter(pk=offer.pk).update(when=timezone.now() - timedelta(hours=1))
    with pytest.raises(RuleViolation) as refusal:
        accept_date(actor=scene.gm, proposal=offer)
    assert refusal.value.code == "date_past"


@pytest.mark.parametrize("key", ["", "x", "999999", "9" * 40])
def test_a_date_that_is_gone_is_said_so(client: Client, battle: Battle, key: str) -> None:
    response = sign_in(client, "Ilse").post(address(battle), {"do": "can", "date": key})
    assert refused(response, "This date is not on offer any more.")


def test_an_act_that_does_not_exist_is_not_there(client: Client, battle: Battle, offer: DateProposal) -> None:
    assert sign_in(client, "Ilse").post(address(battle), {"do": "dance", "date": offer.pk}).status_code == 404


def test_no_dates_in_a_campaign_that_is_over(client: Client, battle: Battle, offer: DateProposal) -> None:
    Campaign.objects.update(status=Campaign.Status.ENDED)
    response = sign_in(client, "Ilse").post(address(battle), {"do": "can", "date": offer.pk})
    assert refused(response, "has ended")
