"""Exact chances, by counting: of dice, tests, and every table that a campaign rolls on."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import combinations_with_replacement
from math import comb, factorial
from typing import Protocol, TypeVar

from rules.engine.battle import Battle
from rules.engine.dice import Roll, ScriptedDice, make_roll
from rules.engine.expressions import DiceExpression
from rules.engine.pack import effects as e
from rules.engine.pack.schema import AdvanceRow, InjuryRow, Pack
from rules.engine.phases.advancement import open_options
from rules.engine.phases.exploration import KEPT, income
from rules.engine.phases.trading import RARITY_DICE
from rules.engine.prices import RAREST
from rules.engine.run import StepRun
from rules.engine.state import Fighter, Warband
from rules.engine.traits import granted_rules, number_in

Distribution = Mapping[int, Fraction]
"""What can come up, and the chance of each."""

CERTAIN, NEVER, EVEN = Fraction(1), Fraction(0), Fraction(1, 2)
SIDES = 6


# Dice -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def distribution(
    expression: str, maximised: int = 0, modifier: int = 0, lowest: int | None = None, highest: int | None = None
) -> Distribution:
    """Every total of an expression as `make_roll` rolls it; `maximised` is negative for minimised rolls."""
    found: Counter[int] = Counter()
    for total, ways in _totals(DiceExpression.parse(expression), maximised).items():
        found[_clamped(total + modifier, lowest, highest)] += ways
    return _shares(found)


def _totals(dice: DiceExpression, maximised: int) -> Mapping[int, int]:
    if dice.sides == 66:
        return {10 * tens + ones: 1 for tens in range(1, 7) for ones in range(1, 7)}
    totals: Counter[int] = Counter()
    for faces in combinations_with_replacement(range(1, SIDES + 1), dice.count + abs(maximised)):
        kept = faces[maximised:] if maximised > 0 else faces[: dice.count]
        values = [(face + 1) // 2 for face in kept] if dice.sides == 3 else kept
        totals[dice.value(sum(values))] += _orders(faces)
    return totals


def _orders(faces: Sequence[int]) -> int:
    """In how many orders these faces can fall."""
    ways = factorial(len(faces))
    for count in Counter(faces).values():
        ways //= factorial(count)
    return ways


def _clamped(total: int, lowest: int | None, highest: int | None) -> int:
    if lowest is not None and total < lowest:
        return lowest
    return highest if highest is not None and total > highest else total


def _shares(found: Mapping[int, int]) -> Distribution:
    everything = sum(found.values())
    return {total: Fraction(found[total], everything) for total in sorted(found)}


def at_least(needed: int, totals: Distribution) -> Fraction:
    """The chance of this total or a higher one."""
    return sum((chance for total, chance in totals.items() if total >= needed), NEVER)


def at_most(most: int, totals: Distribution) -> Fraction:
    """The chance of this total or a lower one."""
    return CERTAIN - at_least(most + 1, totals)


def between(lowest: int, highest: int, totals: Distribution) -> Fraction:
    """The chance of one of these totals, both ends included."""
    return sum((chance for total, chance in totals.items() if lowest <= total <= highest), NEVER)


def mean(totals: Distribution) -> Fraction:
    """What it comes to on average."""
    return sum((total * chance for total, chance in totals.items()), NEVER)


def pass_chance(characteristic: str, value: int) -> Fraction:
    """To pass a test: 2D6 for Discipline, a D6 that fails on a 6 for everything else (5.3)."""
    if characteristic == "Dis":
        return at_most(value, distribution("2D6"))
    return Fraction(min(max(value, 0), SIDES - 1), SIDES)


def rarity_chance(rarity: int, modifier: int = 0, maximised: int = 0) -> Fraction:
    """That the rarity roll gives a pool in which something so rare can be bought (16.7.2)."""
    return at_least(rarity, distribution(f"{RARITY_DICE}D6", maximised, modifier, None, RAREST))


# Tables -----------------------------------------------------------------------------------------------


class Numbered(Protocol):
    """A row of a table, for the numbers from its lowest to its highest."""

    @property
    def low(self) -> int:
        """The lowest number that hits it."""

    @property
    def high(self) -> int:
        """The highest one."""


Line = TypeVar("Line", bound=Numbered)
Rows = list[tuple[Line, Fraction]]
"""The rows of a table and their chances, in the table's order; who cannot come up has none."""
Closed = Callable[[Line], bool]
"""For which rows the whole roll is thrown again, as for advancements that cannot be applied."""


