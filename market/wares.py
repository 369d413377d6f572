"""What lies on the market: every item with its price worked out, who could carry it, and why it cannot be had now."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from market.basket import POISON, Trial
from market.words import shown
from rules.engine import prices
from rules.engine.equipment import breaches, mount_allowed
from rules.engine.pack.schema import ARMOUR, Pack
from rules.engine.pack.schema import Item as Entry
from rules.engine.prices import LOCAL, SPECIAL, Quote, Sum
from rules.engine.stall import COATING, COATING_PRICE, HALF_MOUNT
from rules.engine.state import HIRELING, Fighter, Item, Warband, evolve

KINDS: dict[str, str | Promise] = {
    "own": gettext_lazy("Your own"),
    "close": gettext_lazy("Close combat"),
    "shooting": gettext_lazy("Shooting"),
    "armour": gettext_lazy("Armour"),
    "upgrade": gettext_lazy("Upgrades"),
    "misc": gettext_lazy("Miscellaneous"),
    "drug": gettext_lazy("Drugs"),
    "mount": gettext_lazy("Mounts"),
}
_KIND_OF = {
    "close_combat": "close",
    "shooting": "shooting",
    "small_firearm": "shooting",
    **dict.fromkeys(ARMOUR, "armour"),
    "misc": "misc",
    "curiosity": "misc",
    "drug": "drug",
    "mount": "mount",
}
MANY = 2
"""More names than these are counted."""


@dataclass(frozen=True)
class Filters:
    """What a person wants to see. An empty list of kinds means all."""

    query: str = ""
    kinds: frozenset[str] = frozenset()
    affordable: bool = False
    findable: bool = False
    fits: str = ""
    opened: str = ""
    """The item whose upgrades are shown."""


class Quoted:
    """What a line of the market says of its price and rarity, be it a thing or somebody who would come."""

    quote: Quote

    @property
    def rarity(self) -> int:
        return self.quote.rarity.total

    @property
    def rare(self) -> str:
        return rare(self.quote)

    @property
    def uses(self) -> str:
        return uses(self.quote)

    @property
    def working(self) -> str:
        return shown(self.quote.price)


@dataclass(frozen=True)
class Ware(Quoted):
    """One thing that is for sale."""

    label: str
    kind: str
    quote: Quote
    do: str
    text: str = ""
    carriers: tuple[str, ...] = ()
    """Keys of those who may carry it now."""
    carried: str = ""
    too_rare: bool = False
    too_expensive: bool = False
    shut: str = ""
    """Why it cannot be had after the basket; empty where it can."""
    count: int = 0
    """How many are in the basket."""
    ways: int = 0
    """How many upgrades can be built into it."""
    upgraded: tuple["Ware", ...] = ()
    """The item with each of them, where somebody wants to see them."""

    @property
    def adds(self) -> str:
        """What its button says."""
        if self.shut:
            return _("%(thing)s cannot be had") % {"thing": self.label}
        if self.count:
            return _("One more %(thing)s, %(count)s in the basket") % {"thing": self.label, "count": self.count}
        return _("Add %(thing)s") % {"thing": self.label}


@dataclass(frozen=True)
class Shelf:
    kind: str
    title: str | Promise
    wares: tuple[Ware, ...]


@dataclass(frozen=True)
class Goods:
    """The shelves that are shown, and how many wares there are of each kind."""

    shelves: tuple[Shelf, ...]
    counts: Mapping[str, int]

    @property
    def shown(self) -> int:
        return sum(len(shelf.wares) for shelf in self.shelves)

    @property
    def total(self) -> int:
        return sum(self.counts.values())


@dataclass
class _Stand:
    """What the prices depend on, read once a page."""

    trial: Trial
    market: str
    in_basket: Counter[str]
    filters: Filters

    @property
    def pack(self) -> Pack:
        return self.trial.standing.pack

    @property
    def state(self) -> Warband:
        return self.trial.state


def goods(trial: Trial, filters: Filters) -> Goods:
    """Everything on the local market and on the army's own, as far as somebody wants to see it."""
    basket = Counter[str]()
    for line in trial.lines:
        if line.order.get("do") in ("buy", POISON):
            basket[line.label or COATING] += line.amount
    wares = sorted(_wares(trial, basket, filters), key=lambda ware: ware.label)
    counts = Counter(ware.kind for ware in wares)
    wanted = [ware for ware in wares if _is_wanted(ware, filters)]
    shelves = [Shelf(kind, title, tuple(ware for ware in wanted if ware.kind == kind)) for kind, title in KINDS.items()]
    ordered = {kind: counts[kind] for kind in KINDS if counts[kind]}
    return Goods(tuple(shelf for shelf in shelves if shelf.wares), ordered)


