"""Step 9: things change hands between members and the stockpile (16.8).

Orders are `{item: i3, to: f1}` with the empty name for the stockpile, or `{do: destroy, item: i3}`. They are
carried out one after the other, and what everybody then carries is looked at once, at the end.
"""

from collections.abc import Mapping
from typing import Any

from rules.engine import acts
from rules.engine.changes import STOCKPILE, ItemMoved
from rules.engine.equipment import is_foreign, is_uneven, item_label, mount_allowed, new_breaches
from rules.engine.errors import InputError, RuleViolation
from rules.engine.questions import ORDERS, Question
from rules.engine.run import StepRun
from rules.engine.stall import find_item, within_reach
from rules.engine.state import HIRELING, Fighter, Item
from rules.engine.traits import belongings

MOVE, DESTROY = "move", "destroy"
ALLOCATED, DESTROYED = "allocated", "destroyed"
FOREIGN, NO_RIDER = "another army's market", "nobody can ride it"
"""Causes of changes."""

Order = Mapping[str, Any]


def allocation(run: StepRun) -> None:
    """What cannot stay is destroyed first, then the player's orders are carried out."""
    if run.settings.only_injury_and_warband:
        return
    _destroy_forbidden(run)
    key = run.key("orders")
    things = run.state.stockpile or any(fighter.items for fighter in run.state.fighters.values())
    if things or key in run.choices.answers:
        orders = run.ask_orders(Question(key, "allocate", ORDERS, default=[]))
        if orders:
            _carry_out(run, orders, key)
    for fighter in run.state.fighters.values():
        if is_uneven(fighter):
            run.note("uneven group", fighter.id)


def _destroy_forbidden(run: StepRun) -> None:
    """What only other armies sell is destroyed, and a mount that nobody may ride is gone (16.8, 17.7.6)."""
    state = run.state
    held = [(STOCKPILE, state.stockpile)]
    held += [
        (fighter.id, belongings(fighter, run.pack).unusual)
        for fighter in state.fighters.values()
        if fighter.items and fighter.kind != HIRELING
    ]
    for holder, items in held:
        for item in items:
            cause = _forbidden(run, item)
            if cause:
                acts.destroy(run, holder, item, cause)


def _forbidden(run: StepRun, item: Item) -> str:
    if is_foreign(item, run.state.army, run.pack):
        return FOREIGN
    entry = run.pack.items.get(item.name)
    is_mount = entry is not None and entry.category == "mount"
    return NO_RIDER if is_mount and not mount_allowed(item.name, run.state, run.pack) else ""


def _carry_out(run: StepRun, orders: list[dict[str, Any]], key: str) -> None:
    before = run.state.fighters
    for place, order in enumerate(orders):
        _order(run, order, f"{key}[{place}]")
    for fighter, then in before.items():
        now = run.fighter(fighter)
        if now is not then:
            _refuse_breaches(run, then, now)


def _refuse_breaches(run: StepRun, before: Fighter, after: Fighter) -> None:
    for breach in new_breaches(before, after, run.pack):
        raise RuleViolation(breach.code, breach.sentence)


def _order(run: StepRun, order: Order, where: str) -> None:
    known = ("do", "item", "from", "to")
    for field in order:
        if field not in known:
            raise InputError(where, f"{field!r} is no part of this order", ", ".join(known))
    what = order.get("do", MOVE)
    holder, item = find_item(run.state, order.get("item"), where)
    if order.get("from", holder) != holder:
        raise InputError(where, f"{order['from']!r} does not hold {item.id}", holder or "the stockpile")
    if what == DESTROY:
        _destroy(run, holder, item)
    elif what == MOVE:
        _move(run, holder, item, order, where)
    else:
        raise InputError(where, f"{what!r} is no order", f"{MOVE} or {DESTROY}")


def _destroy(run: StepRun, holder: str, item: Item) -> None:
    """The one thing that can be done to a hireling's equipment."""
    if holder and run.fighter(holder).kind != HIRELING:
        within_reach(run.state, holder, item)
    acts.destroy(run, holder, item, DESTROYED)


def _move(run: StepRun, holder: str, item: Item, order: Order, where: str) -> None:
    taker = order.get("to")
    if not isinstance(taker, str) or (taker != STOCKPILE and taker not in run.state.fighters):
        raise InputError(where, f"{taker!r} is no holder", "a fighter, or nothing for the stockpile")
    within_reach(run.state, holder, item)
    if taker == holder:
        return
    if taker != STOCKPILE:
        _is_here(run.fighter(taker), item)
    run.change(ItemMoved(run.me, item, holder, taker, ALLOCATED))


def _is_here(fighter: Fighter, item: Item) -> None:
    """Who is delayed or held captive is given nothing (ruling 109)."""
    if fighter.delayed or fighter.captive_of:
        raise RuleViolation("not_here", f"{fighter.name} is not here to be given {item_label(item)}.")