def table_odds(table: Sequence[Line], totals: Distribution, closed: Closed[Line] | None = None) -> Rows[Line]:
    """The chance of each row of a table by what is rolled, rerolled while it shows a closed one.

    If all rows are closed none has a chance: then nothing is applied.
    """
    rows = [(row, between(row.low, row.high, totals)) for row in table]
    if closed is None:
        return rows
    rows = [(row, NEVER if closed(row) else chance) for row, chance in rows]
    everything = sum((chance for _, chance in rows), NEVER)
    return [(row, chance / everything) for row, chance in rows] if everything else rows


def rerolled(
    faces: Sequence[int],
    die: int,
    expression: str,
    maximised: int = 0,
    modifier: int = 0,
    lowest: int | None = None,
    highest: int | None = None,
) -> Distribution:
    """Every total of a roll that shows these faces once one of its dice, the first being 0, is thrown again."""
    dice = DiceExpression.parse(expression)
    found: Counter[int] = Counter()
    for face in range(1, SIDES + 1):
        shown = ScriptedDice([*faces[:die], face, *faces[die + 1 :]])
        found[make_roll(shown, "", "", dice, modifier, maximised, lowest, highest).total] += 1
    return _shares(found)


def reroll_odds(
    roll: Roll,
    table: Sequence[Line],
    closed: Closed[Line] | None = None,
    maximised: int = 0,
    lowest: int | None = None,
    highest: int | None = None,
) -> dict[int, Rows[Line]]:
    """For each die of a roll that fate may throw again, the chance of each row of the table if it does."""
    limits = (maximised, roll.modifier, lowest, highest)
    afresh = table_odds(table, distribution(roll.expression, *limits), closed)
    return {
        die: _settled(table_odds(table, rerolled(roll.faces, die, roll.expression, *limits)), afresh, closed)
        for die in roll.may_reroll
    }


def _settled(rows: Rows[Line], afresh: Rows[Line], closed: Closed[Line] | None) -> Rows[Line]:
    """Where a closed row comes up, everything is rolled afresh."""
    if closed is None:
        return rows
    again = sum((chance for row, chance in rows if closed(row)), NEVER)
    pairs = zip(rows, afresh, strict=True)
    return [(row, (NEVER if closed(row) else chance) + again * new) for (row, chance), (_, new) in pairs]


# Injuries ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Injured:
    """What bears on a fighter's rolls: a herb, whether a captor can be named, the chance to lose in the pits."""

    fighter: Fighter
    pack: Pack
    herb: bool = False
    captor_known: bool = True
    pits_lost: Fraction = EVEN

    @cached_property
    def recovers(self) -> Fraction:
        """By Regeneration, before the roll."""
        rules = granted_rules(self.fighter, self.pack)
        needed = [number_in(rule.value, rule) for rule in rules if rule.name == "Regeneration"]
        return at_least(min(needed), distribution("D6")) if needed else NEVER

    @cached_property
    def rows(self) -> list[tuple[InjuryRow, Fraction]]:
        """The rows of its table and their chances, if nothing were rerolled."""
        if self.fighter.is_higher:
            return table_odds(self.pack.injury_higher, distribution("D66"))
        supernal = any(rule.name == "Supernal" for rule in granted_rules(self.fighter, self.pack))
        return table_odds(self.pack.injury_lower, distribution("D6", 0, -1 if supernal else 0, 1))


def injury_odds(injured: Injured) -> dict[str, Fraction]:
    """The chance of each row for the first roll, in the table's order; what is healed counts as the harmless row."""
    harmless = next(row.name for row, _ in injured.rows if _does(row, e.Nothing))
    odds = dict.fromkeys((row.name for row, _ in injured.rows), NEVER)
    for row, chance in _row_chances(injured, _unwanted(injured)):
        healed = injured.fighter.is_higher and injured.herb and not _does(row, e.Vanquish, e.Captured)
        odds[harmless if healed else row.name] += chance * (1 - injured.recovers)
    odds[harmless] += injured.recovers
    return odds


def injury_reroll_odds(injured: Injured, roll: Roll, unwanted: Sequence[str] = ()) -> dict[int, dict[str, Fraction]]:
    """For each die of its roll that fate may throw again, the chance of each row of its table if it does.

    `unwanted` are rows that are rerolled, as several injuries at once do with some. What is healed is not counted.
    """
    higher = injured.fighter.is_higher
    table = injured.pack.injury_higher if higher else injured.pack.injury_lower
    names = {*unwanted, *_unwanted(injured)}
    found = reroll_odds(roll, table, lambda row: row.name in names, lowest=None if higher else 1)
    return {die: {row.name: chance for row, chance in rows} for die, rows in found.items()}


