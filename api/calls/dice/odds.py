"""Exact chances: of dice, of tests, of tables, and of what may become of a fighter."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Literal

from django.http import Http404
from django.utils.translation import gettext as _
from msgspec import Meta

from api.call import Ask, call
from api.calls.dice.rolling import Expression
from api.calls.warbands.tags import member_of_readable
from api.chances import Chance, chance_of
from api.problems import Fault, invalid
from api.shapes import In, Out
from rules.engine import odds
from rules.engine.expressions import DiceExpression
from rules.library import pack
from warbands.models import Warband
from warbands.projection import read_state
from warbands.settings import pack_for

MOST_DICE = 20
"""Exact counting takes longer with each die."""

Maximised = Annotated[int, Meta(ge=-10, le=10)]
Modifier = Annotated[int, Meta(ge=-1000, le=1000)]
Total = Annotated[int, Meta(ge=-10_000_000_000, le=10_000_000_000)]


# Dice -------------------------------------------------------------------------------------------------


class DiceAsked(In):
    """With `at_least` or `at_most`, the chance of that too."""

    expression: Expression
    at_least: Total | None = None
    at_most: Total | None = None
    maximised: Maximised = 0
    modifier: Modifier = 0


class TotalChance(Out):
    total: int
    chance: Chance


class DiceOdds(Out):
    """`mean` is the average, `chance` that of what was asked for, `totals` everything that can come up."""

    expression: str
    mean: Chance
    chance: Chance | None
    totals: list[TotalChance]


@call("post", "odds/dice", open=True, acts=False, example={"expression": "2D6", "at_least": 7})
def ask_dice_odds(ask: Ask, body: DiceAsked) -> DiceOdds:
    """The exact chances of any dice expression, and of at least or at most a number."""
    dice = DiceExpression.parse(body.expression)
    if dice.count + abs(body.maximised) > MOST_DICE:
        raise invalid([Fault(where="$.expression", message=_("at most %(most)s dice") % {"most": MOST_DICE})])
    totals = odds.distribution(dice.text, 0 if dice.sides == 66 else body.maximised, body.modifier)
    return DiceOdds(
        expression=dice.text,
        mean=chance_of(odds.mean(totals)),
        chance=_between(body, totals),
        totals=[TotalChance(total=total, chance=chance_of(chance)) for total, chance in totals.items()],
    )


def _between(body: DiceAsked, totals: odds.Distribution) -> Chance | None:
    if body.at_least is None and body.at_most is None:
        return None
    low = Fraction(1) if body.at_least is None else odds.at_least(body.at_least, totals)
    above = Fraction(0) if body.at_most is None else odds.at_least(body.at_most + 1, totals)
    return chance_of(max(Fraction(0), low - above))


class PassAsked(In):
    """A test of a characteristic: 2D6 for Discipline, a D6 for everything else."""

    characteristic: Literal["Adv", "Mar", "Dis", "HP", "Def", "Res", "Arm", "Att", "Off", "Str", "AP", "Agi", "BS"]
    value: Annotated[int, Meta(ge=0, le=20)]


@call("post", "odds/test", open=True, acts=False, example={"characteristic": "Dis", "value": 7})
def ask_test_odds(ask: Ask, body: PassAsked) -> Chance:
    """The chance to pass a test."""
    return chance_of(odds.pass_chance(body.characteristic, body.value))


class RarityAsked(In):
    rarity: Annotated[int, Meta(ge=0, le=18)]
    modifier: Modifier = 0
    maximised: Maximised = 0


@call("post", "odds/rarity", open=True, acts=False, example={"rarity": 9})
def ask_rarity_odds(ask: Ask, body: RarityAsked) -> Chance:
    """The chance that a rarity roll finds something so rare."""
    return chance_of(odds.rarity_chance(body.rarity, body.modifier, body.maximised))


# Tables -----------------------------------------------------------------------------------------------


class TableAsked(In):
    """A table of the packs, and what changes its roll."""

    table: Literal["injury-heroes", "injury-henchmen", "advancement-heroes", "advancement-henchmen", "city-map"]
    modifier: Modifier = 0
    maximised: Maximised = 0


class RowChance(Out):
    low: int
    high: int
    name: str
    chance: Chance


class TableOdds(Out):
    """`roll` is what is rolled; what misses the table by a modifier hits no row."""

    table: str
    roll: str
    rows: list[RowChance]


ROLLS = {
    "injury-heroes": ("injury_higher", "D66"),
    "injury-henchmen": ("injury_lower", "D6"),
    "advancement-heroes": ("advancement_higher", "2D6"),
    "advancement-henchmen": ("advancement_lower", "2D6"),
    "city-map": ("city_map", "D6"),
}


@call("post", "odds/table", open=True, acts=False, example={"table": "injury-henchmen", "modifier": -1})
def ask_table_odds(ask: Ask, body: TableAsked) -> TableOdds:
    """The chance of each row of a table."""
    part, roll = ROLLS[body.table]
    totals = odds.distribution(roll, 0 if roll == "D66" else body.maximised, body.modifier)
    rows = [
        RowChance(low=row.low, high=row.high, name=getattr(row, "name", "") or row.text, chance=chance_of(chance))
        for row, chance in odds.table_odds(getattr(pack(), part), totals)
    ]
    return TableOdds(table=body.table, roll=roll, rows=rows)


class ExplorationAsked(In):
    dice: Annotated[int, Meta(ge=0, le=MOST_DICE)]


class SetChance(Out):
    """At least one set of so many of a kind, or of more."""

    of_a_kind: int
    chance: Chance


class FindChance(Out):
    faces: str
    name: str
    chance: Chance


class IncomeChance(Out):
    points: int
    chance: Chance


class ExplorationOdds(Out):
    sets: list[SetChance]
    finds: list[FindChance]
    income: list[IncomeChance]


@call("post", "odds/exploration", open=True, acts=False, example={"dice": 6})
def ask_exploration_odds(ask: Ask, body: ExplorationAsked) -> ExplorationOdds:
    """What so many exploration dice may find, and what they bring."""
    known, dice = pack(), body.dice
    found, income = odds.exploration_odds(dice, known), odds.income_odds(dice, known)
    return ExplorationOdds(
        sets=[SetChance(of_a_kind=kind, chance=chance_of(odds.set_chance(dice, kind))) for kind in range(2, 7)],
        finds=[
            FindChance(faces=faces, name=known.exploration[faces].name, chance=chance_of(chance))
            for faces, chance in found.items()
        ],
        income=[IncomeChance(points=points, chance=chance_of(chance)) for points, chance in sorted(income.items())],
    )


# A fighter --------------------------------------------------------------------------------------------


class InjuryAsked(In):
    """What bears on the roll: a healing herb, whether a captor can be named, the chance to lose in the pits."""

    herb: bool = False
    captor_known: bool = True
    pits_lost: Annotated[float, Meta(ge=0, le=1)] = 0.5


class NamedChance(Out):
    name: str
    chance: Chance


class AdvanceChance(Out):
    """A row of the advancement table with the options that are open to this fighter."""

    low: int
    high: int
    text: str
    options: list[str]
    chance: Chance


class FighterOdds(Out):
    """With its own rules and wounds: `recovers` is before any roll, `death` counts all that may follow from it.

    `advancement` is what the next advancement may be; empty where nothing is left to gain.
    """

    fighter: str
    recovers: Chance
    injuries: list[NamedChance]
    death: Chance
    advancement: list[AdvanceChance]


@call("get", "warbands/{warband}/fighters/{fighter}/odds", tag=member_of_readable)
def read_fighter_odds(ask: Ask, warband: int, fighter: str, query: InjuryAsked) -> FighterOdds:
    """What may become of a fighter who is out of action, and what its next advancement may bring."""
    row: Warband = ask.thing
    state, known = read_state(row), pack_for(row)
    if fighter not in state.fighters:
        raise Http404
    one = state.fighters[fighter]
    lost = Fraction(query.pits_lost).limit_denominator(1000)
    injured = odds.Injured(one, known, herb=query.herb, captor_known=query.captor_known, pits_lost=lost)
    return FighterOdds(
        fighter=one.id,
        recovers=chance_of(injured.recovers),
        injuries=_named(odds.injury_odds(injured)),
        death=chance_of(odds.death_chance(injured)),
        advancement=[
            AdvanceChance(
                low=line.low,
                high=line.high,
                text=line.text,
                options=list(line.options),
                chance=chance_of(line.chance),
            )
            for line in odds.advancement_odds(one, state, known)
        ],
    )


def _named(chances: Mapping[str, Fraction]) -> list[NamedChance]:
    return [NamedChance(name=name, chance=chance_of(chance)) for name, chance in chances.items()]