def _is_wanted(ware: Ware, filters: Filters) -> bool:
    return (
        (not filters.kinds or ware.kind in filters.kinds)
        and _is_named(ware, filters.query.strip().lower())
        and not (filters.affordable and ware.too_expensive)
        and not (filters.findable and ware.too_rare)
        and (not filters.fits or filters.fits in ware.carriers)
    )


def _is_named(ware: Ware, query: str) -> bool:
    return query in ware.label.lower() or any(query in other.label.lower() for other in ware.upgraded)


def _wares(trial: Trial, basket: Counter[str], filters: Filters) -> Iterator[Ware]:
    local, special = _Stand(trial, LOCAL, basket, filters), _Stand(trial, SPECIAL, basket, filters)
    army = trial.standing.pack.armies.get(trial.state.army)
    own = {row.item for row in army.market} if army is not None else set()
    carry = _Carriers(trial.standing.state, trial.standing.pack)
    for name, kind, text in _entries(local.pack):
        if name in own:
            yield from _ware(special, name, "own", text, carry, sold_twice=bool(_price(local.pack, name)))
        if _price(local.pack, name):
            yield from _ware(local, name, kind, text, carry, sold_twice=name in own)
    if trial.standing.facts["coatings"]:
        yield _coating(local, carry)


def _entries(pack: Pack) -> Iterator[tuple[str, str, str]]:
    for entry in pack.items.values():
        yield entry.name, _KIND_OF[entry.category], entry.text
    for upgrade in pack.upgrades.values():
        if not upgrade.inbuilt:
            yield upgrade.name, "upgrade", upgrade.text


def _price(pack: Pack, name: str) -> str:
    return (pack.items.get(name) or pack.upgrades[name]).price


def _ware(stand: _Stand, name: str, kind: str, text: str, carry: "_Carriers", *, sold_twice: bool) -> Iterator[Ware]:
    if kind == "mount" and not mount_allowed(name, stand.state, stand.pack):
        return
    verb = f"buy-{stand.market}" if sold_twice else "buy"
    carriers, ways = carry.of(name), _built_into(stand.pack, name)
    upgraded = tuple(
        _offer(stand, name, (upgrade,), kind, verb, stand.pack.upgrades[upgrade].text)
        for upgrade in ways
        if _is_open(stand.filters, name, upgrade)
    )
    plain = _offer(stand, name, (), kind, verb, text)
    yield evolve(plain, carriers=carriers, carried=carry.sentence(name, carriers), ways=len(ways), upgraded=upgraded)


def _is_open(filters: Filters, name: str, upgrade: str) -> bool:
    """Where somebody has opened an item, or looks for upgraded things by their name."""
    wanted = filters.query.strip().lower()
    is_found = bool(wanted) and wanted in prices.label(name, (upgrade,)).lower() and wanted not in name.lower()
    return filters.opened == name or is_found


def _built_into(pack: Pack, name: str) -> list[str]:
    return [
        upgrade.name for upgrade in pack.upgrades.values() if upgrade.inbuilt and prices.fits(upgrade.name, name, pack)
    ]


def _offer(stand: _Stand, name: str, upgrades: tuple[str, ...], kind: str, verb: str, text: str) -> Ware:
    quote = _quoted(stand, name, upgrades, kind)
    short = quote.price.total - stand.state.treasury
    pool = stand.state.rarity_pool
    return Ware(
        label=quote.label,
        kind=kind,
        quote=quote,
        do=f"{verb} {quote.label}",
        text=text,
        too_rare=quote.rarity.total > pool,
        too_expensive=short > 0,
        shut=why_shut(quote, stand.state),
        count=stand.in_basket[quote.label],
    )


