"""Items, mounts and upgrades, with their prices."""

from api.call import Ask, call
from api.calls.codex.entries import CodexList, entries_of, told
from api.chances import Chance, rarity_told
from api.paging import Page
from api.shapes import Out
from rules.access import entry_of
from rules.codex.listing import Listed as Entry
from rules.codex.pages.things import STATUSES
from rules.engine.pack import schema
from rules.engine.prices import fits, quote
from rules.library import pack


class PriceAt(Out):
    """The price at a market status, and how it is worked out."""

    market_status: int
    price: int
    working: str


class UpgradedPrice(Out):
    """An upgrade that fits, with the price of both together if it is built in, else its own."""

    upgrade: str
    inbuilt: bool
    prices: list[PriceAt]


class CodexItem(schema.Item, frozen=True, kw_only=True):
    """An item or a mount; `prices` is empty for what cannot be bought."""

    slug: str
    heading: str
    pack: str
    rulings: tuple[int, ...]
    prices: list[PriceAt]
    rarity_chance: Chance | None
    upgraded: list[UpgradedPrice]


def _prices(name: str, *upgrades: str) -> list[PriceAt]:
    quotes = ((status, quote(name, upgrades, status, pack()).price) for status in STATUSES)
    return [PriceAt(market_status=status, price=one.total, working=one.working) for status, one in quotes]


def _item(entry: Entry) -> CodexItem:
    item: schema.Item = entry.content
    fitting = [one for one in pack().upgrades.values() if fits(one.name, item.name, pack())]
    upgraded = [
        UpgradedPrice(
            upgrade=one.name,
            inbuilt=one.inbuilt,
            prices=_prices(item.name, one.name) if one.inbuilt else _prices(one.name),
        )
        for one in fitting
        if item.price or not one.inbuilt
    ]
    prices = _prices(item.name) if item.price else []
    return CodexItem(**told(entry), prices=prices, rarity_chance=rarity_told(item.rarity), upgraded=upgraded)


@call("get", "codex/items", open=True, serves=("codex_kind",))
def list_items(ask: Ask, query: CodexList) -> Page[CodexItem]:
    """Items by category, with their price at each market status."""
    return entries_of("items", query, _item)


@call("get", "codex/items/{slug}", open=True, serves=("codex_entry",))
def read_item(ask: Ask, slug: str) -> CodexItem:
    """One item."""
    return _item(entry_of("items", slug))


@call("get", "codex/mounts", open=True, serves=("codex_kind",))
def list_mounts(ask: Ask, query: CodexList) -> Page[CodexItem]:
    """Mounts, with their price at each market status."""
    return entries_of("mounts", query, _item)


@call("get", "codex/mounts/{slug}", open=True, serves=("codex_entry",))
def read_mount(ask: Ask, slug: str) -> CodexItem:
    """One mount."""
    return _item(entry_of("mounts", slug))


class CodexUpgrade(schema.Upgrade, frozen=True, kw_only=True):
    """An upgrade; `prices` is empty for what is built in, whose price depends on the item."""

    slug: str
    heading: str
    pack: str
    rulings: tuple[int, ...]
    prices: list[PriceAt]
    rarity_chance: Chance | None


def _upgrade(entry: Entry) -> CodexUpgrade:
    upgrade: schema.Upgrade = entry.content
    prices = [] if upgrade.inbuilt else _prices(upgrade.name)
    return CodexUpgrade(**told(entry), prices=prices, rarity_chance=rarity_told(upgrade.rarity))


@call("get", "codex/upgrades", open=True, serves=("codex_kind",))
def list_upgrades(ask: Ask, query: CodexList) -> Page[CodexUpgrade]:
    """Upgrades: what makes an item better."""
    return entries_of("upgrades", query, _upgrade)


@call("get", "codex/upgrades/{slug}", open=True, serves=("codex_entry",))
def read_upgrade(ask: Ask, slug: str) -> CodexUpgrade:
    """One upgrade."""
    return _upgrade(entry_of("upgrades", slug))
