"""What presses on the market page make of a basket."""

from typing import Any

import pytest

from market.edits import LONGEST_NAME, MOST_ORDERS, edited
from rules.engine.errors import RuleViolation

SWORD = {"do": "buy", "item": "Sword"}


@pytest.mark.parametrize(
    ("do", "order"),
    [
        ("buy Sharpened Sword", {"do": "buy", "item": "Sharpened Sword"}),
        ("buy-local Sword", {"do": "buy", "item": "Sword", "market": "local"}),
        ("buy-special Sword", {"do": "buy", "item": "Sword", "market": "special"}),
        ("poison own", {"do": "poison"}),
        ("sell i7", {"do": "sell", "item": "i7"}),
        ("recruit Marshal", {"do": "recruit", "type": "Marshal"}),
        ("join f4", {"do": "recruit", "into": "f4"}),
        ("hire Pit Brawler", {"do": "hire", "type": "Pit Brawler"}),
    ],
)
def test_a_press_is_an_order(do: str, order: dict[str, Any]) -> None:
    assert edited([], do) == [order]


def test_the_same_again_is_one_more() -> None:
    assert edited(edited([], "buy Sword"), "buy Sword") == [{**SWORD, "amount": 2}]
    assert edited(edited([], "join f4"), "join f4") == [{"do": "recruit", "into": "f4", "models": 2}]


def test_a_second_hero_is_an_order_of_its_own() -> None:
    assert len(edited(edited([], "recruit Marshal"), "recruit Marshal")) == 2


def test_nothing_is_sold_twice() -> None:
    assert edited(edited([], "sell i7"), "sell i7") == [{"do": "sell", "item": "i7"}]


@pytest.mark.parametrize(
    ("do", "after"),
    [
        ("more 0", [{**SWORD, "amount": 2}]),
        ("fewer 0", []),
        ("remove 0", []),
        ("clear", []),
        ("haggle 0 f1 points", [{**SWORD, "haggle": [{"fighter": "f1", "mode": "points"}]}]),
        ("half 0 no", [{**SWORD, "half": False}]),
        ("half 0 yes", [SWORD]),
        ("plain 0", [SWORD]),
    ],
)
def test_a_line_changes(do: str, after: list[dict[str, Any]]) -> None:
    assert edited([SWORD], do) == after


def test_more_than_one_is_not_haggled_for() -> None:
    assert edited(edited([SWORD], "haggle 0 f1 points"), "more 0") == [{**SWORD, "amount": 2}]


def test_orders_change_places() -> None:
    axe = {"do": "buy", "item": "Axe"}
    assert edited([SWORD, axe], "move 1 0") == [axe, SWORD]


def test_a_recruit_gets_a_name_and_loses_it() -> None:
    named = edited([{"do": "recruit", "type": "Marshal"}], "name 0", "  Odile   Brandt ")
    assert named[0]["name"] == "Odile Brandt"
    assert edited(named, "name 0", "") == [{"do": "recruit", "type": "Marshal"}]
    with pytest.raises(RuleViolation, match="letters"):
        edited(named, "name 0", "x" * (LONGEST_NAME + 1))


@pytest.mark.parametrize(
    "do",
    ["", "buy", "steal Sword", "remove", "remove 1", "remove -1", "remove ²", "more x", "haggle 0 f1 force", "move 0 7",
     "name 0", "haggle 0"],
)  # fmt: skip
def test_other_presses_are_refused(do: str) -> None:
    with pytest.raises(RuleViolation, match="not in the basket"):
        edited([SWORD], do)


def test_a_basket_has_an_end() -> None:
    full = [{"do": "sell", "item": f"i{number}"} for number in range(MOST_ORDERS)]
    with pytest.raises(RuleViolation, match="full"):
        edited(full, "buy Sword")
    with pytest.raises(RuleViolation, match="At most 99"):
        edited([{**SWORD, "amount": 99}], "more 0")
