"""What a press on the market page does to a basket: plain orders in, plain orders out."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _

from market.basket import HAGGLED, HIRE, POISON, RECRUIT, Orders, haggling, moved
from rules.engine.errors import RuleViolation
from rules.engine.prices import HAGGLES, LOCAL, SPECIAL
from rules.engine.stall import MOST_AT_ONCE
from rules.texts import plain_line

MOST_ORDERS = 60
"""Of a basket; who wants more pays twice."""
LONGEST_NAME = 80

Basket = list[dict[str, Any]]


def edited(orders: Orders, do: str, name: str = "") -> Basket:
    """`do` is what a button carries: `buy Sharpened Sword`, `more 2`, `haggle 0 f3 points`."""
    basket: Basket = [dict(order) for order in orders]
    verb, _space, rest = do.partition(" ")
    if verb == "clear":
        return []
    if verb in _ADDS and rest:
        return _added(basket, _ADDS[verb](rest))
    if verb not in _CHANGES:
        raise _unknown()
    place, _space, detail = rest.partition(" ")
    if not place.isdecimal() or int(place) >= len(basket):
        raise _unknown()
    return _CHANGES[verb](basket, int(place), name if verb == "name" else detail)


def _unknown() -> RuleViolation:
    return RuleViolation("no_such_order", _("This is not in the basket any more. Look at it again."))


# New orders ---------------------------------------------------------------------------------------

_ADDS: dict[str, Callable[[str], dict[str, Any]]] = {
    "buy": lambda item: {"do": "buy", "item": item},
    "buy-local": lambda item: {"do": "buy", "item": item, "market": LOCAL},
    "buy-special": lambda item: {"do": "buy", "item": item, "market": SPECIAL},
    "poison": lambda _any: {"do": POISON},
    "sell": lambda item: {"do": "sell", "item": item},
    "recruit": lambda kind: {"do": RECRUIT, "type": kind},
    "join": lambda group: {"do": RECRUIT, "into": group},
    "hire": lambda kind: {"do": HIRE, "type": kind},
}
_COUNTED = {"buy": "amount", POISON: "amount", RECRUIT: "models"}
_COUNTS = ("amount", "models")


def _added(basket: Basket, order: dict[str, Any]) -> Basket:
    """One more of what is in the basket already, or a line of its own; nothing is sold twice."""
    for place, other in enumerate(basket):
        if {key: value for key, value in other.items() if key not in _COUNTS} == order:
            if order["do"] in _COUNTED and not _is_new_member(order):
                return _more(basket, place, "")
            if order["do"] == "sell":
                return basket
    if len(basket) >= MOST_ORDERS:
        raise RuleViolation("basket_full", _("The basket is full. Pay for it first."))
    return [*basket, order]


def _is_new_member(order: dict[str, Any]) -> bool:
    """A second recruit of a type is a member of its own; whether it can be in one group is for the line to say."""
    return order["do"] == RECRUIT and "into" not in order


# Changes of a line --------------------------------------------------------------------------------


def _more(basket: Basket, place: int, _detail: str, by: int = 1) -> Basket:
    field = _COUNTED.get(str(basket[place].get("do")))
    if field is None:
        raise _unknown()
    amount = int(basket[place].get(field, 1)) + by
    if amount < 1:
        return _without(basket, place, "")
    if amount > MOST_AT_ONCE:
        raise RuleViolation("too_many", _("At most %(most)s at once.") % {"most": MOST_AT_ONCE})
    changed = {**basket[place], field: amount}
    if amount > 1:
        changed.pop("haggle", None)
    return _replaced(basket, place, changed)


def _fewer(basket: Basket, place: int, detail: str) -> Basket:
    return _more(basket, place, detail, by=-1)


def _without(basket: Basket, place: int, _detail: str) -> Basket:
    return [order for number, order in enumerate(basket) if number != place]


def _replaced(basket: Basket, place: int, order: dict[str, Any]) -> Basket:
    return [order if number == place else other for number, other in enumerate(basket)]


def _move(basket: Basket, place: int, to: str) -> Basket:
    if not to.isdecimal() or int(to) >= len(basket):
        raise _unknown()
    return [dict(order) for order in moved(basket, place, int(to))]


def _haggle(basket: Basket, place: int, detail: str) -> Basket:
    fighter, _space, mode = detail.partition(" ")
    if mode not in HAGGLES or basket[place].get("do") not in HAGGLED:
        raise _unknown()
    given = [*haggling(basket[place]), {"fighter": fighter, "mode": mode}]
    return _replaced(basket, place, {**basket[place], "haggle": given})


def _plainly(basket: Basket, place: int, _detail: str) -> Basket:
    return _replaced(basket, place, {key: value for key, value in basket[place].items() if key != "haggle"})


def _at_half(basket: Basket, place: int, detail: str) -> Basket:
    """A favour is used for this, or saved for something else."""
    order = {key: value for key, value in basket[place].items() if key != "half"}
    return _replaced(basket, place, {**order, "half": False} if detail == "no" else order)


def _named(basket: Basket, place: int, name: str) -> Basket:
    if basket[place].get("do") not in (RECRUIT, HIRE) or "into" in basket[place]:
        raise _unknown()
    order = {key: value for key, value in basket[place].items() if key != "name"}
    given = plain_line(name)
    if len(given) > LONGEST_NAME:
        raise RuleViolation("long_name", _("A name has at most %(most)s letters.") % {"most": LONGEST_NAME})
    return _replaced(basket, place, {**order, "name": given} if given else order)


_CHANGES: dict[str, Callable[[Basket, int, str], Basket]] = {
    "more": _more,
    "fewer": _fewer,
    "remove": _without,
    "move": _move,
    "haggle": _haggle,
    "plain": _plainly,
    "half": _at_half,
    "name": _named,
}
