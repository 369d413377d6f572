"""Orders at the market: buy, sell, recruit, hire, and the coatings of a master of poison (16.7).

- `{do: buy, item: Sharpened Sword, amount: 1, market: local, half: true, haggle: {fighter: f1, mode: points}}`
- `{do: poison, amount: 2}`
- `{do: sell, item: i7}`
- `{do: recruit, type: Spearmen, models: 3, name: The Third}` or `{do: recruit, into: f4, models: 1}`
- `{do: hire, type: Pit Brawler, name: Rolf, half: false}`
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from rules.engine import acts, prices
from rules.engine.casting import initiated
from rules.engine.changes import STOCKPILE, ItemLost, ModelsChanged, WarbandSet
from rules.engine.equipment import item_label, mount_allowed, starting_wares
from rules.engine.errors import InputError, RuleViolation
from rules.engine.legality import recruit_refusal
from rules.engine.pack.schema import Army, FighterType
from rules.engine.prices import Quote
from rules.engine.run import StepRun
from rules.engine.state import HENCHMEN, HIRELING, Effect, Fighter, Item, Warband, evolve
from rules.engine.traits import has_skill

BOUGHT, SOLD, RECRUITED = "bought", "sold", "recruited"
"""Causes of changes."""

HALF_HIRELING, HALF_MOUNT = "half_price_hireling", "half_price_mount"

COATING, COATING_PRICE = "Wolfsbane Coating", 15
"""What a master of poison makes, at a price that no market status changes (17.6.2, ruling 52)."""

MOST_AT_ONCE = 99
"""Of an order; who wants more gives two."""

Order = Mapping[str, Any]


class Stall:
    """One warband at the market: what is still open to it in this phase."""

    def __init__(self, run: StepRun, status: int, coatings: int) -> None:
        self.run = run
        self.status = status
        self.coatings = coatings
        self.doses = doses(run.state)
        self.haggled: set[str] = set()
        self.fresh: set[str] = set()
        """Ids of what came in this phase, with recruits too, and so cannot be sold in it (ruling 117)."""

    @property
    def army(self) -> Army | None:
        """The warband's army, if a pack knows it."""
        return self.run.pack.armies.get(self.run.state.army)

    def facts(self) -> dict[str, Any]:
        """What a page needs to ask for orders."""
        state = self.run.state
        return {
            "market_status": self.status,
            "rarity_pool": state.rarity_pool,
            "treasury": state.treasury,
            "coatings": self.coatings,
            "doses": dict(self.doses),
            "hagglers": [fighter.id for fighter in state.present() if has_skill(fighter, "Haggle", self.run.pack)],
            "half_price": [effect.name for effect in state.effects if effect.name in (HALF_HIRELING, HALF_MOUNT)],
        }

    def carry_out(self, order: Order, where: str) -> None:
        """One order, refused as a whole if any of it is not allowed."""
        handler = _HANDLERS.get(str(order.get("do")))
        if handler is None:
            raise InputError(where, f"{order.get('do')!r} is no order", ", ".join(_HANDLERS))
        known = {"do", *_FIELDS[str(order["do"])]}
        for field in order:
            if field not in known:
                raise InputError(where, f"{field!r} is no part of this order", ", ".join(sorted(known)))
        for field, kind, allowed in (("half", bool, "true or false"), ("name", str, "a text")):
            if not isinstance(order.get(field), kind | None):
                raise InputError(where, f"{order[field]!r} is no {field}", allowed)
        handler(self, order, where)

    def pay_for(self, quote: Quote, cause: str) -> None:
        """The pool must be as high as the rarity and falls by half of it; the treasury never falls below nothing."""
        run, pool = self.run, self.run.state.rarity_pool
        if quote.rarity.total > pool:
            sentence = f"{quote.label} has rarity {quote.rarity.total} and the rarity pool is {pool}."
            raise RuleViolation("too_rare", sentence)
        if quote.price.total > run.state.treasury:
            sentence = f"{quote.label} costs {quote.price.total} points and the treasury holds {run.state.treasury}."
            raise RuleViolation("too_expensive", sentence)
        acts.pay(run, -quote.price.total, f"{cause}: {quote.label}, {quote.price}")
        if quote.pool_loss:
            run.change(WarbandSet(run.me, "rarity_pool", pool, pool - quote.pool_loss, f"{cause}: {quote.label}"))

    def use_up(self, effect: Effect) -> None:
        """A favour is used once."""
        acts.end_effect(self.run, effect, "used")


def doses(warband: Warband) -> Counter[str]:
    """For each drug how many doses are had at half rarity: one for each member that is addicted to it (17.7.5.1)."""
    return Counter(drug for fighter in warband.present() for drug in fighter.addictions)


# Buying -------------------------------------------------------------------------------------------