def _does(row: InjuryRow, *kinds: type) -> bool:
    return any(isinstance(effect, kinds) for effect in row.effects)


def _unwanted(injured: Injured) -> tuple[str, ...]:
    """Nobody is captured by nobody."""
    if injured.captor_known:
        return ()
    return tuple(row.name for row in injured.pack.injury_higher if _does(row, e.Captured))


def _row_chances(injured: Injured, unwanted: Sequence[str]) -> list[tuple[InjuryRow, Fraction]]:
    """Chances of the rows of one roll that is rerolled while it shows an unwanted one."""
    if not unwanted:
        return injured.rows
    wanted = [(row, chance) for row, chance in injured.rows if row.name not in unwanted]
    everything = sum((chance for _, chance in wanted), NEVER)
    return [(row, chance / everything) for row, chance in wanted]


Marks = frozenset[str] | None
"""Injuries that kill when they come again; None for who is dead."""
Fates = dict[Marks, Fraction]


def death_chance(injured: Injured) -> Fraction:
    """That being out of action is the end of a fighter: at once, in the pits, or by a second lost eye."""
    if not injured.fighter.is_higher:
        return sum((chance for name, chance in injury_odds(injured).items() if _kills(injured, name)), NEVER)
    second_time = {row.name for row in injured.pack.injury_higher if _does(row, e.SecondTime)}
    marks = frozenset(second_time & {old.name for old in injured.fighter.injuries})
    return _fates(injured, marks, _unwanted(injured), injured.herb).get(None, NEVER)


def _kills(injured: Injured, name: str) -> bool:
    return any(row.name == name and _does(row, e.Vanquish) for row in injured.pack.injury_lower)


def _fates(injured: Injured, marks: Marks, unwanted: tuple[str, ...], herb: bool = False) -> Fates:
    """What becomes of a fighter with these marks by one roll and all that follows from it."""
    if marks is None:
        return {None: CERTAIN}
    recovers = injured.recovers
    parts: list[tuple[Fraction, Fates]] = [(recovers, {marks: CERTAIN})]
    for row, chance in _row_chances(injured, unwanted):
        healed = herb and not _does(row, e.Vanquish, e.Captured)
        parts.append((chance * (1 - recovers), {marks: CERTAIN} if healed else _fates_of_row(injured, row, marks)))
    return _mixed(parts)


def _fates_of_row(injured: Injured, row: InjuryRow, marks: frozenset[str]) -> Fates:
    if _does(row, e.Vanquish) or (_does(row, e.SecondTime) and row.name in marks):
        return {None: CERTAIN}
    if _does(row, e.SecondTime):
        return {marks | {row.name}: CERTAIN}
    for effect in row.effects:
        if isinstance(effect, e.Multiple):
            return _fates_of_many(injured, effect, marks)
        if isinstance(effect, e.Pits):
            captured = tuple(other.name for other in injured.pack.injury_higher if _does(other, e.Captured))
            beaten = _fates(injured, marks, (row.name, *captured))
            return _mixed([(1 - injured.pits_lost, {marks: CERTAIN}), (injured.pits_lost, beaten)])
    return {marks: CERTAIN}


def _fates_of_many(injured: Injured, effect: e.Multiple, marks: frozenset[str]) -> Fates:
    """A random number of further rolls, each from where the one before left the fighter."""
    parts: list[tuple[Fraction, Fates]] = []
    after: Fates = {marks: CERTAIN}
    numbers = distribution(effect.rolls)
    for number in range(1, max(numbers) + 1):
        after = _mixed([(share, _fates(injured, fate, effect.reroll)) for fate, share in after.items()])
        parts.append((numbers.get(number, NEVER), after))
    return _mixed(parts)


def _mixed(parts: Sequence[tuple[Fraction, Fates]]) -> Fates:
    """Several possibilities, each with its weight, as one."""
    mixed: Fates = {}
    for weight, fates in parts:
        for fate, share in fates.items():
            mixed[fate] = mixed.get(fate, NEVER) + weight * share
    return mixed


# Advancement ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AdvanceOdds:
    """A row of the table with the options that are open to this fighter; without any it is rerolled."""

    low: int
    high: int
    options: tuple[str, ...]
    chance: Fraction
    text: str = ""


