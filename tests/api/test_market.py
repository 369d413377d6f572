"""The market and the equipment over the API."""

from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from campaigns.models import Run
from tests.api.caller import Caller
from tests.api.fights import good, refused, run_path
from tests.campaigns.stage import Scene, a_person, a_scene
from tests.campaigns.stalls import at_the_market, at_the_stockpile, crowd, fresh, ordering_of
from warbands.models import Warband
from warbands.projection import read_state
from warbands.reconcile import reconcile

pytestmark = pytest.mark.django_db
Callers = Callable[..., Caller]
Market = tuple[Scene, Run]


@pytest.fixture
def market() -> Market:
    scene = a_scene()
    a_person("Sten")
    return at_the_market(scene, treasury=142)


@pytest.fixture
def ilse(market: Market, caller: Callers) -> Caller:
    return caller("Ilse")


def path(market: Market, rest: str = "") -> str:
    scene, run = market
    return run_path(run.battle, scene, "Ilse", rest)


def state_of(market: Market) -> Any:
    return read_state(Warband.objects.get(pk=market[1].warband_id))


def put(player: Caller, market: Market, *orders: dict[str, Any], **headers: str) -> Any:
    return player.put(path(market, "/market/basket"), {"orders": list(orders)}, **headers)


# The market -------------------------------------------------------------------------------------------


def test_the_market_shows_status_pool_and_treasury(market: Market, ilse: Caller) -> None:
    shown = good(ilse.get(path(market, "/market")))
    assert (shown["status"], shown["treasury"], shown["treasury_after"]) == (4, 142, 142)
    assert (shown["pool"]["before"], shown["pool"]["working"]) == (13, "3 + 4 + 6")
    assert shown["basket"] == []


def test_wares_have_prices_that_are_worked_out(market: Market, ilse: Caller) -> None:
    wares = good(ilse.get(path(market, "/market/wares?q=lantern")))["items"]
    assert [ware["name"] for ware in wares] == ["Lantern"]
    assert wares[0]["quote"]["price"]["total"] > 0
    assert wares[0]["order"]["do"] == "buy"
    close = good(ilse.get(path(market, "/market/wares?kind=close&affordable=true&findable=true&limit=100")))["items"]
    assert {ware["kind"] for ware in close} == {"close"}
    assert not any(ware["too_expensive"] or ware["too_rare"] for ware in close)
    leader = market[1].warband.fighters.get(is_leader=True).key
    fitting = good(ilse.get(path(market, f"/market/wares?fits={leader}&limit=100")))["items"]
    assert all(leader in ware["carriers"] for ware in fitting)
    assert good(ilse.get(path(market, "/market/wares?opened=Sword&q=sword")))["items"][0]["upgraded"] is not None
    assert ilse.get(path(market, "/market/wares?kind=food")).status_code == 422


def test_wares_are_read_page_by_page(market: Market, ilse: Caller) -> None:
    first = good(ilse.get(path(market, "/market/wares?limit=5&fields=name")))
    second = good(ilse.get(path(market, f"/market/wares?limit=5&fields=name&cursor={first['next']}")))
    names = [ware["name"] for ware in first["items"] + second["items"]]
    assert len(names) == 10


def test_recruits_and_sales_are_listed(market: Market, ilse: Caller) -> None:
    recruits = good(ilse.get(path(market, "/market/recruits?limit=100")))["items"]
    assert {one["order"]["do"] for one in recruits} <= {"recruit", "hire"}
    assert any(not one["shut"] for one in recruits)
    sales = good(ilse.get(path(market, "/market/sales?limit=100")))["items"]
    assert any(one["price"] is not None and one["items"] for one in sales)


def test_a_basket_is_tried_and_nothing_is_paid(market: Market, ilse: Caller) -> None:
    tried = good(put(ilse, market, {"do": "buy", "item": "Sword"}, {"do": "buy", "item": "Halberd", "amount": 90}))
    assert tried["basket"][0]["problem"] is None
    assert tried["basket"][1]["problem"]["code"] == "too_expensive"
    assert (tried["problems"], tried["may_pay"]) == (1, False)
    assert tried["treasury_after"] == 142 + tried["basket"][0]["price"]
    assert state_of(market).treasury == 142
    refused(ilse.post(path(market, "/market/payment")), "too_expensive")


def test_a_basket_is_paid_for(market: Market, ilse: Caller) -> None:
    items = good(ilse.get(path(market, "/market/sales?limit=100")))["items"]
    sold = next(one["items"][0] for one in items if one["items"] and not one["shut"])
    tried = good(put(ilse, market, {"do": "sell", "item": sold}, {"do": "buy", "item": "Sword"}))
    paid = good(ilse.post(path(market, "/market/payment")))
    assert (paid["is_paid"], paid["may_close"]) == (True, True)
    gone = good(ilse.post(path(market, "/closed-steps"), {"step": "trading"}))
    assert gone["step"] == "allocation"
    state = state_of(market)
    assert state.treasury == tried["treasury_after"]
    assert "Sword" in [item.name for item in state.stockpile]
    refused(ilse.get(path(market, "/market")), "step_closed")
    refused(put(ilse, market, {"do": "buy", "item": "Sword"}), "step_closed")
    assert not reconcile().differences


