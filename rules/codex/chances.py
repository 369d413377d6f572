"""Exact chances as pages show them: a share, its fraction in words, its part of a bar."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rules.engine.odds import (
    Distribution,
    Injured,
    at_least,
    death_chance,
    distribution,
    income_odds,
    result_chance,
    set_chance,
)
from rules.engine.pack import effects as e
from rules.engine.pack.schema import AdvanceRow, InjuryRow, Pack
from rules.engine.state import CHARACTERISTICS, HENCHMEN, HERO, Fighter

HANDS = (5, 6, 7)
"""Exploration dice of a warband with high, medium and low devotion."""


@dataclass(frozen=True)
class Chance:
    """A part of an odds bar, as the tags that draw it read it; `kind` is its colour."""

    label: str
    share: Fraction
    kind: str = "same"
    of: int = 0
    """The number of equally likely cases, where there is a natural one: 36 for two dice."""

    @property
    def ways(self) -> int:
        return int(self.share * (self.of or self.share.denominator))

    @property
    def percent(self) -> str:
        return percent(self.share)


def percent(share: Fraction) -> str:
    """One decimal; what can happen at all is never shown as nothing."""
    if share in (0, 1):
        return str(100 * share)
    number = float(100 * share)
    return f"{number:.3f}" if 0 < number < 0.05 else f"{number:.1f}"


def one_in(cases: int, ways: int = 1) -> Fraction:
    return Fraction(ways, cases)


def between(low: int, high: int, totals: Distribution) -> Fraction:
    return at_least(low, totals) - at_least(high + 1, totals)


# Injuries -----------------------------------------------------------------------------------------

WOUNDS = (e.Delay, e.LoseHand, e.LoseEquipment, e.OldWound, e.SecondTime)


PLAIN: tuple[tuple[str, type | tuple[type, ...]], ...] = (
    ("dead", e.Vanquish),
    ("bad", e.Multiple),
    ("taken", (e.Captured, e.Pits)),
    ("good", e.Nothing),
)


def injury_kind(effects: Sequence[e.AnyEffect]) -> str:
    """How bad a row is, as the bars colour it."""
    for colour, sort in PLAIN:
        if any(isinstance(effect, sort) for effect in effects):
            return colour
    return "hurt" if any(_wounds(effect) for effect in effects) else "odd"


def _wounds(effect: e.AnyEffect) -> bool:
    if isinstance(effect, e.Characteristic):
        return min(effect.changes.values()) < 0
    if isinstance(effect, e.SubTable):
        return any(_wounds(inner) for row in effect.rows for inner in row.effects)
    return isinstance(effect, WOUNDS)


def injury_chance(row: InjuryRow, higher: bool) -> Chance:
    cases, roll = (36, "D66") if higher else (6, "D6")
    share = between(row.low, row.high, distribution(roll))
    return Chance(row.name, share, injury_kind(row.effects), cases)


KINDS = ("dead", "bad", "hurt", "taken", "odd", "good")
"""From worst to best, as a bar is drawn."""


def by_kind(chances: Sequence[Chance]) -> list[Chance]:
    return sorted(chances, key=lambda chance: KINDS.index(chance.kind))


def whole_death_chance(higher: bool, pack: Pack) -> Fraction:
    """All ways to die of being out of action, for a fighter without injuries or protections."""
    profile = dict.fromkeys(CHARACTERISTICS, 3)
    fighter = Fighter("", "", HERO if higher else HENCHMEN, "", "Human", profile)
    return death_chance(Injured(fighter, pack))


# Advancement --------------------------------------------------------------------------------------


def advance_chance(row: AdvanceRow) -> Chance:
    return Chance(row.text, between(row.low, row.high, distribution("2D6")), "same", 36)


# Exploration --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hand:
    """A number of exploration dice, and the chance of something with them."""

    dice: int
    share: Fraction

    @property
    def percent(self) -> str:
        return percent(self.share)


def result_chances(faces: str) -> list[Hand]:
    return [Hand(dice, result_chance(dice, len(faces))) for dice in HANDS]


def set_chances(kind: int) -> list[Hand]:
    """Of at least one set of so many of a kind, or of more."""
    return [Hand(dice, set_chance(dice, kind)) for dice in HANDS]


def income_chances(pack: Pack) -> dict[int, list[Hand]]:
    """By points, for each number of dice."""
    found = {dice: income_odds(dice, pack) for dice in HANDS}
    points = sorted({points for odds in found.values() for points in odds})
    return {each: [Hand(dice, found[dice].get(each, Fraction(0))) for dice in HANDS] for each in points}