def _buy(stall: Stall, order: Order, where: str) -> None:
    name, upgrades = prices.parse_ware(order.get("item"), stall.run.pack, where)
    amount = _whole(order, "amount", where)
    if amount > 1 and "haggle" in order:
        raise InputError(where, "haggling is about a single item", "amount 1")
    entry = stall.run.pack.items.get(name)
    is_mount = entry is not None and entry.category == "mount"
    if is_mount and not mount_allowed(name, stall.run.state, stall.run.pack):
        raise RuleViolation("mount_not_allowed", f"Nobody in this warband can ever ride {name}.")
    modes, market = _haggle(stall, order, where), _market(order, where)
    for _ in range(amount):
        quote = prices.quote(name, upgrades, _haggled_status(stall, modes), stall.run.pack, stall.army, market)
        if is_mount:
            quote = _favoured(stall, quote, HALF_MOUNT, order)
        if stall.doses[name] > 0:
            stall.doses[name] -= 1
            quote = prices.at_half_rarity(quote)
        _take(stall, _talked_down(stall, quote, modes), name, upgrades)


def _market(order: Order, where: str) -> str:
    market = order.get("market", "")
    if market not in ("", prices.LOCAL, prices.SPECIAL):
        raise InputError(where, f"{market!r} is no market", f"{prices.LOCAL} or {prices.SPECIAL}")
    return str(market)


def _haggled_status(stall: Stall, modes: list[str]) -> int:
    status = stall.status
    for _ in range(modes.count(prices.STATUS)):
        status = prices.lowered(status)
    return status


def _talked_down(stall: Stall, quote: Quote, modes: list[str]) -> Quote:
    for _ in range(modes.count(prices.POINTS)):
        quote = prices.cheaper(quote, _haggled_status(stall, modes))
    return quote


def _take(stall: Stall, quote: Quote, name: str, upgrades: tuple[str, ...]) -> None:
    stall.pay_for(quote, BOUGHT)
    stall.fresh |= {item.id for item in acts.stock(stall.run, name, upgrades, 1, BOUGHT)}


def _favoured(stall: Stall, quote: Quote, effect_name: str, order: Order) -> Quote:
    """At half price and rarity, once, if a find allows it and the player does not save it (ruling 116)."""
    effect = stall.run.state.effect(effect_name)
    if effect is None or order.get("half") is False:
        if order.get("half") is True:
            raise RuleViolation("no_half_price", "There is nothing that would halve this price.")
        return quote
    stall.use_up(effect)
    return prices.at_half_price(quote)


def _haggle(stall: Stall, order: Order, where: str) -> list[str]:
    """The ways in which members haggle for this item, each of them once a phase (17.6.6, ruling 114)."""
    given = order.get("haggle", [])
    modes = []
    for entry in [given] if isinstance(given, dict) else given if isinstance(given, list) else [given]:
        if not isinstance(entry, dict) or entry.get("mode") not in prices.HAGGLES:
            raise InputError(where, f"{entry!r} is no haggling", "fighter, and mode points or status")
        _haggler(stall, entry.get("fighter"), where)
        modes.append(str(entry["mode"]))
    return modes


def _haggler(stall: Stall, key: Any, where: str) -> None:
    fighter = stall.run.state.fighters.get(str(key))
    if fighter is None:
        raise InputError(where, f"{key!r} is no fighter", ", ".join(stall.run.state.fighters))
    if fighter.delayed or fighter.captive_of:
        raise RuleViolation("not_here", f"{fighter.name} is not here to haggle.")
    if not has_skill(fighter, "Haggle", stall.run.pack):
        raise RuleViolation("no_haggle", f"{fighter.name} cannot haggle.")
    if fighter.id in stall.haggled:
        raise RuleViolation("haggled_already", f"{fighter.name} has haggled in this phase already.")
    stall.haggled.add(fighter.id)


def _poison(stall: Stall, order: Order, where: str) -> None:
    amount = _whole(order, "amount", where)
    if amount > stall.coatings:
        raise RuleViolation("no_coatings", f"There are {stall.coatings} coatings to be had, not {amount}.")
    price = prices.Sum(COATING_PRICE, str(COATING_PRICE))
    modes = _haggle(stall, order, where)
    if amount > 1 and modes:
        raise InputError(where, "haggling is about a single item", "amount 1")
    for _ in range(amount):
        stall.coatings -= 1
        quote = Quote(COATING, price, prices.Sum(0, "0"))
        _take(stall, _talked_down(stall, quote, modes), COATING, ())


# Selling ------------------------------------------------------------------------------------------


def _sell(stall: Stall, order: Order, where: str) -> None:
    """At half of the local price, out of the stockpile or out of a member's hands (16.7.4)."""
    holder, item = find_item(stall.run.state, order.get("item"), where)
    if item.id in stall.fresh:
        raise RuleViolation("bought_now", f"{item_label(item)} came in this phase and cannot be sold in it.")
    within_reach(stall.run.state, holder, item)
    gain = prices.sale(item, stall.status, stall.run.pack)
    stall.run.change(ItemLost(stall.run.me, holder, item, SOLD))
    acts.pay(stall.run, gain.total, f"{SOLD}: {item_label(item)}, {gain}")


