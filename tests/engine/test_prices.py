import csv
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine import prices
from rules.engine.battle import Battle, Participant
from rules.engine.changes import unfold
from rules.engine.dice import SeededDice
from rules.engine.equipment import is_foreign
from rules.engine.errors import InputError, RuleViolation
from rules.engine.offers import offers, recruits
from rules.engine.pack.load import load_packs
from rules.engine.pack.schema import Army, Item, Pack, SpecialPrice
from rules.engine.phases.allocation import allocation
from rules.engine.phases.trading import trading
from rules.engine.prices import Sum, quote, recruit_quote, sale
from rules.engine.questions import Choices, Policy
from rules.engine.run import StepRun, resolve
from rules.engine.state import Effect, Fighter, Warband, evolve
from rules.engine.state import Item as Thing

CHART = Path(__file__).parents[1] / "golden" / "transcription" / "items.csv"
STATUS = st.integers(1, 6)


@cache
def pack() -> Pack:
    return load_packs()


def chart() -> list[dict[str, str]]:
    with CHART.open() as file:
        return [row for row in csv.DictReader(file) if row["price_base"]]


def wares() -> list[tuple[str, tuple[str, ...]]]:
    """Everything that can be bought, upgraded items included."""
    found: list[tuple[str, tuple[str, ...]]] = [(name, ()) for name, entry in pack().items.items() if entry.price]
    found += [(name, ()) for name, entry in pack().upgrades.items() if not entry.inbuilt]
    found += [
        (name, (upgrade.name,))
        for upgrade in pack().upgrades.values()
        for name in pack().items
        if upgrade.inbuilt and prices.fits(upgrade.name, name, pack())
    ]
    return found


def worked_out(working: str) -> float:
    return float(eval(working.replace("x", "*"), {"__builtins__": {}}))


@pytest.mark.parametrize("row", chart(), ids=lambda row: row["name"])
def test_18_every_price_and_rarity_of_the_chart(row: dict[str, str]) -> None:
    name = {"Liquor Flash": "Liquor Flask"}.get(row["name"], row["name"])
    for status in range(1, 7):
        found = quote(name, (), status, pack())
        assert found.price.total == int(row["price_base"]) + int(row["price_ms"]) * status
        assert found.rarity.total == int(row["rarity"])


def test_16_7_1_a_price_shows_its_working() -> None:
    assert str(quote("Trident", (), 4, pack()).price) == "15 + 2 x 4 = 23"
    assert str(quote("Sword", (), 4, pack()).price) == "10"
    assert str(quote("Pike", ("Lucky",), 4, pack()).price) == "15 + 3 x 15 = 60"
    assert str(quote("Brass Knuckle", (), 3, pack()).price) == "12 + 3 = 15"


@given(st.sampled_from(wares()), STATUS)
def test_16_7_1_the_working_gives_the_total(ware: tuple[str, tuple[str, ...]], status: int) -> None:
    price = quote(*ware, status, pack()).price
    assert ceil(worked_out(price.working)) == price.total


@given(st.sampled_from(wares()), st.integers(1, 5))
def test_16_7_1_a_higher_status_never_makes_anything_cheaper(ware: tuple[str, tuple[str, ...]], status: int) -> None:
    assert quote(*ware, status, pack()).price.total <= quote(*ware, status + 1, pack()).price.total


@given(st.sampled_from(wares()))
def test_16_7_4_a_joint_rarity_is_the_higher_one_or_one_more(ware: tuple[str, tuple[str, ...]]) -> None:
    name, upgrades = ware
    rarity = quote(name, upgrades, 1, pack()).rarity.total
    entry = pack().items.get(name) or pack().upgrades[name]
    parts = [entry.rarity, *(pack().upgrades[upgrade].rarity for upgrade in upgrades)]
    both = len(parts) > 1 and all(parts)
    assert rarity == min(18, max(parts) + both)


def test_16_7_4_a_joint_rarity_stops_at_18() -> None:
    rare = msgspec.structs.replace(pack().items["Sword"], rarity=18)
    assert quote("Sword", ("Sharpened",), 1, _with_items(rare)).rarity == Sum(18, "18")


def _with_items(*items: Item) -> Pack:
    return msgspec.structs.replace(pack(), items=pack().items | {item.name: item for item in items})


@given(st.sampled_from(wares()), STATUS)
def test_16_7_4_a_sale_brings_half_of_the_whole_price(ware: tuple[str, tuple[str, ...]], status: int) -> None:
    thing = Thing("i1", *ware)
    if prices.why_not_sold(thing, pack()) is None:
        assert sale(thing, status, pack()).total == quote(*ware, status, pack()).price.total // 2


