"""What the market page lists."""

from typing import Any

import pytest

from market.basket import Trial, try_basket
from market.people import benches
from market.sales import heaps
from market.wares import Filters, Ware, goods
from rules.engine.equipment import refusal
from rules.engine.offers import offers
from rules.engine.pack.schema import SpecialPrice
from rules.engine.state import Item, evolve
from tests.market.standings import PACK, a_standing, a_warband


def a_trial(orders: list[dict[str, Any]] | None = None, **fields: Any) -> Trial:
    return try_basket(a_standing(a_warband(**fields)), orders or [])


def wares(trial: Trial, **filters: Any) -> dict[str, Ware]:
    return {ware.label: ware for shelf in goods(trial, Filters(**filters)).shelves for ware in shelf.wares}


def test_every_price_is_that_of_the_engine() -> None:
    trial = a_trial()
    listed = wares(trial)
    known = offers(trial.state, PACK, trial.standing.status, trial.state.rarity_pool, upgraded=False)
    assert {offer.quote.label: offer.quote for offer in known} == {name: ware.quote for name, ware in listed.items()}
    assert {offer.quote.label for offer in known if not offer.refusal} == {
        name for name, ware in listed.items() if not ware.shut
    }


def test_an_opened_item_is_listed_with_each_upgrade() -> None:
    trial = a_trial()
    upgraded = wares(trial, opened="Sword")["Sword"].upgraded
    known = offers(trial.state, PACK, trial.standing.status, trial.state.rarity_pool)
    swords = [offer.quote for offer in known if offer.name == "Sword" and offer.upgrades]
    assert [ware.quote for ware in upgraded] == swords
    assert wares(trial)["Sword"].upgraded == ()
    assert wares(trial)["Sword"].ways == len(swords) > 5


def test_a_search_finds_upgraded_things_by_their_names() -> None:
    found = wares(a_trial(), query="sharpened sw")
    assert list(found) == ["Sword"]
    assert [ware.label for ware in found["Sword"].upgraded] == ["Sharpened Sword"]


def test_filters_leave_only_what_is_wanted() -> None:
    trial = a_trial(treasury=12)
    assert all(not ware.too_expensive for ware in wares(trial, affordable=True).values())
    assert all(not ware.too_rare for ware in wares(trial, findable=True).values())
    assert {ware.kind for ware in wares(trial, kinds=frozenset({"drug", "mount"})).values()} <= {"drug", "mount"}
    assert len(wares(trial, affordable=True)) < len(wares(trial))
    assert wares(trial, query="no such thing") == {}


@pytest.mark.parametrize("key", ["captain", "sergeant", "guards"])
def test_who_may_carry_a_thing_is_asked_of_the_engine(key: str) -> None:
    trial = a_trial()
    fighter = trial.standing.state.fighters[key]
    fitting = {name for name in wares(trial) if refusal(fighter, Item("", name), PACK) is None}
    assert set(wares(trial, fits=key)) == fitting
    assert 0 < len(fitting) < len(wares(trial))


def test_what_the_basket_leaves_is_what_counts() -> None:
    plain, full = (
        wares(a_trial(treasury=25)),
        wares(a_trial([{"do": "buy", "item": "Sword", "amount": 2}], treasury=25)),
    )
    assert not plain["Halberd"].shut
    assert full["Halberd"].shut == "5 points short."
    assert full["Sword"].count == 2


def test_an_addicts_drug_is_half_as_rare_once() -> None:
    drug = next(entry for entry in PACK.items.values() if entry.category == "drug" and entry.price and entry.rarity > 1)
    warband = a_warband(effects=[{"name": "rarity_lasting", "value": 12}])
    addict = evolve(warband.fighters["captain"], addictions=(drug.name,))
    standing = a_standing(evolve(warband, fighters={**warband.fighters, "captain": addict}))
    before = wares(try_basket(standing, []))[drug.name].rarity
    after = wares(try_basket(standing, [{"do": "buy", "item": drug.name}]))[drug.name].rarity
    assert (before, after) == (-(-drug.rarity // 2), drug.rarity)


def test_a_special_market_stands_beside_the_local_one() -> None:
    special = evolve(PACK.armies["EoS"], market=(SpecialPrice(item="Sword", price="3", rarity=0),))
    pack = evolve(PACK, armies={**PACK.armies, "EoS": special})
    trial = try_basket(a_standing(a_warband(), pack), [])
    found = [
        ware for shelf in goods(trial, Filters(query="sword")).shelves for ware in shelf.wares if ware.label == "Sword"
    ]
    assert [(ware.kind, ware.quote.price.total, ware.do) for ware in found] == [
        ("own", 3, "buy-special Sword"), ("close", 10, "buy-local Sword"),
    ]  # fmt: skip


def test_coatings_of_an_own_poisoner_are_counted_down() -> None:
    standing = a_standing(coatings=2)
    ware = goods(try_basket(standing, [{"do": "poison"}]), Filters()).shelves[0].wares[0]
    assert (ware.label, ware.quote.price.total, ware.shut) == ("Wolfsbane Coating", 15, "")
    assert "1 left" in ware.text
    empty = goods(try_basket(standing, [{"do": "poison", "amount": 2}]), Filters()).shelves[0].wares[0]
    assert empty.shut == "All of it is in the basket."


def test_recruits_come_with_prices_and_reasons() -> None:
    found = {bench.kind: bench.recruits for bench in benches(a_trial())}
    group = found["groups"][0]
    entry = PACK.fighters["Imperial Guardsman"]
    assert (group.label, group.working, group.quote.price.total) == (
        "guards",
        f"{entry.price} + 2 × 2",
        entry.price + 4,
    )
    assert group.rarity == max(entry.rarity, 2)
    assert any(one.shut for one in found["hireling"])
    assert {one.kind for one in found["hero"]} == {"hero"}


def test_recruits_are_counted_with_the_basket() -> None:
    poor = {one.label: one.shut for bench in benches(a_trial(treasury=0)) for one in bench.recruits}
    assert all(poor.values())


def test_things_are_sold_by_the_piece_and_each_once() -> None:
    trial = a_trial()
    halberds = next(heap for heap in heaps(trial) if heap.holder == "guards").sales[0]
    assert (halberds.label, len(halberds.left), halberds.sold) == ("Halberd", 3, 0)
    sold = a_trial([{"do": "sell", "item": halberds.left[0]}])
    after = next(heap for heap in heaps(sold) if heap.holder == "guards").sales[0]
    assert (len(after.left), after.sold) == (2, 1)
    assert after.do == f"sell {halberds.left[1]}"


def test_what_nobody_buys_says_why() -> None:
    warband = a_warband()
    captive = evolve(warband.fighters["captain"], captive_of="tuskers")
    trial = try_basket(a_standing(evolve(warband, fighters={**warband.fighters, "captain": captive})), [])
    sales = next(heap for heap in heaps(trial) if heap.holder == "captain").sales
    assert all("not here" in one.shut and one.price is None for one in sales)
