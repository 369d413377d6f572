"""A basket tried out: every order against what the ones before it leave, with each problem beside its cause.

It is the engine that tries, on states and not on tables, and with dice that show nothing. What would be rolled is
rolled when the basket is paid.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from rules.engine.battle import Battle
from rules.engine.errors import InputError, RuleViolation
from rules.engine.pack.schema import Pack
from rules.engine.phases.trading import MONEYLENDER
from rules.engine.prices import HAGGLES, Quote, Sum, sale
from rules.engine.questions import Policy
from rules.engine.run import StepRun
from rules.engine.settings import CampaignSettings
from rules.engine.stall import Stall, find_item
from rules.engine.state import Warband

STEP = "trading"
BUY, POISON, SELL, RECRUIT, HIRE = "buy", "poison", "sell", "recruit", "hire"
HAGGLED = (BUY, POISON)

Order = Mapping[str, Any]
Orders = Sequence[Order]


class Unthrown:
    """Dice that nobody has thrown: a trial must not tell what they will show. All of them lie on 1."""

    def face(self, key: str, index: int) -> int:
        return 1

    def is_physical(self, key: str) -> bool:
        return False


@dataclass(frozen=True)
class Standing:
    """A warband at the market, as it was when the step asked for orders."""

    warbands: Mapping[str, Warband]
    me: str
    battle: Battle
    pack: Pack
    settings: CampaignSettings
    facts: Mapping[str, Any]
    """Of the question: market status, coatings, hagglers."""

    @property
    def state(self) -> Warband:
        return self.warbands[self.me]

    @property
    def status(self) -> int:
        return int(self.facts["market_status"])

    @property
    def loan(self) -> int:
        """What the moneylender pays when the market closes."""
        return self.status * sum(effect.name == MONEYLENDER for effect in self.state.effects)


@dataclass(frozen=True)
class Problem:
    code: str
    sentence: str


@dataclass(frozen=True)
class Line:
    """One order as it went in the trial. A refused one changes nothing."""

    place: int
    order: Order
    label: str
    price: int
    """What it adds to the treasury; below zero for what is paid."""
    working: str
    rarity: int
    pool_before: int
    pool_after: int
    problem: Problem | None
    is_rolled: bool
    """Something about it is rolled when it is paid."""
    is_asked: bool
    """Something about it is asked when it is paid."""

    @property
    def amount(self) -> int:
        return int(self.order.get("models" if self.order.get("do") == RECRUIT else "amount", 1))

    @property
    def paid(self) -> int:
        return abs(self.price)

    @property
    def uses(self) -> int:
        return self.pool_before - self.pool_after


@dataclass(frozen=True)
class Trial:
    """A whole basket, and the warband as it would be after it."""

    standing: Standing
    lines: tuple[Line, ...]
    state: Warband
    doses: Mapping[str, int]
    coatings: int
    haggled: frozenset[str]

    @property
    def problems(self) -> list[Line]:
        return [line for line in self.lines if line.problem is not None]

    @property
    def spent(self) -> int:
        """What leaves the treasury in the end; below zero if more comes in."""
        return self.standing.state.treasury - self.state.treasury

    @property
    def newcomers(self) -> list[str]:
        known = self.standing.state.fighters
        return [fighter.name for key, fighter in self.state.fighters.items() if key not in known]

    @property
    def sum(self) -> str:
        """`- 34 - 23 + 7`, of the orders that go through."""
        through = [line.price for line in self.lines if line.problem is None and line.price]
        return " ".join(f"{'+' if price > 0 else '−'} {abs(price)}" for price in through)


class Watched(Stall):
    """A stall that remembers what it asked for."""

    def __init__(self, run: StepRun, status: int, coatings: int) -> None:
        super().__init__(run, status, coatings)
        self.quotes: list[Quote] = []

    def pay_for(self, quote: Quote, cause: str) -> None:
        self.quotes.append(quote)
        super().pay_for(quote, cause)


def try_basket(standing: Standing, orders: Orders) -> Trial:
    """Questions are answered by their defaults here; the player answers them when he has paid."""
    run = StepRun(
        STEP, standing.warbands, standing.me, standing.battle, standing.pack, Unthrown(), settings=standing.settings,
        policy=Policy(),
    )  # fmt: skip
    stall = Watched(run, standing.status, int(standing.facts["coatings"]))
    lines = tuple(_try(stall, place, order) for place, order in enumerate(orders))
    return Trial(standing, lines, run.state, dict(stall.doses), stall.coatings, frozenset(stall.haggled))


def _try(stall: Watched, place: int, order: Order) -> Line:
    run, before, kept = stall.run, stall.run.state, _kept(stall)
    rolls, asked = len(run.rolls), len(run.asked)
    stall.quotes = []
    label = _label(stall, order)
    sold = _sold(stall, order)
    problem = _carry_out(stall, order)
    is_rolled, is_asked = len(run.rolls) > rolls, len(run.asked) > asked
    if problem is not None:
        _restore(stall, before, kept)
    paid = worked([quote.price for quote in stall.quotes])
    return Line(
        place=place,
        order=order,
        label=label,
        price=sold.total if sold is not None else -paid.total,
        working=(sold or paid).working,
        rarity=max((quote.rarity.total for quote in stall.quotes), default=0),
        pool_before=before.rarity_pool,
        pool_after=run.state.rarity_pool,
        problem=problem,
        is_rolled=is_rolled,
        is_asked=is_asked,
    )


def _carry_out(stall: Watched, order: Order) -> Problem | None:
    try:
        stall.carry_out(order, "order")
    except RuleViolation as refused:
        return Problem(refused.code, refused.message)
    except InputError as nonsense:
        return Problem("bad_order", nonsense.problem)
    return None


def _kept(stall: Watched) -> tuple[Any, ...]:
    return stall.coatings, stall.doses.copy(), set(stall.haggled), set(stall.fresh)


def _restore(stall: Watched, before: Warband, kept: tuple[Any, ...]) -> None:
    """An order is refused as a whole, whatever of it went well."""
    stall.run.warbands[stall.run.me] = before
    stall.coatings, stall.doses, stall.haggled, stall.fresh = kept


def worked(prices: Sequence[Sum]) -> Sum:
    """Several prices as one sum: `2 x 23`, or `2 x 23 + 12` where they differ."""
    if len(prices) == 1:
        return prices[0]
    runs = [(price, len(list(alike))) for price, alike in groupby(prices)]
    terms = [f"{count} x {price.inner}" if count > 1 else price.inner for price, count in runs]
    return Sum(sum(price.total for price in prices), " + ".join(terms) or "0")


def _sold(stall: Watched, order: Order) -> Sum | None:
    """What a sale brings, also where it is refused for another reason."""
    if order.get("do") != SELL:
        return None
    try:
        return sale(find_item(stall.run.state, order.get("item"), "order")[1], stall.status, stall.run.pack)
    except (RuleViolation, InputError):
        return Sum(0, "0")


def _label(stall: Watched, order: Order) -> str:
    """What an order is about, in the rulebook's names."""
    if order.get("do") == SELL:
        return _item_label(stall.run.state, order.get("item"))
    if order.get("into"):
        group = stall.run.state.fighters.get(str(order["into"]))
        return group.name if group is not None else str(order["into"])
    return str(order.get("name") or order.get("type") or order.get("item") or "")