@given(st.sampled_from(wares()), STATUS)
def test_17_6_6_haggling_never_costs_more_and_never_pays(ware: tuple[str, tuple[str, ...]], status: int) -> None:
    whole = quote(*ware, status, pack())
    assert 0 <= prices.cheaper(whole, status).price.total <= whole.price.total
    assert quote(*ware, prices.lowered(status), pack()).price.total <= whole.price.total


@pytest.mark.parametrize(("number", "half"), [(0, 0), (1, 1), (9, 5), (10, 5)])
def test_ruling_50_halves_are_rounded_up(number: int, half: int) -> None:
    assert prices.halved(Sum(number, str(number))).total == half


@pytest.mark.parametrize(
    ("experience", "price", "rarity"), [(0, 20, 0), (1, 22, 1), (4, 28, 4), (2.5, 25, 3), (0.5, 21, 1)]
)
def test_16_7_3_recruits_into_a_group(experience: float, price: int, rarity: int) -> None:
    entry = pack().fighters["Spearman"]
    group = Fighter("g", "Spears", "henchmen", "Spearman", "Human", {}, experience=experience)
    found = recruit_quote(entry, group)
    assert (found.price.total, found.rarity.total) == (price, rarity)
    assert worked_out(found.price.working) == price


def test_16_7_3_a_rarity_of_the_type_itself_is_not_lost_in_a_group() -> None:
    entry = msgspec.structs.replace(pack().fighters["Spearman"], rarity=5)
    group = Fighter("g", "Spears", "henchmen", "Spearman", "Human", {}, experience=2)
    assert recruit_quote(entry, group).rarity.total == 5
    assert recruit_quote(entry).rarity.total == 5


# Special markets ----------------------------------------------------------------------------------

HORN = Item(name="Herd Horn", category="misc")


def herds() -> tuple[Pack, Army]:
    """Beast Herds with a market of their own: a thing of theirs, a cheaper Beast Axe and cheap lucky weapons."""
    market = (
        SpecialPrice(item="Herd Horn", price="20+MS", rarity=4),
        SpecialPrice(item="Beast Axe", price="30", rarity=6),
        SpecialPrice(item="Lucky", price="5+2xPrice", rarity=7),
    )
    army = msgspec.structs.replace(pack().armies["BH"], market=market)
    extended = _with_items(HORN)
    return msgspec.structs.replace(extended, armies=pack().armies | {"BH": army}), army


def test_16_7_4_a_special_market_goes_before_the_local_one() -> None:
    extended, army = herds()
    found = quote("Beast Axe", (), 4, extended, army)
    assert (found.price.total, found.rarity.total, found.market) == (30, 6, "special")


def test_16_7_4_the_local_market_can_be_chosen() -> None:
    extended, army = herds()
    found = quote("Beast Axe", (), 4, extended, army, "local")
    assert (found.price.total, found.rarity.total, found.market) == (48, 12, "local")


def test_16_7_4_upgrades_build_on_the_special_price_and_may_have_one() -> None:
    extended, army = herds()
    assert quote("Club", ("Lucky",), 4, extended, army).price.total == 11
    assert quote("Club", ("Lucky",), 4, extended).price.total == 24


def test_16_7_4_what_only_a_special_market_has_is_sold_to_nobody_else_and_not_bought_back() -> None:
    extended, army = herds()
    assert quote("Herd Horn", (), 3, extended, army).price.total == 23
    with pytest.raises(RuleViolation, match="not sold on this market"):
        quote("Herd Horn", (), 3, extended, pack().armies["EoS"])
    with pytest.raises(RuleViolation, match="no price on the local market"):
        sale(Thing("i1", "Herd Horn"), 3, extended)


def test_16_7_4_a_sale_knows_the_local_price_only() -> None:
    extended, _ = herds()
    assert sale(Thing("i1", "Beast Axe"), 4, extended).total == 24


def test_16_8_what_only_other_armies_sell_is_destroyed_in_the_allocation_phase() -> None:
    extended, _ = herds()
    assert is_foreign(Thing("i1", "Herd Horn"), "EoS", extended)
    assert not is_foreign(Thing("i1", "Herd Horn"), "BH", extended)
    assert not is_foreign(Thing("i1", "Beast Axe"), "EoS", extended)
    assert not is_foreign(Thing("i1", "Fey Cloak"), "EoS", extended)
    things = (Thing("i1", "Herd Horn"), Thing("i2", "Sword"))
    for army, left in (("EoS", ["Sword"]), ("BH", ["Herd Horn", "Sword"])):
        state = Warband("W", "W", army, stockpile=things)
        run = StepRun("allocation", {"W": state}, "W", BATTLE, extended, SeededDice(b"x"), policy=Policy())
        assert resolve(allocation, run).complete
        assert [item.name for item in run.state.stockpile] == left


# Parsing ------------------------------------------------------------------------------------------


@given(st.sampled_from(wares()))
def test_a_label_is_read_back(ware: tuple[str, tuple[str, ...]]) -> None:
    assert prices.split_label(prices.label(*ware), pack(), "test") == ware
    assert prices.parse_ware({"name": ware[0], "upgrades": list(ware[1])}, pack(), "test") == ware


