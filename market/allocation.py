"""Who carries what, tried out: legal places for a thing, reasons for the others, and what would be lost afterwards."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from market.basket import Order, Orders, Standing, Unthrown
from rules.engine.changes import STOCKPILE, FighterVanquished, ItemLost, ModelsChanged
from rules.engine.equipment import is_uneven, item_label
from rules.engine.errors import InputError, RuleViolation
from rules.engine.phases.allocation import DESTROY, allocation
from rules.engine.phases.warband import warband
from rules.engine.questions import Choices, Policy
from rules.engine.run import StepRun, resolve
from rules.engine.state import Fighter, Item, Warband

STEP, LAST = "allocation", "warband"


# Orders -------------------------------------------------------------------------------------------


def places(state: Warband) -> dict[str, str]:
    """Where each item is."""
    held = {item.id: STOCKPILE for item in state.stockpile}
    return held | {item.id: fighter.id for fighter in state.fighters.values() for item in fighter.items}


def settled(state: Warband, orders: Orders) -> list[dict[str, Any]]:
    """The same in the fewest orders: one for each thing that ends elsewhere than it began."""
    began = places(state)
    ends: dict[str, str | None] = {}
    for order in orders:
        item = str(order.get("item"))
        if item in began:
            ends[item] = None if order.get("do") == DESTROY else str(order.get("to", ""))
    moves = ((item, end) for item, end in ends.items() if end != began[item])
    return [{"do": DESTROY, "item": item} if end is None else {"item": item, "to": end} for item, end in moves]


def try_orders(standing: Standing, orders: Orders) -> Warband:
    """The warband after them; a refusal where the rules forbid any of it."""
    key = f"{standing.me}/{STEP}/orders"
    run = _run(standing, STEP, standing.warbands, Choices({key: [dict(order) for order in orders]}))
    try:
        resolve(allocation, run)
    except InputError as nonsense:
        raise RuleViolation("bad_order", nonsense.problem) from nonsense
    return run.state


def _run(standing: Standing, step: str, warbands: Mapping[str, Warband], choices: Choices) -> StepRun:
    return StepRun(
        step, warbands, standing.me, standing.battle, standing.pack, Unthrown(), choices, standing.settings, Policy()
    )


Loser = FighterVanquished | ItemLost | ModelsChanged


def losses(standing: Standing, after: Warband) -> list[Loser]:
    """What the warband phase would take if nothing else was done: models, fighters, and things with them."""
    run = _run(standing, LAST, {**standing.warbands, standing.me: after}, Choices())
    changes = resolve(warband, run).changes
    losing = (change for change in changes if isinstance(change, FighterVanquished | ItemLost | ModelsChanged))
    return [change for change in losing if not isinstance(change, ModelsChanged) or change.amount < 0]


# The board ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Thing:
    """Things of one kind in one place."""

    label: str
    detail: str
    ids: tuple[str, ...]
    is_moved: bool
    is_chosen: bool

    @property
    def first(self) -> str:
        return self.ids[0]

    @property
    def count(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class Target:
    """Whether somebody can take what was chosen: how many at once, or why not."""

    amounts: tuple[int, ...] = ()
    shut: str = ""


@dataclass(frozen=True)
class Holder:
    """The stockpile, which has no fighter, or a member with what it carries."""

    fighter: Fighter | None
    things: tuple[Thing, ...]
    target: Target | None

    @property
    def key(self) -> str:
        return self.fighter.id if self.fighter is not None else STOCKPILE

    @property
    def is_uneven(self) -> bool:
        return self.fighter is not None and is_uneven(self.fighter)

    @property
    def is_away(self) -> bool:
        return self.fighter is not None and bool(self.fighter.delayed or self.fighter.captive_of)


@dataclass(frozen=True)
class Board:
    holders: tuple[Holder, ...]
    chosen: Thing | None
    owner: str
    """Who holds what was chosen."""
    after: Warband

    @property
    def stockpile(self) -> Holder:
        return self.holders[0]

    @property
    def fighters(self) -> tuple[Holder, ...]:
        return self.holders[1:]


def board(standing: Standing, orders: Orders, chosen: str = "") -> Board:
    """As it stands with the orders so far; with something chosen, each holder says whether it can take it."""
    after = try_orders(standing, orders)
    began = places(standing.state)
    holders = [(fighter, tuple(_things(holder, items, began, chosen))) for fighter, holder, items in _holders(after)]
    found = [(fighter, thing) for fighter, things in holders for thing in things if thing.is_chosen]
    owner, thing = found[0] if found else (None, None)
    key = owner.id if owner is not None else STOCKPILE
    return Board(
        tuple(
            Holder(fighter, things, _target(standing, orders, thing, owner, fighter) if thing else None)
            for fighter, things in holders
        ),
        thing,
        key,
        after,
    )


def _holders(state: Warband) -> Iterator[tuple[Fighter | None, str, tuple[Item, ...]]]:
    yield None, STOCKPILE, state.stockpile
    for fighter in state.fighters.values():
        yield fighter, fighter.id, fighter.items


def _things(holder: str, items: Sequence[Item], began: Mapping[str, str], chosen: str) -> Iterator[Thing]:
    kinds: dict[tuple[str, tuple[str, ...], str], list[Item]] = {}
    for item in items:
        kinds.setdefault(item.kind, []).append(item)
    for alike in kinds.values():
        ids = tuple(item.id for item in alike)
        moved = any(began.get(key) != holder for key in ids)
        yield Thing(item_label(alike[0]), alike[0].detail, ids, moved, chosen in ids)


def _target(
    standing: Standing, orders: Orders, thing: Thing, owner: Fighter | None, taker: Fighter | None
) -> Target | None:
    """Nothing for who has it already."""
    if owner is taker:
        return None
    reason, amounts = "", []
    for amount in _amounts(thing, owner, taker):
        refused = _refusal(standing, [*orders, *moves(standing, thing, taker.id if taker else STOCKPILE, amount)])
        if not refused:
            amounts.append(amount)
        reason = reason or refused
    return Target(tuple(amounts), "" if amounts else reason)


def _amounts(thing: Thing, owner: Fighter | None, taker: Fighter | None) -> list[int]:
    """One; one for each model of a group, so that it stays equal; from a group or into the stockpile, all."""
    wanted = {1}
    for group in (owner, taker):
        if group is not None and group.models > 1:
            wanted.add(group.models)
    if taker is None:
        wanted.add(thing.count)
    return sorted((amount for amount in wanted if amount <= thing.count), reverse=True)


def moves(standing: Standing, thing: Thing, to: str, amount: int) -> list[Order]:
    """Of things that are alike, those go first that came from there."""
    began = places(standing.state)
    ids = sorted(thing.ids, key=lambda key: began.get(key) != to)
    return [{"item": key, "to": to} for key in ids[:amount]]


def _refusal(standing: Standing, orders: Orders) -> str:
    try:
        try_orders(standing, settled(standing.state, orders))
    except RuleViolation as refused:
        return refused.message
    return ""