def _quoted(stand: _Stand, name: str, upgrades: tuple[str, ...], kind: str) -> Quote:
    """With what is left of favours and of doses at half rarity after the basket."""
    army = stand.pack.armies.get(stand.state.army)
    quote = prices.quote(name, upgrades, stand.trial.standing.status, stand.pack, army, stand.market)
    if kind == "mount" and stand.state.effect(HALF_MOUNT):
        quote = prices.at_half_price(quote)
    return prices.at_half_rarity(quote) if stand.trial.doses.get(name, 0) > 0 else quote


def rare(quote: Quote) -> str:
    return _("Rarity %(rarity)s") % {"rarity": quote.rarity.total} if quote.rarity.total else _("Common")


def uses(quote: Quote) -> str:
    """What buying it takes from the pool."""
    return _("uses %(points)s") % {"points": quote.pool_loss} if quote.pool_loss else ""


def why_shut(quote: Quote, state: Warband) -> str:
    """Both reasons, if there are two."""
    short = quote.price.total - state.treasury
    facts = {"rarity": quote.rarity.total, "pool": state.rarity_pool}
    said = []
    if quote.rarity.total > state.rarity_pool:
        said.append(_("Needs %(rarity)s, the pool has %(pool)s left.") % facts)
    if short > 0:
        said.append(ngettext("%(short)s point short.", "%(short)s points short.", short) % {"short": short})
    return " ".join(said)


def _coating(stand: _Stand, carry: "_Carriers") -> Ware:
    """What the warband's own masters of poison have made."""
    left = stand.trial.coatings
    quote = Quote(COATING, Sum(COATING_PRICE, str(COATING_PRICE)), Sum(0, "0"))
    shut = why_shut(quote, stand.state) if left else _("All of it is in the basket.")
    carriers = carry.of(COATING)
    return Ware(
        COATING, "own", quote, "poison own",
        ngettext("Made by your own poisoner, %(left)s left.", "Made by your own poisoners, %(left)s left.", left)
        % {"left": left},
        carriers, carry.sentence(COATING, carriers), False, quote.price.total > stand.state.treasury, shut,
    )  # fmt: skip


# Who may carry it -----------------------------------------------------------------------------------


class _Carriers:
    """Asked of the engine for everybody who could be given something; hirelings get nothing from the market."""

    def __init__(self, state: Warband, pack: Pack) -> None:
        self.pack = pack
        self.people = [fighter for fighter in state.present() if fighter.kind != HIRELING]

        self.known = {fighter.id: self._wrong(fighter) for fighter in self.people}

    def _wrong(self, fighter: Fighter) -> set[tuple[str, str]]:
        return {(breach.code, breach.item) for breach in breaches(fighter, self.pack)}

    def of(self, name: str) -> tuple[str, ...]:
        """Who would break no rule with one more; what is wrong already is no reason (ruling 119)."""
        item = Item("", name)
        return tuple(
            fighter.id
            for fighter in self.people
            if self._wrong(evolve(fighter, items=(*fighter.items, item))) <= self.known[fighter.id]
        )

    def sentence(self, name: str, keys: Sequence[str]) -> str:
        entry: Entry | None = self.pack.items.get(name)
        if entry is not None and not entry.equippable:
            return ""
        is_mount = entry is not None and entry.category == "mount"
        if not keys:
            return _("Nobody may ride it now") if is_mount else _("Nobody may carry it now")
        if len(keys) == len(self.people):
            return _("All may ride it") if is_mount else _("All may carry it")
        names = self._some([fighter for fighter in self.people if fighter.id in keys])
        words = _("%(names)s may ride it") if is_mount else _("%(names)s may carry it")
        return words % {"names": names}

    def _some(self, who: list[Fighter]) -> str:
        names = ", ".join(fighter.name for fighter in who[:MANY])
        more = len(who) - MANY
        return _("%(names)s and %(more)s more") % {"names": names, "more": more} if more > 0 else names
