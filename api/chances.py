"""A chance in an answer: exact as a fraction, and as a number for those who only draw a bar."""

from fractions import Fraction
from typing import Annotated

from msgspec import Meta

from api.shapes import Out
from rules.engine.odds import rarity_chance

DIGITS = 6


class Chance(Out):
    """`exact` is a fraction in lowest terms, `0` and `1` included; `decimal` is rounded to six digits."""

    exact: Annotated[str, Meta(examples=["5/18"])]
    decimal: float


def chance_of(share: Fraction) -> Chance:
    return Chance(exact=str(share), decimal=round(float(share), DIGITS))


class HandChance(Out):
    """The chance with so many exploration dice."""

    dice: int
    chance: Chance


def rarity_told(rarity: int) -> Chance | None:
    """That a rarity roll finds something so rare; nothing for what is common."""
    return chance_of(rarity_chance(rarity)) if rarity else None
