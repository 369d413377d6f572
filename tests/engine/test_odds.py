"""Exact odds, against full enumeration and against the engine's own dice (fixed seeds, chi-squared)."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine import odds, scenario
from rules.engine.apply import row_for
from rules.engine.changes import TreasuryChanged
from rules.engine.dice import Roll, ScriptedDice, SeededDice, make_roll
from rules.engine.expressions import DiceExpression
from rules.engine.odds import Injured, at_least, distribution, mean
from rules.engine.pack import effects as e
from rules.engine.pack.load import load_packs
from rules.engine.pack.schema import Pack
from rules.engine.phases.advancement import advancement
from rules.engine.phases.exploration import exploration
from rules.engine.phases.injury import injury
from rules.engine.phases.start import start
from rules.engine.phases.trading import trading
from rules.engine.questions import Answer, Policy, Question
from rules.engine.run import StepFunction, StepRun, resolve
from rules.engine.state import Warband

ROLLS = 2000


@cache
def pack() -> Pack:
    return load_packs()


def assert_fits(observed: Iterable[Hashable], expected: Mapping[Any, Fraction]) -> None:
    """Chi-squared of what was seen, with a bound that a right table passes in all but one of a million seeds."""
    seen = Counter(observed)
    total = sum(seen.values())
    assert set(seen) <= {key for key, chance in expected.items() if chance}
    terms = [(seen[key] - total * chance) ** 2 / (total * chance) for key, chance in expected.items() if chance]
    freedom = max(1, len(terms) - 1)
    assert float(sum(terms)) < freedom + 5 * sqrt(2 * freedom) + 10


# Dice -------------------------------------------------------------------------------------------------


def thrown(expression: str, maximised: int = 0, **limits: int) -> list[int]:
    parsed = DiceExpression.parse(expression)
    dice = SeededDice(b"odds")
    return [
        make_roll(dice, f"{expression}/{number}", "", parsed, maximised=maximised, **limits).total  # type: ignore[arg-type]
        for number in range(ROLLS)
    ]


@pytest.mark.parametrize("expression", ["D6", "2D6", "3D6", "D3", "D3+1", "D6x10", "2D6x5", "D66", "D3-1", "20"])
@pytest.mark.parametrize("maximised", [0, 1, 2, -1])
def test_a_distribution_is_what_the_dice_do(expression: str, maximised: int) -> None:
    if expression in ("D66", "20") and maximised:
        return
    expected = distribution(expression, maximised)
    assert sum(expected.values()) == 1
    assert_fits(thrown(expression, maximised), expected)


@given(st.integers(1, 3), st.integers(-2, 2), st.integers(-3, 3))
def test_a_distribution_is_what_all_dice_can_show(count: int, maximised: int, modifier: int) -> None:
    totals: Counter[int] = Counter()
    for faces in product(range(1, 7), repeat=count + abs(maximised)):
        kept = sorted(faces, reverse=maximised > 0)[:count]
        totals[max(2, sum(kept) + modifier)] += 1
    found = distribution(f"{count}D6", maximised, modifier, 2)
    assert found == {total: Fraction(ways, sum(totals.values())) for total, ways in totals.items()}


def test_numbers_everybody_knows() -> None:
    assert distribution("2D6")[7] == Fraction(1, 6)
    assert mean(distribution("D6")) == Fraction(7, 2)
    assert mean(distribution("3D6")) == Fraction(21, 2)
    assert at_least(6, distribution("D6")) == Fraction(1, 6)
    assert distribution("D3") == {1: Fraction(1, 3), 2: Fraction(1, 3), 3: Fraction(1, 3)}


@pytest.mark.parametrize(
    ("characteristic", "value", "chance"),
    [
        ("Dis", 7, Fraction(21, 36)),
        ("Dis", 2, Fraction(1, 36)),
        ("Dis", 12, Fraction(1)),
        ("Dis", 1, Fraction(0)),
        ("Res", 3, Fraction(3, 6)),
        ("Res", 6, Fraction(5, 6)),
        ("Agi", 9, Fraction(5, 6)),
        ("Str", 0, Fraction(0)),
    ],
)
def test_tests(characteristic: str, value: int, chance: Fraction) -> None:
    assert odds.pass_chance(characteristic, value) == chance


@pytest.mark.parametrize("modifier", [0, 3])
@pytest.mark.parametrize("maximised", [0, 2])
def test_rarity(modifier: int, maximised: int) -> None:
    effects = [{"name": "rarity_once", "value": modifier}, {"name": "rarity_maximised", "value": maximised}]
    band = warband({"captain": {}}, effects=effects)
    pools = [after(trading, band, number).state.rarity_pool for number in range(ROLLS // 10)]
    expected = {pool: odds.rarity_chance(pool, modifier, maximised) for pool in range(3, 20)}
    assert expected[19] == 0
    assert expected[3] == 1
    assert_fits(pools, {pool: expected[pool] - expected[pool + 1] for pool in range(3, 19)})


# Tables -----------------------------------------------------------------------------------------------


def shown(expression: str, *faces: int, **values: Any) -> Roll:
    """A roll of these faces, as the rules make it."""
    return make_roll(ScriptedDice(faces), "key", "", DiceExpression.parse(expression), **values)


@pytest.mark.parametrize("row", [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
def test_every_row_of_a_table_has_the_chance_of_its_numbers(row: int) -> None:
    table = [e.Row(low=2, high=row), e.Row(low=row + 1, high=99)]
    chances = [chance for _, chance in odds.table_odds(table, distribution("2D6", 0, -1, 2))]
    assert chances == [odds.at_most(row + 1, distribution("2D6")), at_least(row + 2, distribution("2D6"))]


def test_a_closed_row_is_rolled_again() -> None:
    table = [e.Row(low=number, high=number) for number in range(1, 7)]
    found = odds.table_odds(table, distribution("D6"), lambda row: row.low > 4)
    assert [chance for _, chance in found] == [Fraction(1, 4)] * 4 + [0, 0]
    assert not any(chance for _, chance in odds.table_odds(table, distribution("D6"), lambda row: True))


@given(st.lists(st.integers(1, 6), min_size=3, max_size=5), st.data())
def test_a_die_thrown_again_leaves_the_others(faces: list[int], data: st.DataObject) -> None:
    die = data.draw(st.integers(0, len(faces) - 1))
    totals = odds.rerolled(faces, die, "3D6", maximised=len(faces) - 3, modifier=1, highest=15)
    rest = [*faces[:die], *faces[die + 1 :]]
    expected = Counter(min(15, sum(sorted([*rest, face])[-3:]) + 1) for face in range(1, 7))
    assert totals == {total: Fraction(ways, 6) for total, ways in expected.items()}


def test_only_dice_that_fate_may_throw_again_have_odds() -> None:
    table = [e.Row(low=2, high=6), e.Row(low=7, high=12)]
    found = odds.reroll_odds(shown("2D6", 1, 2, 6, fate=[0]), table)
    assert {die: [chance for _, chance in rows] for die, rows in found.items()} == {1: [0, 1]}
    assert odds.reroll_odds(shown("2D6", 1, 2, fate_allowed=False), table) == {}


def test_what_fate_can_make_of_an_injury_roll() -> None:
    """A 6 and a 1 is a capture; the second die decides between it and other rows, the first almost everything."""
    roll = shown("D66", 6, 1)
    captured = odds.injury_reroll_odds(injured("plain", True), roll)
    second = {row: chance for row, chance in captured[1].items() if chance}
    named = Counter(row_for(pack().injury_higher, 60 + face).name for face in range(1, 7))
    assert second == {row: Fraction(count, 6) for row, count in named.items()}
    nobody = odds.injury_reroll_odds(injured("plain", False), roll)[1]
    assert nobody["Captured"] == 0
    assert sum(nobody.values()) == 1
    afresh = odds.injury_odds(injured("plain", False))
    assert nobody["Dead"] == captured[1]["Dead"] + captured[1]["Captured"] * afresh["Dead"]


def test_fate_on_the_lower_table_counts_the_modifier() -> None:
    group = warband({"men": {"kind": "henchmen", "models": 3, "rules": ["Supernal"]}}).fighters["men"]
    supernal = Injured(group, pack())
    found = odds.injury_reroll_odds(supernal, shown("D6", 2, modifier=-1, lowest=1))
    assert found == {0: odds.injury_odds(supernal)}


# Steps ------------------------------------------------------------------------------------------------


def warband(fighters: dict[str, Any], **values: Any) -> Warband:
    return scenario.warband("reds", {"army": "EoS", "fighters": fighters, **values}, pack())


class Fixed(Policy):
    """Some answers by topic, the default for the rest."""

    def __init__(self, **answers: Answer) -> None:
        self.answers = answers

    def answer(self, question: Question, run: Any) -> Answer:
        return self.answers.get(question.topic, question.default)


def after(
    step: StepFunction, band: Warband, number: int, battle: dict[str, Any] | None = None, policy: Policy | None = None
) -> StepRun:
    enemies = scenario.warband("blues", {"army": "OnG", "fighters": {"boss": {}}}, pack())
    warbands = {"reds": band, "blues": enemies}
    report = scenario.battle(battle or {}, warbands, pack())
    dice = SeededDice(f"seed {number}".encode())
    run = StepRun(step.__name__, warbands, "reds", report, pack(), dice, policy=policy or Fixed())
    assert resolve(step, run).complete
    return run


HEROES: dict[str, dict[str, Any]] = {
    "plain": {},
    "regenerating": {"rules": ["Regeneration (4+)"]},
    "with a herb": {"items": ["Healing Herb"]},
    "one-eyed": {"injuries": ["Blinded in One Eye"]},
    "supernal": {"rules": ["Supernal"]},
}


def hurt(fighter: dict[str, Any], number: int, captor: bool, policy: Policy) -> StepRun:
    by = {"warband": "blues", "fighter": "boss"} if captor else {}
    battle = {"reds": {"fighters": {"victim": {"out_of_action": 1, "by": by}}}}
    return after(injury, warband({"victim": fighter, "captain": {}}, leader="captain"), number, battle, policy)


@cache
def victims(kind: str, captor: bool) -> list[StepRun]:
    """All who are sold to the pits lose there."""
    return [hurt(HEROES[kind], number, captor, Fixed(pits="lost")) for number in range(ROLLS)]


def first_row(run: StepRun, herb: bool) -> str:
    fact = next(fact for fact in run.facts if fact.what in ("row", "full recovery"))
    healed = herb and fact.row not in ("Dead", "Captured")
    return "Full Recovery" if fact.what == "full recovery" or healed else fact.row


def injured(kind: str, captor: bool, **values: Any) -> Injured:
    fighter = warband({"victim": HEROES[kind]}).fighters["victim"]
    return Injured(fighter, pack(), herb=kind == "with a herb", captor_known=captor, **values)


@pytest.mark.parametrize("kind", HEROES)
@pytest.mark.parametrize("captor", [True, False])
def test_injuries_of_heroes(kind: str, captor: bool) -> None:
    expected = odds.injury_odds(injured(kind, captor))
    assert sum(expected.values()) == 1
    assert captor or expected["Captured"] == 0
    assert_fits([first_row(run, kind == "with a herb") for run in victims(kind, captor)], expected)


@pytest.mark.parametrize("kind", HEROES)
@pytest.mark.parametrize("captor", [True, False])
def test_deaths_of_heroes(kind: str, captor: bool) -> None:
    chance = odds.death_chance(injured(kind, captor, pits_lost=Fraction(1)))
    dead = ["victim" not in run.state.fighters for run in victims(kind, captor)]
    assert_fits(dead, {True: chance, False: 1 - chance})


def test_deaths_by_hand() -> None:
    """Without pits and multiple injuries it is five in thirty-six; both add a little."""
    plain = odds.death_chance(injured("plain", True, pits_lost=Fraction(0)))
    lost = odds.death_chance(injured("plain", True, pits_lost=Fraction(1)))
    assert Fraction(5, 36) < plain < lost < Fraction(6, 36)
    assert odds.death_chance(injured("with a herb", True)) == Fraction(5, 36)
    assert odds.death_chance(injured("regenerating", True)) < plain / Fraction(19, 10)
    assert odds.death_chance(injured("one-eyed", True, pits_lost=Fraction(0))) > plain + Fraction(1, 36)


@pytest.mark.parametrize(
    ("rules", "dead"), [([], Fraction(1, 3)), (["Supernal"], Fraction(1, 2)), (["Regeneration (4+)"], Fraction(1, 6))]
)
def test_injuries_of_henchmen(rules: list[str], dead: Fraction) -> None:
    group = {"kind": "henchmen", "models": 1, "rules": rules}
    fighter = warband({"victim": group}).fighters["victim"]
    assert odds.injury_odds(Injured(fighter, pack())) == {"Dead": dead, "Full Recovery": 1 - dead}
    assert odds.death_chance(Injured(fighter, pack())) == dead
    runs = [hurt(group, number, True, Fixed()) for number in range(ROLLS // 3)]
    assert_fits(["victim" in run.state.fighters for run in runs], {True: 1 - dead, False: dead})


@pytest.mark.parametrize("drug", ["Mad Mushroom"])
def test_addiction(drug: str) -> None:
    band = warband({"user": {"used": [drug]}})
    addicted = [bool(after(start, band, number).fighter("user").addictions) for number in range(ROLLS)]
    chance = odds.at_most(3, distribution("2D6"))
    assert_fits(addicted, {True: chance, False: 1 - chance})


ADVANCING: dict[str, dict[str, Any]] = {
    "hero": {"skill_lists": ["Combat"], "weapon_proficiencies": ["Bow"]},
    "hero at his limits": {"profile": {"Str": 4, "AP": 1, "Att": 4, "Res": 4}, "skill_lists": ["Combat"]},
    "group": {"kind": "henchmen", "models": 3},
    "learned group": {"kind": "henchmen", "models": 3, "advances": ["Dis", "Off+Def"], "profile": {"BS": 0}},
}


@pytest.mark.parametrize("kind", ADVANCING)
def test_advancements(kind: str) -> None:
    band = warband({"pupil": {**ADVANCING[kind], "experience": 2, "rolls_taken": 0}})
    rows = odds.advancement_odds(band.fighters["pupil"], band, pack())
    assert sum(row.chance for row in rows) == 1
    runs = [after(advancement, band, number) for number in range(ROLLS // 3)]
    totals = [run.rolls[last_roll(run)].total for run in runs]
    found = [next(row.low for row in rows if row.low <= total <= row.high) for total in totals]
    assert_fits(found, {row.low: row.chance for row in rows})


def last_roll(run: StepRun) -> int:
    """The roll that counted: the one named by the first advance."""
    key = next(fact.roll for fact in run.facts if fact.what == "advance")
    return next(place for place, roll in enumerate(run.rolls) if roll.key == key)


def test_closed_options_are_left_out() -> None:
    band = warband({"pupil": ADVANCING["learned group"]})
    rows = {row.low: row for row in odds.advancement_odds(band.fighters["pupil"], band, pack())}
    assert set(rows) == {4, 5, 8, 9, 10}
    assert rows[10].chance == Fraction(6, 3 + 4 + 5 + 4 + 6)
    without = odds.advancement_odds(band.fighters["pupil"], band, pack(), may_rise=False)
    assert {row.low for row in without} == {4, 5, 8, 9}


def test_the_whole_table_has_its_closed_rows_without_a_chance() -> None:
    band = warband({"pupil": ADVANCING["learned group"]})
    rows = {row.low: row for row in odds.advancement_table(band.fighters["pupil"], band, pack())}
    assert list(rows) == [2, 4, 5, 6, 8, 9, 10]
    assert {low for low, row in rows.items() if not row.chance} == {2, 6}
    assert all(bool(row.options) == bool(row.chance) and row.text for row in rows.values())
    assert sum(row.chance for row in rows.values()) == 1


def test_what_fate_can_make_of_an_advancement_roll() -> None:
    """A 1 and a 5 was to be rerolled. With the 1 thrown again a 6 and a 7 are closed still, 2 of 6 ways."""
    band = warband({"pupil": ADVANCING["learned group"]})
    found = odds.advancement_reroll_odds(band.fighters["pupil"], band, pack(), shown("2D6", 1, 5))
    afresh = {row.low: row.chance for row in odds.advancement_table(band.fighters["pupil"], band, pack())}
    again = {row.low: row.chance for row in found[0]}
    assert set(found) == {0, 1}
    assert again[8] == Fraction(1, 6) + Fraction(2, 6) * afresh[8]
    assert again[10] == Fraction(2, 6) + Fraction(2, 6) * afresh[10]
    assert sum(again.values()) == 1
    assert again[2] == again[6] == 0


def test_nothing_left_to_gain() -> None:
    keys = ("Dis", "Agi", "Str", "Off+Def", "BS", "Att", "AP")
    band = warband({"pupil": {"kind": "henchmen", "models": 2, "advances": list(keys)}})
    assert odds.advancement_odds(band.fighters["pupil"], band, pack(), may_rise=False) == []


# Exploration ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dice", range(1, 7))
def test_sets_by_enumeration(dice: int) -> None:
    counts = [Counter(faces) for faces in product(range(1, 7), repeat=dice)]
    for kind in range(2, 7):
        shown = sum(max(count.values()) >= kind for count in counts)
        assert odds.set_chance(dice, kind) == Fraction(shown, 6**dice)
        exactly = sum(count[3] == kind for count in counts)
        assert odds.result_chance(dice, kind) == Fraction(exactly, 6**dice)


def can_show(faces: tuple[int, ...], kind: int) -> bool:
    """Whether threes can be kept exactly so often among six dice."""
    threes, others = faces.count(3), len(faces) - faces.count(3)
    kept = min(6, len(faces))
    return threes >= kind and others >= kept - kind and (len(faces) > 6 or threes == kind)


def test_results_with_more_dice_than_count() -> None:
    rolls = list(product(range(1, 7), repeat=7))
    for kind in range(2, 7):
        shown = sum(can_show(faces, kind) for faces in rolls)
        assert odds.result_chance(7, kind) == Fraction(shown, 6**7)


@pytest.mark.parametrize("faces", [(1, 1, 2, 3), (3, 3, 3, 4, 5, 6), (3, 3, 3, 3, 1, 2, 5, 6)])
def test_what_fate_can_make_of_an_exploration_roll(faces: tuple[int, ...]) -> None:
    for die in range(len(faces)):
        found = odds.exploration_reroll_odds(faces, die, pack())
        assert set(found) == set(pack().exploration)
        rolls = [(*faces[:die], face, *faces[die + 1 :]) for face in range(1, 7)]
        for kind in range(2, 7):
            assert found["3" * kind] == Fraction(sum(can_show(roll, kind) for roll in rolls), 6)


def test_seven_dice_always_show_a_pair() -> None:
    assert odds.set_chance(7, 2) == 1
    assert odds.set_chance(5, 6) == 0
    assert odds.set_chance(0, 2) == 0


def test_every_result_of_the_table_has_its_chance() -> None:
    found = odds.exploration_odds(6, pack())
    assert set(found) == set(pack().exploration)
    assert found["111111"] == Fraction(1, 6**6)
    assert found["22"] == found["55"] == odds.result_chance(6, 2)


class HighestSix(Policy):
    def answer(self, question: Question, run: Any) -> Answer:
        if question.topic != "keep_six":
            return question.default
        ranked = sorted(question.options, key=lambda option: int(option.label), reverse=True)
        return [option.key for option in ranked[:6]]


@pytest.mark.parametrize(
    ("devotion", "result", "dice"), [("high", "lost", 5), ("medium", "lost", 6), ("low", "won", 8)]
)
def test_income(devotion: str, result: str, dice: int) -> None:
    band = warband({"captain": {}}, devotion=devotion)
    runs = [after(exploration, band, n, {"reds": {"result": result}}, HighestSix()) for n in range(ROLLS // 6)]
    gains = [income_of(run) for run in runs]
    assert_fits(gains, odds.income_odds(dice, pack()))


def income_of(run: StepRun) -> int:
    paid = (change for change in run.changes if isinstance(change, TreasuryChanged))
    return next(change.amount for change in paid if change.cause == "income")


def test_income_without_dice() -> None:
    assert odds.income_odds(0, pack()) == {60: 1}
