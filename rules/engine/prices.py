"""What things and recruits cost and how rare they are, each number with the sum that gives it (16.7, 18)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from rules.engine.errors import InputError, RuleViolation
from rules.engine.expressions import PriceExpression
from rules.engine.pack.schema import Army, FighterType, Pack, SpecialPrice
from rules.engine.settings import CampaignSettings
from rules.engine.state import Fighter, Item, Warband, evolve

RAREST = 18
"""Neither a rarity nor a rarity pool goes above it (16.7.2, 16.7.4)."""

POINTS, STATUS = "points", "status"
HAGGLES = (POINTS, STATUS)
"""The two ways to haggle (17.6.6): so many points less, or the price of a market status one lower."""

LOCAL, SPECIAL = "local", "special"


@dataclass(frozen=True)
class Sum:
    """A number and how it came about: 23 from `15 + 2 x 4`."""

    total: int
    working: str

    def __str__(self) -> str:
        return f"{self.working} = {self.total}" if " " in self.working else self.working

    @property
    def inner(self) -> str:
        """The working as part of a longer sum."""
        return f"({self.working})" if " " in self.working else self.working


@dataclass(frozen=True)
class Quote:
    """What one thing or recruit costs, how rare it is, and on which market."""

    label: str
    price: Sum
    rarity: Sum
    market: str = LOCAL

    @property
    def pool_loss(self) -> int:
        """What buying it takes from the rarity pool (16.7.2)."""
        return ceil(self.rarity.total / 2)


# Things -------------------------------------------------------------------------------------------


def label(name: str, upgrades: Sequence[str] = ()) -> str:
    """What an upgraded item is called: the upgrade's name first (17.7.4)."""
    return " ".join((*upgrades, name))


def parse_ware(ware: object, pack: Pack, where: str) -> tuple[str, tuple[str, ...]]:
    """`Sharpened Sword`, or `{name: Sword, upgrades: [Sharpened]}`, as a name and its inbuilt upgrades."""
    if isinstance(ware, str):
        return split_label(ware, pack, where)
    if not isinstance(ware, dict) or not isinstance(ware.get("name"), str):
        raise InputError(where, f"{ware!r} names no item", "a name, or a name and its upgrades")
    name, upgrades = ware["name"], ware.get("upgrades") or []
    if name not in pack.items and name not in pack.upgrades:
        raise InputError(where, f"there is no item {name!r}")
    if not isinstance(upgrades, list | tuple):
        raise InputError(where, f"{upgrades!r} is no list of upgrades")
    for upgrade in upgrades:
        if not isinstance(upgrade, str) or upgrade not in pack.upgrades:
            raise InputError(where, f"there is no upgrade {upgrade!r}")
    return name, tuple(upgrades)


def split_label(text: str, pack: Pack, where: str) -> tuple[str, tuple[str, ...]]:
    """The opposite of `label`; allocated upgrades are things of their own."""
    if text in pack.items or text in pack.upgrades:
        return text, ()
    for upgrade in pack.upgrades:
        rest = text.removeprefix(f"{upgrade} ")
        if rest != text and rest in pack.items:
            return rest, (upgrade,)
    raise InputError(where, f"there is no item {text!r}", "a name of the market, or upgrade and name")


def quote(
    name: str,
    upgrades: Sequence[str],
    market_status: int,
    pack: Pack,
    army: Army | None = None,
    market: str = "",
) -> Quote:
    """An item's price and rarity. The army's special market goes before the local one unless `market` names one."""
    check_upgrades(name, upgrades, pack)
    base = _listing(name, pack, army, market)
    price, rarity = _worked(base.price, market_status), Sum(base.rarity, str(base.rarity))
    for upgrade in upgrades:
        added = _listing(upgrade, pack, army, market)
        price, rarity = _worked(added.price, market_status, price), _joint_rarity(rarity, added.rarity)
    return Quote(label(name, upgrades), price, rarity, SPECIAL if base is special_row(name, army) else LOCAL)


