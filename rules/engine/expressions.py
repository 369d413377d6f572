"""Dice and price expressions as the rulebook writes them: `D6x10`, `2D6`, `D3+1`, `15+2MS`, `25+1.5xPrice`."""

import re
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from rules.engine.errors import InputError

_DICE = re.compile(r"(?:(\d{0,3})D(66|6|3)(?:x(\d{1,6}))?([+-]\d{1,6})?|(\d{1,6}))")
_PRICE = re.compile(r"(?:(\d+(?:\.\d+)?)(?![\dxM.]))?\+?(?:(\d*)MS)?\+?(?:(?:(\d+(?:\.\d+)?)x)?(Price))?")


@dataclass(frozen=True)
class DiceExpression:
    """`count` dice of `sides`, summed, times `times`, plus `plus`. No dice at all is a plain number."""

    count: int
    sides: int = 6
    times: int = 1
    plus: int = 0

    @classmethod
    def parse(cls, text: str | int) -> "DiceExpression":
        """As packs write it; each text is read once."""
        return parse_dice(text if type(text) is str else str(text))

    def value(self, total: int) -> int:
        """What the sum of the dice comes to."""
        return total * self.times + self.plus

    def __str__(self) -> str:
        return self.text

    @cached_property
    def text(self) -> str:
        """As the rulebook writes it."""
        if not self.count:
            return str(self.plus)
        dice = f"{self.count if self.count > 1 else ''}D{self.sides}"
        times = f"x{self.times}" if self.times > 1 else ""
        return dice + times + (f"{self.plus:+d}" if self.plus else "")


@lru_cache(maxsize=4096)
def parse_dice(text: str) -> DiceExpression:
    """An expression as packs write it; each text is read once."""
    match = _DICE.fullmatch(text.strip())
    if not text.strip() or match is None:
        raise InputError(repr(text), "is no dice expression", "for example D6, 2D6, D3+1, D6x10 or 20")
    count, sides, times, plus, number = match.groups()
    if number is not None:
        return DiceExpression(0, plus=int(number))
    return DiceExpression(int(count or 1), int(sides), int(times or 1), int(plus or 0))


@lru_cache(maxsize=256)
def dice_of(count: int) -> DiceExpression:
    """So many D6."""
    return DiceExpression(count)


@dataclass(frozen=True)
class PriceExpression:
    """A base, a part that grows with the market status, and for inbuilt upgrades a multiple of the item's price."""

    base: float = 0
    market: int = 0
    of_price: float = 0

    @classmethod
    def parse(cls, text: str | int) -> "PriceExpression":
        return _parse_price(str(text))

    def at(self, market_status: int, item_price: int = 0) -> int:
        """Points at this market status, fractions rounded up (5.4)."""
        exact = self.base + self.market * market_status + self.of_price * item_price
        return int(-(-exact // 1))

    def __str__(self) -> str:
        parts = [f"{self.base:g}"] if self.base or not (self.market or self.of_price) else []
        if self.market:
            parts.append(f"{self.market if self.market > 1 else ''}MS")
        if self.of_price:
            parts.append(f"{self.of_price:g}xPrice" if self.of_price != 1 else "Price")
        return "+".join(parts)


@cache
def _parse_price(text: str) -> PriceExpression:
    compact = text.replace(" ", "")
    match = _PRICE.fullmatch(compact)
    if not compact or match is None:
        raise InputError(repr(text), "is no price", "for example 15, 15+2MS, 2xPrice or 25+1.5xPrice")
    base, market, times, price = match.groups()
    return PriceExpression(
        base=float(base or 0),
        market=0 if market is None else int(market or 1),
        of_price=0 if price is None else float(times or 1),
    )