def _item_label(state: Warband, key: Any) -> str:
    try:
        item = find_item(state, key, "order")[1]
    except InputError:
        return str(key)
    return " ".join((*item.upgrades, item.name))


# What would help -----------------------------------------------------------------------------------


def better_place(standing: Standing, orders: Orders, place: int, problems: int) -> int | None:
    """Where else in the basket an order would leave fewer problems; the nearest such place."""
    places = sorted((other for other in range(len(orders)) if other != place), key=lambda other: abs(other - place))
    for other in places:
        if len(try_basket(standing, moved(orders, place, other)).problems) < problems:
            return other
    return None


def moved(orders: Orders, place: int, to: int) -> list[Order]:
    rest = [order for number, order in enumerate(orders) if number != place]
    return [*rest[:to], orders[place], *rest[to:]]


@dataclass(frozen=True)
class Haggle:
    """A way to pay less: who talks, how, and what the order would then cost."""

    fighter: str
    name: str
    mode: str
    price: int
    working: str


def haggles(standing: Standing, trial: Trial, place: int) -> list[Haggle]:
    """For one order: everybody who has not haggled yet, in both ways, where it makes the order cheaper."""
    line = trial.lines[place]
    if line.order.get("do") not in HAGGLED or line.amount > 1 or line.problem is not None:
        return []
    free = [key for key in standing.facts["hagglers"] if key not in trial.haggled]
    found = []
    for key in free:
        for mode in HAGGLES:
            tried = _haggled(standing, trial, place, {"fighter": key, "mode": mode})
            if tried.problem is None and tried.paid < line.paid:
                name = standing.state.fighters[key].name
                found.append(Haggle(key, name, mode, tried.paid, tried.working))
    return found


def _haggled(standing: Standing, trial: Trial, place: int, haggle: Mapping[str, str]) -> Line:
    orders = [line.order for line in trial.lines[: place + 1]]
    orders[place] = {**orders[place], "haggle": [*haggling(orders[place]), haggle]}
    return try_basket(standing, orders).lines[place]


def haggling(order: Order) -> list[Mapping[str, str]]:
    """Who haggles for an order already."""
    given = order.get("haggle", [])
    return [given] if isinstance(given, Mapping) else list(given)