@pytest.mark.parametrize(
    "nonsense", ["Vorpal Blade", {"name": "Nothing"}, {"name": "Sword", "upgrades": ["Pink"]}, 7, {}]
)
def test_a_ware_that_is_none_is_refused(nonsense: object) -> None:
    with pytest.raises(InputError):
        prices.parse_ware(nonsense, pack(), "test")


# Offers -------------------------------------------------------------------------------------------

BATTLE = Battle("b1", {"W": Participant("W")})


def sonnstahl(**fields: Any) -> Warband:
    """A small warband of the Empire."""
    made = {
        name: Fighter(name, name, entry.kind, entry.name, entry.species, dict(entry.profile), models)
        for name, entry, models in (
            ("cap", pack().fighters["Marshal"], 1),
            ("ser", pack().fighters["Guard Sergeant"], 1),
            ("spears", pack().fighters["Spearman"], 2),
        )
    }
    return Warband("W", "W", "EoS", leader="cap", fighters=made, **fields)


def test_offers_say_what_can_be_bought_and_why_not() -> None:
    state = sonnstahl(treasury=30)
    found = {prices.label(offer.name, offer.upgrades): offer for offer in offers(state, pack(), 4, 10)}
    assert found["Sword"].refusal == ""
    assert found["Heavy Armour"].refusal == "too_expensive"
    assert found["Shotgun"].refusal == "too_rare"
    assert found["Sharpened Sword"].refusal == "too_rare"
    assert found["Bayonet"].category == "upgrade"
    assert "Fey Cloak" not in found
    assert "Raptor" not in found
    assert found["Riding Horse"].quote.price.total == 52


def test_offers_know_addicts_and_finds() -> None:
    state = sonnstahl(treasury=100, effects=(Effect("half_price_mount", 1),))
    addict = evolve(state.fighters["ser"], addictions=("Mad Mushroom",))
    state = evolve(state, fighters={**state.fighters, "ser": addict})
    found = {offer.name: offer.quote for offer in offers(state, pack(), 3, 10, upgraded=False)}
    assert (found["Riding Horse"].price.total, found["Riding Horse"].rarity.total) == (25, 4)
    assert (found["Mad Mushroom"].price.total, found["Mad Mushroom"].rarity.total) == (29, 5)


def test_recruits_name_types_groups_and_reasons() -> None:
    state = sonnstahl(treasury=45)
    found = {(offer.type, offer.into): offer for offer in recruits(state, pack(), 8)}
    assert found["Marshal", ""].refusal == "too_many_of_type"
    assert found["Guard Sergeant", ""].refusal == ""
    assert found["Spearman", "spears"].refusal == ""
    assert found["Elf Scout", ""].refusal == "too_rare"
    assert found["Pit Brawler", ""].refusal == "too_expensive"
    assert ("Wildhorn", "") not in found


# Playing ------------------------------------------------------------------------------------------

ORDERS = st.lists(
    st.one_of(
        st.builds(
            lambda ware, amount: {"do": "buy", "item": prices.label(*ware), "amount": amount},
            st.sampled_from(wares()),
            st.integers(1, 2),
        ),
        st.builds(lambda number: {"do": "sell", "item": f"i{number}"}, st.integers(1, 6)),
        st.builds(
            lambda name, models: {"do": "recruit", "type": name, "models": models},
            st.sampled_from(sorted(pack().fighters)),
            st.integers(1, 3),
        ),
        st.just({"do": "recruit", "into": "spears"}),
    ),
    max_size=6,
)


@given(ORDERS, st.integers(0, 400), st.binary(min_size=1, max_size=4))
def test_16_7_no_orders_break_the_treasury_the_pool_or_the_ledger(
    orders: list[dict[str, Any]], treasury: int, seed: bytes
) -> None:
    before = sonnstahl(treasury=treasury, stockpile=(Thing("i1", "Trident"), Thing("i2", "Sword")), next_id=3)
    played = _play_while_legal(before, orders, SeededDice(seed))
    assert played.state.treasury >= 0
    assert 0 <= played.state.rarity_pool <= 18
    assert played.state.model_count <= pack().armies["EoS"].largest
    assert unfold(played.state, played.changes) == before


def _play_while_legal(state: Warband, orders: list[dict[str, Any]], dice: SeededDice) -> StepRun:
    """The longest start of the orders that the rules allow."""
    for end in range(len(orders), -1, -1):
        choices = Choices({"W/trading/orders": orders[:end]})
        run = StepRun("trading", {"W": state}, "W", BATTLE, pack(), dice, choices, policy=Policy())
        try:
            assert resolve(trading, run).complete
        except (RuleViolation, InputError):
            continue
        return run
    raise AssertionError("no orders at all are always legal")