def find_item(state: Warband, key: Any, where: str) -> tuple[str, Item]:
    """Who holds the item with this id."""
    for item in state.stockpile:
        if item.id == key:
            return STOCKPILE, item
    for fighter in state.fighters.values():
        for item in fighter.items:
            if item.id == key:
                return fighter.id, item
    raise InputError(where, f"{key!r} is no item of this warband")


def within_reach(state: Warband, holder: str, item: Item) -> None:
    """What hirelings have stays theirs, and who is not there cannot be asked for anything (rulings 108 and 109)."""
    if holder == STOCKPILE:
        return
    fighter = state.fighters[holder]
    if fighter.kind == HIRELING:
        raise RuleViolation("hireling_keeps", f"{fighter.name} is a hireling and keeps {item_label(item)}.")
    if fighter.delayed or fighter.captive_of:
        raise RuleViolation("not_here", f"{fighter.name} is not here, and neither is {item_label(item)}.")


# Recruiting ---------------------------------------------------------------------------------------


def _recruit(stall: Stall, order: Order, where: str) -> None:
    if "into" in order:
        _reinforce(stall, order, where)
        return
    entry = _type(stall, order.get("type"), where)
    models = _whole(order, "models", where)
    _engage(stall, order, entry, models)


def _hire(stall: Stall, order: Order, where: str) -> None:
    entry = _type(stall, order.get("type"), where)
    if entry.kind != HIRELING:
        raise RuleViolation("no_hireling", f"{entry.name} is no hireling.")
    _engage(stall, order, entry, 1)


def _engage(stall: Stall, order: Order, entry: FighterType, models: int) -> None:
    """A new hero, group or hireling with what it comes with, its path chosen and its spells generated."""
    run = stall.run
    _refuse(recruit_refusal(run.state, entry, models, run.pack))
    quote = prices.recruit_quote(entry)
    if entry.kind == HIRELING:
        quote = _favoured(stall, quote, HALF_HIRELING, order)
    for _ in range(models):
        stall.pay_for(quote, RECRUITED)
    fighter = acts.make_fighter(run, entry, models, order.get("name") or "")
    acts.join(run, initiated(run, evolve(fighter, items=_brought(stall, entry, models)), entry), RECRUITED)


def _reinforce(stall: Stall, order: Order, where: str) -> None:
    """More models for a group: they cost and are rare by what it has learned (16.7.3)."""
    run = stall.run
    group = _group(stall, order["into"], where)
    entry = _type(stall, group.type, where)
    if order.get("type", entry.name) != entry.name:
        raise RuleViolation("other_type", f"{group.name} are {entry.name}, not {order['type']}.")
    models = _whole(order, "models", where)
    _refuse(recruit_refusal(run.state, entry, models, run.pack, group))
    quote = prices.recruit_quote(entry, group)
    for _ in range(models):
        stall.pay_for(quote, RECRUITED)
    run.change(ModelsChanged(run.me, group.id, models, _brought(stall, entry, models), RECRUITED))


def _group(stall: Stall, key: Any, where: str) -> Fighter:
    """A group that can be joined: not while it is delayed (ruling 109)."""
    group = stall.run.state.fighters.get(str(key))
    if group is None or group.kind != HENCHMEN:
        raise InputError(where, f"{key!r} is no henchmen group of this warband")
    if group.delayed:
        raise RuleViolation("not_here", f"{group.name} are not here to be joined.")
    return group


def _type(stall: Stall, name: Any, where: str) -> FighterType:
    entry = stall.run.pack.fighters.get(str(name))
    if entry is None:
        raise InputError(where, f"there is no fighter type {name!r}")
    return entry


def _brought(stall: Stall, entry: FighterType, models: int) -> tuple[Item, ...]:
    wares = starting_wares(entry, stall.run.pack)
    items = [acts.acquire(stall.run, name, upgrades) for name, upgrades in wares for _ in range(models)]
    stall.fresh |= {item.id for item in items}
    return tuple(items)


def _refuse(refusal: RuleViolation | None) -> None:
    if refusal is not None:
        raise refusal


def _whole(order: Order, field: str, where: str) -> int:
    number = order.get(field, 1)
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= MOST_AT_ONCE:
        raise InputError(where, f"{number!r} is no number for {field}", f"1 to {MOST_AT_ONCE}")
    return number


_HANDLERS: dict[str, Callable[[Stall, Order, str], None]] = {
    "buy": _buy,
    "poison": _poison,
    "sell": _sell,
    "recruit": _recruit,
    "hire": _hire,
}
_FIELDS: dict[str, tuple[str, ...]] = {
    "buy": ("item", "amount", "market", "half", "haggle"),
    "poison": ("amount", "haggle"),
    "sell": ("item",),
    "recruit": ("type", "models", "name", "into", "half"),
    "hire": ("type", "name", "half"),
}
