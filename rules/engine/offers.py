"""What a warband could buy and whom it could recruit now, with prices and reasons: for pages, not for play."""

from collections.abc import Iterator
from dataclasses import dataclass

from rules.engine import prices
from rules.engine.equipment import mount_allowed
from rules.engine.errors import RuleViolation
from rules.engine.legality import belongs, recruit_refusal
from rules.engine.pack.schema import FighterType, Pack
from rules.engine.prices import Quote
from rules.engine.stall import HALF_HIRELING, HALF_MOUNT, doses
from rules.engine.state import HENCHMEN, HIRELING, Warband

TOO_RARE, TOO_EXPENSIVE = "too_rare", "too_expensive"


@dataclass(frozen=True)
class Offer:
    """One thing on the market. `refusal` is empty where it can be bought now."""

    name: str
    upgrades: tuple[str, ...]
    category: str
    quote: Quote
    refusal: str = ""
    sentence: str = ""


@dataclass(frozen=True)
class RecruitOffer:
    """One model of a type, as a new member or into a group that is there."""

    type: str
    kind: str
    quote: Quote
    into: str = ""
    refusal: str = ""
    sentence: str = ""


def offers(warband: Warband, pack: Pack, market_status: int, pool: int, upgraded: bool = True) -> list[Offer]:
    """Everything on the local market and on the army's own, upgraded items included unless not wanted."""
    army = pack.armies.get(warband.army)
    half_rarity = doses(warband)
    found = []
    for name, upgrades, category in _wares(pack, upgraded):
        try:
            quote = prices.quote(name, upgrades, market_status, pack, army)
        except RuleViolation:
            continue
        if category == "mount":
            if not mount_allowed(name, warband, pack):
                continue
            quote = prices.at_half_price(quote) if warband.effect(HALF_MOUNT) else quote
        if half_rarity[name]:
            quote = prices.at_half_rarity(quote)
        found.append(Offer(name, upgrades, category, quote, *_why_not(quote, warband, pool)))
    return found


def _wares(pack: Pack, upgraded: bool) -> Iterator[tuple[str, tuple[str, ...], str]]:
    for entry in pack.items.values():
        yield entry.name, (), entry.category
    for upgrade in pack.upgrades.values():
        if not upgrade.inbuilt:
            yield upgrade.name, (), "upgrade"
        elif upgraded:
            for entry in pack.items.values():
                if prices.fits(upgrade.name, entry.name, pack):
                    yield entry.name, (upgrade.name,), entry.category


def _why_not(quote: Quote, warband: Warband, pool: int) -> tuple[str, str]:
    if quote.rarity.total > pool:
        return TOO_RARE, f"Rarity {quote.rarity.total}, and the rarity pool is {pool}."
    if quote.price.total > warband.treasury:
        return TOO_EXPENSIVE, f"{quote.price.total} points, and the treasury holds {warband.treasury}."
    return "", ""


def recruits(warband: Warband, pack: Pack, pool: int) -> list[RecruitOffer]:
    """Every type that the army can have, and every group that could grow."""
    army = pack.armies.get(warband.army)
    if army is None:
        return []
    hirelings = [entry for entry in pack.fighters.values() if entry.kind == HIRELING and belongs(entry, army)]
    new = [_recruit(warband, entry, pack, pool) for entry in (*army.fighters, *hirelings) if not entry.found_only]
    groups = [fighter for fighter in warband.fighters.values() if fighter.kind == HENCHMEN]
    grown = [
        _recruit(warband, pack.fighters[group.type], pack, pool, group.id)
        for group in groups
        if group.type in pack.fighters and not group.delayed
    ]
    return new + [offer for offer in grown if offer.refusal != "not_for_hire"]


def _recruit(warband: Warband, entry: FighterType, pack: Pack, pool: int, into: str = "") -> RecruitOffer:
    group = warband.fighters[into] if into else None
    quote = prices.recruit_quote(entry, group)
    if entry.kind == HIRELING and warband.effect(HALF_HIRELING):
        quote = prices.at_half_price(quote)
    refusal = recruit_refusal(warband, entry, 1, pack, group)
    why = (refusal.code, refusal.message) if refusal is not None else _why_not(quote, warband, pool)
    return RecruitOffer(entry.name, entry.kind, quote, into, *why)