def check_upgrades(name: str, upgrades: Sequence[str], pack: Pack) -> None:
    """At most one inbuilt upgrade, which fits the item and is bought with it (17.7.4.1)."""
    if name in pack.upgrades and pack.upgrades[name].inbuilt:
        raise RuleViolation("inbuilt_alone", f"{name} is inbuilt: it is only bought together with an item.")
    if len(upgrades) > 1:
        raise RuleViolation("two_upgrades", "An item can have one inbuilt upgrade only.")
    for upgrade in upgrades:
        if not pack.upgrades[upgrade].inbuilt:
            raise RuleViolation("not_inbuilt", f"{upgrade} is a thing of its own and not built into another one.")
        if not fits(upgrade, name, pack):
            raise RuleViolation("upgrade_does_not_fit", f"{upgrade} cannot be built into {name}.")


def fits(upgrade: str, name: str, pack: Pack) -> bool:
    """Whether an upgrade can be used with an item: by its name, its category or the slots it takes (ruling 112)."""
    item = pack.items.get(name)
    if item is None:
        return False
    allowed = pack.upgrades[upgrade].fits
    return item.name in allowed or item.category in allowed or any(slot in allowed for slot in item.slots)


def special_row(name: str, army: Army | None) -> SpecialPrice | None:
    """An army's own price for something, if its special market has it (16.7.4)."""
    rows = army.market if army is not None else ()
    return next((row for row in rows if row.item == name), None)


def _listing(name: str, pack: Pack, army: Army | None, market: str) -> SpecialPrice:
    special = None if market == LOCAL else special_row(name, army)
    if special is not None:
        return special
    entry = pack.items.get(name) or pack.upgrades[name]
    if not entry.price or (market == SPECIAL and name in pack.items):
        raise RuleViolation("not_for_sale", f"{name} is not sold on this market.")
    return SpecialPrice(item=name, price=entry.price, rarity=entry.rarity)


def _worked(text: str, market_status: int, of: Sum | None = None) -> Sum:
    expression = PriceExpression.parse(text)
    total = expression.at(market_status, of.total if of else 0)
    return Sum(total, " + ".join(_terms(expression, market_status, of)) or "0")


def _terms(expression: PriceExpression, market_status: int, of: Sum | None) -> Iterator[str]:
    if expression.base:
        yield f"{expression.base:g}"
    if expression.market:
        yield _times(expression.market, str(market_status))
    if expression.of_price and of is not None:
        yield _times(expression.of_price, of.inner)


def _times(factor: float, of: str) -> str:
    return of if factor == 1 else f"{factor:g} x {of}"


def _joint_rarity(item: Sum, upgrade: int) -> Sum:
    """The higher of both, and one more if both are rare, up to 18 (16.7.4)."""
    highest = max(item.total, upgrade)
    if not item.total or not upgrade:
        return Sum(highest, str(highest))
    return Sum(min(highest + 1, RAREST), f"{highest} + 1" if highest < RAREST else str(RAREST))


# Changed prices -----------------------------------------------------------------------------------


def halved(number: Sum) -> Sum:
    """Half, rounded up (ruling 50)."""
    return Sum(ceil(number.total / 2), f"{number.inner} / 2")


def at_half_price(whole: Quote) -> Quote:
    """Half the price and half the rarity (16.10.2, 16.10.3)."""
    return evolve(whole, price=halved(whole.price), rarity=halved(whole.rarity))


def at_half_rarity(whole: Quote) -> Quote:
    """For a drug that somebody is addicted to (17.7.5.1)."""
    return evolve(whole, rarity=halved(whole.rarity))


def cheaper(whole: Quote, points: int) -> Quote:
    """So many points less, never less than nothing (ruling 51)."""
    price = Sum(max(0, whole.price.total - points), f"{whole.price.inner} - {points}")
    return evolve(whole, price=price)


def lowered(market_status: int) -> int:
    """The market status that haggling buys at (17.6.6)."""
    return max(1, market_status - 1)


# Selling ------------------------------------------------------------------------------------------


def why_not_sold(item: Item, pack: Pack) -> RuleViolation | None:
    """Why nobody buys this item, or nothing if somebody does."""
    entry = pack.items.get(item.name)
    upgrade = pack.upgrades.get(item.name)
    if entry is not None and not entry.sellable:
        return RuleViolation("not_sellable", f"{entry.name} cannot be sold.")
    price = entry.price if entry else upgrade.price if upgrade else ""
    return None if price else RuleViolation("no_price", f"{item.name} has no price on the local market.")


