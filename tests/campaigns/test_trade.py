"""The pages of the player trade."""

import pytest
from django.test import Client
from pytest_django.fixtures import DjangoAssertNumQueries

from campaigns.models import Battle
from campaigns.offers import Side, goods_of
from campaigns.postgame import MARKET
from campaigns.services.agree_offer import agree_offer
from campaigns.services.make_offer import make_offer
from market.models import Offer
from tests.campaigns.runs import walk
from tests.campaigns.stage import Scene
from tests.campaigns.trades import address, allied, first_item, points, run_for, state_of, to_trade

pytestmark = pytest.mark.django_db

Trade = tuple[Scene, Battle]


@pytest.fixture
def trade() -> Trade:
    scene, battle = allied()
    to_trade(scene, battle)
    return scene, battle


def pk(trade: Trade, name: str) -> int:
    return trade[0].warbands[name].pk


def as_(client: Client, trade: Trade, name: str) -> Client:
    client.force_login(trade[0].people[name])
    return client


def an_offer(trade: Trade, give: Side, take: Side) -> Offer:
    """Ilse's, to Marek."""
    scene, battle = trade
    run = run_for(scene, battle, "Ilse")
    return make_offer(actor=scene.people["Ilse"], run=run, partner=pk(trade, "Marek"), gives=give, takes=take)


def test_an_offer_is_made_and_agreed_to_without_scripts(client: Client, trade: Trade) -> None:
    scene, battle = trade
    thing = first_item(scene.warbands["Marek"])
    ilse = as_(client, trade, "Ilse")
    page = ilse.get(address(battle, "trade", pk(trade, "Ilse"))).content.decode()
    assert "You were allies." in page
    sent = {"version": 0, "give_points": 3, "take_points": "", "take": [thing]}
    made = ilse.post(address(battle, "offer_make", pk(trade, "Ilse"), pk(trade, "Marek")), sent, follow=True)
    assert "Your offer is made." in made.content.decode()
    offer = Offer.objects.get()
    marek = as_(client, trade, "Marek")
    page = marek.get(address(battle, "trade", pk(trade, "Marek"))).content.decode()
    assert "The Lantern Wardens offers:" in page
    agree = address(battle, "offer_agree", pk(trade, "Marek"), offer.pk)
    assert "3 points" in marek.get(agree).content.decode()
    before = state_of(scene.warbands["Marek"]).treasury
    done = marek.post(agree, {"version": 1}, follow=True)
    assert "has changed hands" in done.content.decode()
    assert state_of(scene.warbands["Marek"]).treasury == before + 3


def test_a_settled_trade_is_in_the_story_of_both(client: Client, trade: Trade) -> None:
    scene, battle = trade
    thing = first_item(scene.warbands["Marek"])
    offer = an_offer(trade, points(3), Side(0, (thing,)))
    name = goods_of(state_of(scene.warbands["Marek"]))[0].name
    told = {
        "Ilse": f"Trade with Sable Oath: gave 3 points, got {name}.",
        "Marek": f"Trade with The Lantern Wardens: gave {name}, got 3 points.",
    }
    pages = {who: address(battle, "postgame", pk(trade, who)) for who in told}
    assert told["Ilse"] not in as_(client, trade, "Ilse").get(pages["Ilse"]).content.decode()
    marek = scene.people["Marek"]
    agree_offer(actor=marek, run=run_for(scene, battle, "Marek"), offer=offer, warband=pk(trade, "Marek"))
    for who, sentence in told.items():
        assert sentence in as_(client, trade, who).get(pages[who]).content.decode()
    for who in told:
        walk(run_for(scene, battle, who), until=MARKET)
    for who, sentence in told.items():
        assert as_(client, trade, who).get(pages[who]).content.decode().count(sentence) == 1