def test_somebody_is_recruited(market: Market, ilse: Caller) -> None:
    recruits = good(ilse.get(path(market, "/market/recruits?limit=100")))["items"]
    order = next(one["order"] for one in recruits if not one["shut"] and one["order"]["type"])
    tried = good(put(ilse, market, {"do": order["do"], "type": order["type"], "name": "Anneke"}))
    assert tried["newcomers"] == ["Anneke"]


@pytest.mark.parametrize(
    "order",
    [
        {"do": "steal", "item": "Sword"},
        {"item": "Sword"},
        {"do": "buy", "item": "Sword", "price": 0},
        {"do": "buy", "item": "Sword", "amount": 0},
        {"do": "buy", "item": "Sword", "haggle": [{"fighter": "f1", "mode": "threat"}]},
        {"do": "hire", "type": "Bear", "name": "x" * 300},
    ],
)
def test_orders_of_another_shape_are_refused(order: dict[str, Any], market: Market, ilse: Caller) -> None:
    assert put(ilse, market, order).status_code == 422
    assert fresh(market[1]).drafts == {}


def test_what_is_no_ware_is_said_beside_the_order(market: Market, ilse: Caller) -> None:
    assert good(put(ilse, market, {"do": "buy", "item": "Moonbeam"}))["basket"][0]["problem"]["code"] == "bad_order"


def test_a_basket_is_its_players_own(market: Market, caller: Callers) -> None:
    for name in ("Marek", "Priya", "Sten"):
        other = caller(name)
        for rest in ("/market", "/market/wares", "/market/recruits", "/market/sales", "/allocation"):
            assert other.get(path(market, rest)).status_code == 404
        assert put(other, market).status_code == 404
        assert other.post(path(market, "/market/payment")).status_code == 404


def test_a_basket_that_another_device_changed_is_known(market: Market, ilse: Caller) -> None:
    seen = ilse.get(path(market, "/market"))["ETag"]
    good(put(ilse, market, {"do": "buy", "item": "Sword"}, if_match=seen))
    refused(put(ilse, market, if_match=seen), "stale", 412)
    assert len(good(ilse.get(path(market, "/market")))["basket"]) == 1


def test_wares_ask_the_same_for_a_large_warband(
    market: Market, ilse: Caller, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    crowd(market[1].warband, 30)
    with django_assert_max_num_queries(14):
        good(ilse.get(path(market, "/market/wares")))


# Equipment --------------------------------------------------------------------------------------------


@pytest.fixture
def stockpile() -> Market:
    return at_the_stockpile(orders=[{"do": "buy", "item": "Sword"}, {"do": "buy", "item": "Halberd"}])


@pytest.fixture
def keeper(stockpile: Market, caller: Callers) -> Caller:
    return caller("Ilse")


def stocked(market: Market, name: str) -> str:
    return next(item.id for item in ordering_of(market[1]).standing.state.stockpile if item.name == name)


def test_a_chosen_thing_shows_who_may_take_it(stockpile: Market, keeper: Caller) -> None:
    sword = stocked(stockpile, "Sword")
    plain = good(keeper.get(path(stockpile, "/allocation")))
    assert plain["holders"][0]["key"] == ""
    assert all(holder["target"] is None for holder in plain["holders"])
    shown = good(keeper.get(path(stockpile, f"/allocation?item={sword}")))
    targets = [holder["target"] for holder in shown["holders"][1:]]
    assert any(target["amounts"] == [1] for target in targets)
    assert all(target["amounts"] or target["shut"] for target in targets)


def test_things_are_given_and_the_step_is_closed(stockpile: Market, keeper: Caller) -> None:
    sword = stocked(stockpile, "Sword")
    shown = good(keeper.get(path(stockpile, f"/allocation?item={sword}")))
    taker = next(holder["key"] for holder in shown["holders"][1:] if holder["target"]["amounts"])
    moved = good(keeper.post(path(stockpile, "/allocation/moves"), {"item": sword, "to": taker}))
    assert moved["orders"] == [{"do": "move", "item": sword, "to": taker}]
    reset = good(keeper.post(path(stockpile, "/allocation/moves"), {"do": "reset"}))
    assert reset["orders"] == []
    good(keeper.post(path(stockpile, "/allocation/moves"), {"item": sword, "to": taker}))
    refused(keeper.post(path(stockpile, "/allocation/moves"), {"item": "i999", "to": taker}), "no_such_thing")
    refused(keeper.post(path(stockpile, "/allocation/moves"), {"item": sword, "to": "f99"}), "nobody")
    done = good(keeper.post(path(stockpile, "/allocation/done"), {}))
    assert done["step"] == "warband"
    assert sword in [item.id for item in state_of(stockpile).fighters[taker].items]
    refused(keeper.post(path(stockpile, "/allocation/done"), {}), "step_closed")
    refused(keeper.get(path(stockpile, "/allocation")), "step_closed")
    assert not reconcile().differences


def test_what_is_thrown_away_is_asked_about_first(stockpile: Market, keeper: Caller) -> None:
    halberd = stocked(stockpile, "Halberd")
    gone = good(keeper.post(path(stockpile, "/allocation/moves"), {"do": "destroy", "item": halberd}))
    assert gone["destroyed"] == ["Halberd"]
    assert "Halberd" in refused(keeper.post(path(stockpile, "/allocation/done"), {}), "not_sure")
    good(keeper.post(path(stockpile, "/allocation/done"), {"sure": True}))
    assert "Halberd" not in [item.name for item in state_of(stockpile).stockpile]
