"""Baskets tried out, beside what the step itself makes of them."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from market.basket import better_place, haggles, moved, try_basket
from rules.engine.pack.schema import Pack, SpecialPrice
from rules.engine.stall import HALF_HIRELING, HALF_MOUNT
from rules.engine.state import Effect, evolve
from tests.market.standings import PACK, a_standing, a_warband, charged

RICH = {"treasury": 5000, "effects": [{"name": "rarity_lasting", "value": 10}]}
HAGGLE = {"fighter": "captain", "mode": "points"}


def many_kinds() -> list[dict[str, Any]]:
    """A basket of all kinds of orders, each of which goes through."""
    axe = a_warband(**RICH).stockpile[0].id
    return [
        {"do": "buy", "item": "Enchanted Sword"},
        {"do": "buy", "item": "Sword", "amount": 3},
        {"do": "buy", "item": "Lantern", "haggle": HAGGLE},
        {"do": "sell", "item": axe},
        {"do": "recruit", "into": "guards", "models": 2},
        {"do": "recruit", "type": "Imperial Guardsman", "models": 2, "name": "The Second"},
        {"do": "buy", "item": "Tome of Magic"},
        {"do": "buy", "item": "Bow", "amount": 2},
    ]


def test_what_a_basket_of_many_kinds_costs_is_what_the_step_charges() -> None:
    warband = a_warband(**RICH)
    trial = try_basket(a_standing(warband), many_kinds())
    after = charged(warband, [line.order for line in trial.lines if line.problem is None])
    assert len(trial.lines) - len(trial.problems) >= 6
    assert trial.state.treasury == after.treasury
    assert (
        trial.spent == warband.treasury - after.treasury == -sum(line.price for line in trial.lines if not line.problem)
    )
    assert trial.state.model_count == after.model_count
    assert len(trial.state.stockpile) == len(after.stockpile)


@pytest.mark.parametrize("place", range(8))
def test_each_order_alone_costs_what_the_step_charges(place: int) -> None:
    warband = a_warband(**RICH)
    order = many_kinds()[place]
    line = try_basket(a_standing(warband), [order]).lines[0]
    assert line.problem is None, line.problem
    assert warband.treasury + line.price == charged(warband, [order]).treasury


def test_problems_stand_beside_their_orders_and_the_others_go_through() -> None:
    orders = [
        {"do": "buy", "item": "Enchanted Sword"},
        {"do": "buy", "item": "Sword"},
        {"do": "sell", "item": "nothing"},
    ]
    trial = try_basket(a_standing(), orders)
    assert [line.problem.code if line.problem else "" for line in trial.lines] == ["too_rare", "", "bad_order"]
    assert trial.spent == 10


def test_an_order_is_refused_as_a_whole() -> None:
    trial = try_basket(a_standing(a_warband(treasury=25)), [{"do": "buy", "item": "Sword", "amount": 3}])
    assert trial.problems[0].problem is not None
    assert trial.state.treasury == 25
    assert trial.state.stockpile == trial.standing.state.stockpile


def test_who_haggled_for_a_refused_order_may_haggle_for_another() -> None:
    orders = [
        {"do": "buy", "item": "Enchanted Sword", "haggle": HAGGLE},
        {"do": "buy", "item": "Sword", "haggle": HAGGLE},
    ]
    first, second = try_basket(a_standing(), orders).lines
    assert first.problem is not None
    assert second.problem is None
    twice = try_basket(a_standing(), [orders[1], orders[1]])
    assert [line.problem.code if line.problem else "" for line in twice.lines] == ["", "haggled_already"]


def test_a_trial_shows_no_dice() -> None:
    """Whatever an enchantment will be, the trial says only that it is rolled."""
    warband = a_warband(**RICH)
    trial = try_basket(a_standing(warband), [{"do": "buy", "item": "Enchanted Sword"}, {"do": "buy", "item": "Sword"}])
    assert [line.is_rolled for line in trial.lines] == [True, False]
    details = {try_basket(a_standing(warband), [{"do": "buy", "item": "Tome of Magic"}]).state.stockpile[-1].detail}
    assert len(details) == 1


def test_a_caster_with_several_paths_is_asked_after_paying() -> None:
    trial = try_basket(a_standing(a_warband(**RICH)), [{"do": "hire", "type": "Hedge Wizard"}])
    assert trial.lines[0].problem is None
    assert trial.lines[0].is_asked


def test_what_is_bought_in_this_phase_cannot_be_sold_in_it() -> None:
    standing = a_standing()
    new = try_basket(standing, [{"do": "buy", "item": "Sword"}]).state.stockpile[-1].id
    trial = try_basket(standing, [{"do": "buy", "item": "Sword"}, {"do": "sell", "item": new}])
    assert trial.lines[1].problem is not None
    assert trial.lines[1].problem.code == "bought_now"


def test_a_rarer_thing_is_better_bought_first() -> None:
    """With a pool of 13 a rarity of 7 leaves 9; the other way round, 12 leaves 7."""
    warband = a_warband(**RICH | {"effects": [{"name": "rarity_lasting", "value": 5}]})
    standing = a_standing(warband)
    assert standing.state.rarity_pool == 13
    priced = {name: entry.rarity for name, entry in PACK.items.items() if entry.price and entry.category != "mount"}
    common = next(name for name, rarity in priced.items() if rarity == 7)
    rare = next(name for name, rarity in priced.items() if rarity == 12)
    orders = [{"do": "buy", "item": common}, {"do": "buy", "item": rare}]
    assert [line.problem is None for line in try_basket(standing, orders).lines] == [True, False]
    assert better_place(standing, orders, 1, 1) == 0
    assert not try_basket(standing, moved(orders, 1, 0)).problems


def test_a_sale_is_better_made_before_what_it_pays() -> None:
    warband = a_warband(treasury=8)
    orders = [{"do": "buy", "item": "Sword"}, {"do": "sell", "item": warband.stockpile[0].id}]
    standing = a_standing(warband)
    assert len(try_basket(standing, orders).problems) == 1
    assert better_place(standing, orders, 0, 1) == 1


def test_where_nothing_helps_no_other_place_is_offered() -> None:
    orders = [{"do": "buy", "item": "Enchanted Sword"}, {"do": "buy", "item": "Sword"}]
    assert better_place(a_standing(), orders, 0, 1) is None


def test_haggling_is_offered_with_what_it_saves() -> None:
    standing = a_standing()
    trial = try_basket(standing, [{"do": "buy", "item": "Sword"}])
    offers = haggles(standing, trial, 0)
    assert [(offer.name, offer.mode, offer.price) for offer in offers] == [("captain", "points", 10 - standing.status)]
    haggled = try_basket(standing, [{"do": "buy", "item": "Sword", "haggle": HAGGLE}])
    assert haggled.lines[0].paid == offers[0].price
    assert haggles(standing, haggled, 0) == []


def test_a_favour_halves_one_hireling() -> None:
    warband = evolve(
        a_warband(**RICH), effects=(Effect(HALF_HIRELING), Effect(HALF_MOUNT), Effect("rarity_lasting", 10))
    )
    standing = a_standing(warband)
    order = {"do": "hire", "type": "Pit Brawler"}
    price = PACK.fighters["Pit Brawler"].price
    assert try_basket(standing, [order]).lines[0].paid == -(-price // 2)
    assert try_basket(standing, [{**order, "half": False}]).lines[0].paid == price


def test_a_special_market_has_its_own_price() -> None:
    army = PACK.armies["EoS"]
    special = evolve(army, market=(SpecialPrice(item="Sword", price="3", rarity=0),))
    pack: Pack = evolve(PACK, armies={**PACK.armies, "EoS": special})
    standing = a_standing(a_warband(), pack)
    orders = [{"do": "buy", "item": "Sword", "market": market} for market in ("special", "local")]
    assert [line.paid for line in try_basket(standing, orders).lines] == [3, 10]
    assert charged(a_warband(), orders, pack).treasury == 487


def test_several_prices_make_one_sum() -> None:
    trial = try_basket(a_standing(), [{"do": "buy", "item": "Sword", "amount": 3}])
    assert (trial.lines[0].working, trial.lines[0].paid) == ("3 x 10", 30)
    assert trial.sum == "− 30"


NONSENSE = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 120) | st.sampled_from(["Sword", "captain", "guards", "i1", "buy", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "fighter", "mode"]), inner),
    max_leaves=4,
)
ORDER = st.fixed_dictionaries(
    {"do": st.sampled_from(["buy", "sell", "recruit", "hire", "poison", "steal"])},
    optional=dict.fromkeys(("item", "amount", "market", "half", "haggle", "type", "models", "name", "into"), NONSENSE),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(ORDER, max_size=5))
def test_whatever_is_in_a_basket_it_is_tried_or_refused(orders: list[dict[str, Any]]) -> None:
    standing = a_standing()
    before = standing.state
    trial = try_basket(standing, orders)
    assert len(trial.lines) == len(orders)
    assert trial.state.treasury >= 0
    assert standing.state is before