def test_a_counter_offer_begins_with_what_is_on_the_table(client: Client, trade: Trade) -> None:
    scene, battle = trade
    thing = first_item(scene.warbands["Ilse"])
    offer = an_offer(trade, Side(0, (thing,)), points(7))
    marek = as_(client, trade, "Marek")
    amend = address(battle, "offer_amend", pk(trade, "Marek"), offer.pk)
    page = marek.get(amend)
    form = page.context["form"]
    assert (form.initial["give_points"], form.initial["take"], form.initial["version"]) == (7, [thing], 1)
    marek.post(amend, {"version": 1, "give_points": 4, "take": [thing]})
    offer.refresh_from_db()
    assert (offer.version, offer.take_points, offer.maker_agrees_to, offer.taker_agrees_to) == (2, 4, 1, 2)
    late = marek.post(amend, {"version": 1, "give_points": 1})
    assert late.status_code == 409
    assert "has changed since" in late.content.decode()


def test_what_was_typed_is_kept_beside_the_refusal(client: Client, trade: Trade) -> None:
    _scene, battle = trade
    make = address(battle, "offer_make", pk(trade, "Ilse"), pk(trade, "Marek"))
    ilse = as_(client, trade, "Ilse")
    refused = ilse.post(make, {"version": 0, "give_points": 9999})
    assert refused.status_code == 409
    assert 'value="9999"' in refused.content.decode()
    assert ilse.post(make, {"version": 0, "give_points": -4}).status_code == 422
    assert ilse.post(make, {"version": 0, "give": ["nothing"]}).status_code == 422
    assert not Offer.objects.exists()


def test_an_offer_is_withdrawn_after_a_question(client: Client, trade: Trade) -> None:
    _scene, battle = trade
    offer = an_offer(trade, points(1), Side())
    withdraw = address(battle, "offer_withdraw", pk(trade, "Ilse"), offer.pk)
    ilse = as_(client, trade, "Ilse")
    assert "Withdraw your offer" in ilse.get(withdraw).content.decode()
    offer.refresh_from_db()
    assert offer.state == Offer.State.OPEN
    assert ilse.post(withdraw, {"version": 1}).status_code == 302
    assert ilse.post(withdraw, {"version": 1}).status_code == 409
    agree = address(battle, "offer_agree", pk(trade, "Ilse"), offer.pk)
    assert "This offer is withdrawn" in ilse.get(agree).content.decode()


def test_nobody_else_sees_what_is_offered(client: Client, trade: Trade) -> None:
    scene, battle = trade
    offer = an_offer(trade, points(1), Side())
    ilse = pk(trade, "Ilse")
    client.force_login(scene.gm)
    places = [address(battle, "trade", ilse), address(battle, "offer_make", ilse, pk(trade, "Marek"))]
    places += [address(battle, route, ilse, offer.pk) for route in ("offer_amend", "offer_agree", "offer_withdraw")]
    for place in places:
        assert client.get(place).status_code == 404
        assert client.post(place, {"version": 1}).status_code in (404, 405)
    assert Offer.objects.get().state == Offer.State.OPEN
    as_(client, trade, "Ilse")
    assert client.get(address(battle, "offer_make", ilse, ilse)).status_code == 404
    assert client.get(address(battle, "offer_agree", ilse, 999_999)).status_code == 404


def test_a_page_of_somebody_without_partners_says_so(client: Client) -> None:
    scene, battle = allied()
    battle.participations.update(allies=[])
    for part in battle.participations.all():
        part.fought = [warband.pk for warband in scene.warbands.values() if warband.pk != part.warband_id]
        part.save()
    client.force_login(scene.people["Ilse"])
    page = client.get(address(battle, "trade", scene.warbands["Ilse"].pk)).content.decode()
    assert "nobody to trade with" in page
    assert "You are not there yet." in page


def test_the_statements_do_not_grow_with_the_offers(
    client: Client, trade: Trade, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    _scene, battle = trade
    ilse = as_(client, trade, "Ilse")
    page = address(battle, "trade", pk(trade, "Ilse"))
    an_offer(trade, points(1), Side())
    ilse.get(page)
    with django_assert_num_queries(6):
        ilse.get(page)
    for _turn in range(4):
        an_offer(trade, points(1), Side())
    with django_assert_num_queries(6):
        ilse.get(page)