def sale(item: Item, market_status: int, pack: Pack) -> Sum:
    """Half of what the whole item costs on the local market, rounded down (16.7.4, ruling 53)."""
    refusal = why_not_sold(item, pack)
    if refusal is not None:
        raise refusal
    price = quote(item.name, item.upgrades, market_status, pack, market=LOCAL).price
    return Sum(price.total // 2, f"{price.inner} / 2")


# Recruits -----------------------------------------------------------------------------------------


def recruit_quote(entry: FighterType, group: Fighter | None = None) -> Quote:
    """One model; into a group that has learned something it costs more and is rare (16.7.3, ruling 54)."""
    price, rarity = Sum(entry.price, str(entry.price)), Sum(entry.rarity, str(entry.rarity))
    if group is None or not group.experience:
        return Quote(entry.name, price, rarity)
    price = Sum(entry.price + ceil(2 * group.experience), f"{entry.price} + 2 x {group.experience:g}")
    learned = ceil(group.experience)
    return Quote(entry.name, price, rarity if rarity.total > learned else Sum(learned, str(learned)))


# Founding -----------------------------------------------------------------------------------------

USUAL_BUDGET = 500
FOUNDING_STATUS = 0
"""Nobody has rolled a market status yet: its part of a price is nothing (ruling 107)."""


@dataclass(frozen=True)
class Bill:
    """What a new warband costs, line by line; members come first, each followed by its things."""

    lines: tuple[tuple[str, Sum], ...]

    @property
    def total(self) -> int:
        """The sum of its lines."""
        return sum(line.total for _, line in self.lines)


def budget(army: Army | None, settings: CampaignSettings) -> int:
    """The points to found with: the campaign's if it sets its own, else the army's."""
    if settings.starting_points is not None:
        return settings.starting_points
    return army.starting_points if army is not None else USUAL_BUDGET


def bill(warband: Warband, pack: Pack) -> Bill:
    """The founding price of a warband: its models and everything that they do not come with."""
    army = pack.armies.get(warband.army)
    lines: list[tuple[str, Sum]] = []
    for fighter in warband.fighters.values():
        entry = pack.fighters.get(fighter.type)
        if entry is not None:
            lines.append((fighter.name, _times_models(entry.price, fighter.models)))
        lines += [_line(item, pack, army) for item in paid_items(fighter, pack)]
    return Bill((*lines, *(_line(item, pack, army) for item in warband.stockpile)))


def _times_models(price: int, models: int) -> Sum:
    return Sum(price * models, f"{models} x {price}" if models > 1 else str(price))


def _line(item: Item, pack: Pack, army: Army | None) -> tuple[str, Sum]:
    try:
        return label(item.name, item.upgrades), quote(item.name, item.upgrades, FOUNDING_STATUS, pack, army).price
    except (RuleViolation, KeyError):
        return label(item.name, item.upgrades), Sum(0, "0")


def paid_items(fighter: Fighter, pack: Pack) -> list[Item]:
    """What a fighter carries beyond what its type comes with."""
    entry = pack.fighters.get(fighter.type)
    free = Counter(entry.equipment * fighter.models if entry is not None else ())
    paid = []
    for item in fighter.items:
        text = label(item.name, item.upgrades)
        free[text] -= 1
        if free[text] < 0:
            paid.append(item)
    return paid


def founding_rarity(item: Item, army: Army | None, pack: Pack, kind: FighterType | None = None) -> int:
    """How rare an item is at founding, where only what is not rare at all can be bought.

    The weapons and mounts of a fighter's own kind are never rare for it then: they are what it comes to war
    with (ruling 150).
    """
    if kind is not None and not item.upgrades and item.name in (*kind.weapons, *kind.mounts):
        return 0
    try:
        return quote(item.name, item.upgrades, FOUNDING_STATUS, pack, army).rarity.total
    except (RuleViolation, KeyError):
        return RAREST
