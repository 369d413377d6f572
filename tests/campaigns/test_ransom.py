"""A captive's page."""

import pytest
from django.test import Client

from campaigns.models import Battle
from market.models import Offer
from rules.engine.captives import deal_for
from tests.campaigns.runs import walk_all
from tests.campaigns.stage import Scene
from tests.campaigns.trades import a_captive, address, run_for, state_of, to_homecoming
from warbands.models import Warband

pytestmark = pytest.mark.django_db

Held = tuple[Scene, Battle, str]


@pytest.fixture
def held() -> Held:
    return a_captive()


def page_of(held: Held) -> str:
    scene, battle, captive = held
    return address(battle, "ransom", scene.warbands["Marek"].pk, captive)


def as_(client: Client, held: Held, name: str) -> Client:
    client.force_login(held[0].people[name])
    return client


def test_a_ransom_is_bargained_for_without_scripts(client: Client, held: Held) -> None:
    scene, battle, captive = held
    page = page_of(held)
    ilse = as_(client, held, "Ilse")
    assert "held captive by The Lantern Wardens" in ilse.get(page).content.decode()
    assert ilse.post(page, {"do": "offer", "version": 0, "points": 30}).status_code == 302
    marek = as_(client, held, "Marek")
    shown = marek.get(page).content.decode()
    assert "The Lantern Wardens asks for:" in shown
    assert "30 points" in shown
    assert marek.post(page, {"do": "offer", "version": 1, "points": 10}).status_code == 302
    ilse = as_(client, held, "Ilse")
    assert "Sable Oath would pay:" in ilse.get(page).content.decode()
    assert ilse.post(page, {"do": "agree", "version": 1}).status_code == 409
    assert ilse.post(page, {"do": "agree", "version": 2}).status_code == 302
    assert "A ransom is agreed on:" in ilse.get(page).content.decode()
    to_homecoming(scene, battle)
    walk_all(battle)
    assert "Free again" in ilse.get(page).content.decode()
    assert deal_for(state_of(scene.warbands["Marek"]), captive) is None


def test_what_is_wrong_is_said_beside_the_form(client: Client, held: Held) -> None:
    page = page_of(held)
    marek = as_(client, held, "Marek")
    assert marek.post(page, {"do": "offer", "version": 0, "points": -3}).status_code == 422
    assert marek.post(page, {"do": "offer", "version": 0, "items": ["nothing"]}).status_code == 422
    assert marek.post(page, {"do": "dance"}).status_code == 409
    assert marek.post(page, {"do": "agree", "version": 1}).status_code == 409
    assert marek.post(page, {"do": "sell", "version": 1}).status_code == 409
    assert marek.post(page, {"do": "claim"}).status_code == 409
    assert not Offer.objects.exists()


def test_an_offer_is_turned_down(client: Client, held: Held) -> None:
    page = page_of(held)
    as_(client, held, "Ilse").post(page, {"do": "offer", "version": 0, "points": 30})
    assert as_(client, held, "Marek").post(page, {"do": "withdraw", "version": 1}).status_code == 302
    assert Offer.objects.get().state == Offer.State.WITHDRAWN


def test_others_look_on_and_strangers_do_not(client: Client, held: Held) -> None:
    scene, battle, _captive = held
    client.force_login(scene.gm)
    shown = client.get(page_of(held))
    assert shown.status_code == 200
    assert "Nobody has named a price yet." in shown.content.decode()
    assert client.post(page_of(held), {"do": "offer", "version": 0, "points": 1}).status_code == 404
    free = address(battle, "ransom", scene.warbands["Ilse"].pk, "f1")
    assert client.get(free).status_code == 404


def test_a_warband_that_did_not_fight_has_no_captives(client: Client, held: Held) -> None:
    scene, battle, captive = held
    page = as_(client, held, "Marek")
    for warband, fighter in ((9999, captive), (scene.warbands["Marek"].pk, "f999")):
        assert page.get(address(battle, "ransom", warband, fighter)).status_code == 404


def test_a_captive_without_a_deal_is_rescued_sold_or_executed(client: Client) -> None:
    held = scene, battle, _captive = a_captive("Ruben")
    Warband.objects.filter(pk=scene.warbands["Ruben"].pk).update(chaotic=True)
    page = page_of(held)
    marek = as_(client, held, "Marek")
    version = run_for(scene, battle, "Marek").version
    assert marek.post(page, {"do": "no_deal", "version": version}).status_code == 302
    to_homecoming(scene, battle)
    assert "A rescue mission" in marek.get(page).content.decode()
    assert marek.post(page, {"do": "claim"}).status_code == 302
    ruben = as_(client, held, "Ruben")
    assert "says that the mission was won" in ruben.get(page).content.decode()
    assert ruben.post(page, {"do": "withdraw", "version": 1}).status_code == 302
    marek = as_(client, held, "Marek")
    version = run_for(scene, battle, "Marek").version
    assert marek.post(page, {"do": "not_tried", "version": version}).status_code == 302
    assert "decides: to sell the captive" in marek.get(page).content.decode()
    ruben = as_(client, held, "Ruben")
    assert "Execute" in ruben.get(page).content.decode()
    version = run_for(scene, battle, "Marek").version
    gone = ruben.post(page, {"do": "execute", "version": version}, follow=True)
    assert "did not come home" in gone.content.decode()
    walk_all(battle)
    assert "did not come home" in ruben.get(page).content.decode()
