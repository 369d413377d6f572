"""What a warband could sell: out of the stockpile and out of its members' hands, each at half of its price."""

from collections.abc import Iterator
from dataclasses import dataclass

from market.basket import Trial
from market.words import half
from rules.engine.changes import STOCKPILE
from rules.engine.equipment import item_label
from rules.engine.errors import RuleViolation
from rules.engine.prices import Sum, sale
from rules.engine.stall import within_reach
from rules.engine.state import Item, Warband


@dataclass(frozen=True)
class Sale:
    """Things of one kind in one place."""

    label: str
    detail: str
    price: Sum | None
    left: tuple[str, ...]
    """Ids of those that are not in the basket."""
    sold: int
    shut: str = ""

    @property
    def working(self) -> str:
        return half(self.price.working) if self.price is not None else ""

    @property
    def do(self) -> str:
        return f"sell {self.left[0]}" if self.left else ""


@dataclass(frozen=True)
class Heap:
    """The stockpile, which has no name, or somebody's things."""

    holder: str
    name: str
    sales: tuple[Sale, ...]


def heaps(trial: Trial, query: str = "") -> list[Heap]:
    """As it was before the basket: what is bought in this phase cannot be sold in it."""
    before = trial.standing.state
    basket = {line.order.get("item") for line in trial.lines if line.order.get("do") == "sell"}
    found = [Heap(holder, name, tuple(_sales(trial, holder, items, basket))) for holder, name, items in _held(before)]
    wanted = query.strip().lower()
    named = [
        Heap(heap.holder, heap.name, tuple(one for one in heap.sales if wanted in one.label.lower())) for heap in found
    ]
    return [heap for heap in named if heap.sales]


def _held(state: Warband) -> Iterator[tuple[str, str, tuple[Item, ...]]]:
    yield STOCKPILE, "", state.stockpile
    for fighter in state.fighters.values():
        yield fighter.id, fighter.name, fighter.items


def _sales(trial: Trial, holder: str, items: tuple[Item, ...], basket: set[object]) -> Iterator[Sale]:
    kinds: dict[tuple[str, tuple[str, ...], str], list[Item]] = {}
    for item in items:
        kinds.setdefault(item.kind, []).append(item)
    for alike in kinds.values():
        left = tuple(item.id for item in alike if item.id not in basket)
        price, shut = _price(trial, holder, alike[0])
        yield Sale(item_label(alike[0]), alike[0].detail, price, left, len(alike) - len(left), shut)


def _price(trial: Trial, holder: str, item: Item) -> tuple[Sum | None, str]:
    standing = trial.standing
    try:
        price = sale(item, standing.status, standing.pack)
        within_reach(standing.state, holder, item)
    except RuleViolation as refused:
        return None, refused.message
    return price, ""