def advancement_odds(fighter: Fighter, warband: Warband, pack: Pack, may_rise: bool = True) -> list[AdvanceOdds]:
    """The rows that can be applied and their chances after rerolling the others; empty if nothing is left to gain."""
    return [row for row in advancement_table(fighter, warband, pack, may_rise) if row.options]


def advancement_table(fighter: Fighter, warband: Warband, pack: Pack, may_rise: bool = True) -> list[AdvanceOdds]:
    """All rows of its table; those that cannot be applied to this fighter have no options and no chance."""
    rows, options = _advances(fighter, warband, pack, may_rise)
    chances = table_odds(rows, distribution("2D6"), lambda row: not options[row.low])
    return [AdvanceOdds(row.low, row.high, options[row.low], chance, row.text) for row, chance in chances]


def advancement_reroll_odds(
    fighter: Fighter, warband: Warband, pack: Pack, roll: Roll, may_rise: bool = True
) -> dict[int, list[AdvanceOdds]]:
    """For each die of its roll that fate may throw again, all rows of its table with their chances if it does."""
    rows, options = _advances(fighter, warband, pack, may_rise)
    found = reroll_odds(roll, rows, lambda row: not options[row.low])
    return {
        die: [AdvanceOdds(row.low, row.high, options[row.low], chance, row.text) for row, chance in chances]
        for die, chances in found.items()
    }


def _advances(
    fighter: Fighter, warband: Warband, pack: Pack, may_rise: bool
) -> tuple[tuple[AdvanceRow, ...], dict[int, tuple[str, ...]]]:
    """Its table, and by the lowest number of each row the options that are open to it."""
    rows = pack.advancement_higher if fighter.is_higher else pack.advancement_lower
    run = StepRun("odds", {warband.id: warband}, warband.id, Battle("", {}), pack, ScriptedDice(()))
    return rows, {row.low: tuple(option.key for option in open_options(run, fighter, row, may_rise)) for row in rows}


# Exploration ------------------------------------------------------------------------------------------


@cache
def set_chance(dice: int, kind: int) -> Fraction:
    """That so many dice show at least one set of `kind` of a kind, or more."""
    ways = [Fraction(1)] + [NEVER] * dice
    fewer = [Fraction(1, factorial(count)) for count in range(kind)]
    for _ in range(SIDES):
        ways = [sum((ways[n - k] * part for k, part in enumerate(fewer) if k <= n), NEVER) for n in range(dice + 1)]
    without: Fraction = ways[dice] * factorial(dice) / SIDES**dice
    return CERTAIN - without


@cache
def result_chance(dice: int, kind: int) -> Fraction:
    """That a certain face can be shown exactly `kind` times once all dice but six are discarded.

    A set is all kept dice of a face (ruling 46), so with six dice or fewer it cannot be made smaller.
    """
    spare = max(0, dice - KEPT)
    counts = range(kind, min(kind + spare, dice) + 1)
    ways: int = sum(comb(dice, count) * (SIDES - 1) ** (dice - count) for count in counts)
    return Fraction(ways, SIDES**dice)


def exploration_odds(dice: int, pack: Pack) -> dict[str, Fraction]:
    """For each result of the exploration table, by its faces, the chance that it can be chosen."""
    return {faces: result_chance(dice, len(faces)) for faces in pack.exploration}


def exploration_reroll_odds(faces: Sequence[int], die: int, pack: Pack) -> dict[str, Fraction]:
    """For each result, by its faces, the chance that it can be chosen once one of the dice is thrown again."""
    found: Counter[str] = Counter()
    for face in range(1, SIDES + 1):
        counts = Counter([*faces[:die], face, *faces[die + 1 :]])
        found.update(key for key in pack.exploration if _can_show(counts, int(key[0]), len(key)))
    return {key: Fraction(found[key], SIDES) for key in pack.exploration}


def _can_show(counts: Counter[int], face: int, kind: int) -> bool:
    """Exactly so many of a face once all dice but six are discarded, as for `result_chance`."""
    spare = max(0, counts.total() - KEPT)
    return kind <= counts[face] <= kind + spare


def income_odds(dice: int, pack: Pack) -> dict[int, Fraction]:
    """Points of income and their chances, if the highest six dice are kept (16.3.4)."""
    counted = min(dice, KEPT)
    totals = distribution(f"{counted}D6", max(0, dice - KEPT)) if counted else {0: CERTAIN}
    odds: dict[int, Fraction] = {}
    for total, chance in totals.items():
        points = income(total, pack)
        odds[points] = odds.get(points, NEVER) + chance
    return odds
