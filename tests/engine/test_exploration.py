"""Exploration in one run and in three rounds, and what holds for every warband and all dice."""

from collections import Counter
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine.battle import Battle, Deed, Participant
from rules.engine.changes import unfold
from rules.engine.dice import RecordedDice, ScriptedDice, SeededDice
from rules.engine.errors import RuleViolation
from rules.engine.pack.load import load_packs
from rules.engine.pack.schema import Pack
from rules.engine.phases.exploration import (
    ROLL,
    best_six,
    exploration,
    income,
    spy,
    spying_order,
    throw,
)
from rules.engine.questions import Choices, Policy
from rules.engine.run import PhaseResult, StepFunction, StepRun, resolve
from rules.engine.scenario import HUMAN
from rules.engine.state import DEVOTIONS, Effect, Fighter, Item, Warband, evolve

FACES = st.integers(1, 6)


@cache
def pack() -> Pack:
    return load_packs()


def hero(key: str, **fields: object) -> Fighter:
    return Fighter(key, key, "hero", "", "Human", dict(HUMAN), **fields)  # type: ignore[arg-type]


def band(key: str, *fighters: Fighter, **fields: object) -> Warband:
    roster = {fighter.id: fighter for fighter in fighters}
    return Warband(key, key, "EoS", leader=next(iter(roster), ""), fighters=roster, **fields)  # type: ignore[arg-type]


def battle(*bands: Warband) -> Battle:
    names = [warband.id for warband in bands]
    parts = {
        warband.id: Participant(
            warband.id,
            fought=tuple(name for name in names if name != warband.id),
            deeds={key: Deed() for key in warband.fighters},
        )
        for warband in bands
    }
    return Battle("b1", parts)


class Table:
    """A battle whose warbands do one round of a step after the other."""

    def __init__(self, *bands: Warband, seed: bytes = b"table", answers: dict[str, object] | None = None) -> None:
        self.bands = {warband.id: warband for warband in bands}
        self.battle = battle(*bands)
        self.seed = seed
        self.choices = Choices(answers or {})

    def run(self, function: StepFunction, me: str) -> PhaseResult:
        run = self.start(me)
        result = resolve(function, run)
        assert result.complete
        self.bands = run.warbands
        return result

    def start(self, me: str) -> StepRun:
        return StepRun(
            "exploration", self.bands, me, self.battle, pack(), SeededDice(self.seed), self.choices, policy=Policy()
        )

    def dice(self, me: str) -> list[int]:
        effect = self.bands[me].effect(ROLL)
        assert effect is not None
        return [int(face) for face in effect.target.split(",")]


# Rounds -------------------------------------------------------------------------------------------------


@given(st.binary(min_size=4, max_size=4))
def test_three_rounds_without_a_spy_are_one_run(seed: bytes) -> None:
    warbands = (band("A", hero("a")), band("B", hero("b")))
    at_once, in_rounds = Table(*warbands, seed=seed), Table(*warbands, seed=seed)
    for key in ("A", "B"):
        at_once.run(exploration, key)
    for function in (throw, spy, exploration):
        for key in ("A", "B"):
            in_rounds.run(function, key)
    assert in_rounds.bands == at_once.bands


def test_nobody_spies_before_the_dice_lie_on_the_table() -> None:
    with pytest.raises(RuleViolation, match="have to be rolled"):
        Table(band("A", hero("a"))).run(spy, "A")


def test_a_second_throw_changes_nothing() -> None:
    table = Table(band("A", hero("a")))
    table.run(throw, "A")
    assert not table.run(throw, "A").changes


def test_two_spies_swap_one_after_the_other() -> None:
    """The second one sees what the first one did, and may undo it."""
    spies = [
        band(key, hero(f"{key}1", skills=("Espionage",)), effects=(Effect(ROLL, 0, dice),))
        for key, dice in (("A", "6,1"), ("B", "5,2"))
    ]
    answers: dict[str, object] = {"A/exploration/espionage": "6-B-2", "B/exploration/espionage": "6-A-2"}
    table = Table(*spies, answers=answers)
    table.run(spy, "A")
    assert (table.dice("A"), table.dice("B")) == ([2, 1], [5, 6])
    table.run(spy, "B")
    assert (table.dice("A"), table.dice("B")) == ([6, 1], [5, 2])
    for key in ("A", "B"):
        assert not table.run(spy, key).changes
        table.run(exploration, key)
        assert table.bands[key].effect(ROLL) is None


def test_only_those_with_a_spy_are_drawn() -> None:
    delayed = hero("c", skills=("Espionage",), delayed=True)
    table = Table(band("A", hero("a", skills=("Espionage",))), band("B", hero("b")), band("C", delayed))
    assert spying_order(table.start("A")) == ["A"]


def test_who_spies_first_is_random_and_the_same_for_everybody() -> None:
    bands = [band(key, hero(key.lower(), skills=("Espionage",))) for key in "ABC"]
    orders: Counter[tuple[str, ...]] = Counter()
    for number in range(300):
        table = Table(*bands, seed=str(number).encode())
        seen = {tuple(spying_order(table.start(key))) for key in "ABC"}
        assert len(seen) == 1
        orders.update(seen)
    assert len(orders) == 6
    assert min(orders.values()) > 25


# Dice ---------------------------------------------------------------------------------------------------


@given(st.lists(FACES, min_size=7, max_size=12))
def test_best_six_has_the_most_of_a_kind_and_then_the_highest_sum(faces: list[int]) -> None:
    def worth(dice: list[int]) -> tuple[int, int]:
        return max(Counter(dice).values()), sum(dice)

    kept = best_six(faces)
    assert len(set(kept)) == 6
    every = (list(dice) for dice in combinations(faces, 6))
    assert worth([faces[place] for place in kept]) == max(map(worth, every))


@given(st.integers(0, 60))
def test_income_never_falls_with_a_higher_sum(total: int) -> None:
    assert 60 <= income(total, pack()) <= income(total + 1, pack()) <= 120


# Every warband ------------------------------------------------------------------------------------------


@st.composite
def warbands(draw: st.DrawFn) -> Warband:
    fighters = []
    for number in range(draw(st.integers(0, 6))):
        kind = draw(st.sampled_from(("hero", "hireling", "henchmen")))
        fighters.append(
            Fighter(
                f"f{number}", f"f{number}", kind, "", "Human", dict(HUMAN) | {"Upk": draw(st.integers(0, 60))},
                models=draw(st.integers(1, 4)) if kind == "henchmen" else 1,
                skills=draw(st.sampled_from(((), ("Explorer",), ("Espionage",), ("Explorer", "Haggle")))),
                items=draw(st.sampled_from(((), (Item(f"x{number}", "Riding Horse"),)))),
                delayed=draw(st.booleans()),
                captive_of=draw(st.sampled_from(("", "", "B"))),
            )
        )  # fmt: skip
    effects = draw(
        st.lists(
            st.sampled_from(
                (Effect("underdog", 2), Effect("next_exploration_dice", 1), Effect("city_map_dice", -1),
                 Effect("city_map_plus", 1), Effect("catacombs", 2), Effect("tarot", 1))
            ),
            unique=True,
        )
    )  # fmt: skip
    return band(
        "A", *fighters, devotion=draw(st.sampled_from(DEVOTIONS)), treasury=draw(st.integers(0, 40)),
        effects=tuple(effects),
    )  # fmt: skip


@given(warbands(), st.binary(min_size=4, max_size=4))
def test_exploration_holds_for_every_warband(warband: Warband, seed: bytes) -> None:
    table = Table(warband, band("B", hero("b")), seed=seed)
    result = table.run(exploration, "A")
    after = table.bands["A"]
    assert after.treasury >= 0
    assert not {"city_map_dice", "city_map_plus", "tarot", ROLL} & {effect.name for effect in after.effects}
    assert {key for key, fighter in warband.fighters.items() if fighter.delayed} <= after.fighters.keys()
    before = unfold(after, [change for change in result.changes if change.warband == "A"])
    assert Counter(before.effects) == Counter(warband.effects)
    assert evolve(before, effects=warband.effects) == warband


@given(warbands(), st.binary(min_size=4, max_size=4))
def test_answering_one_by_one_comes_to_the_same_end(warband: Warband, seed: bytes) -> None:
    """A step that stops at every question and is run again from its start is the step that never stopped."""
    bands = (warband, band("B", hero("b")))
    whole = Table(*bands, seed=seed)
    whole.run(exploration, "A")
    answers: dict[str, object] = {}
    for _ in range(20):
        choices = Choices(answers)
        run = StepRun(
            "exploration", {one.id: one for one in bands}, "A", battle(*bands), pack(), SeededDice(seed), choices
        )
        result = resolve(exploration, run)
        if result.complete:
            break
        question = result.pending[0]
        assert question.key not in answers
        answers[question.key] = question.default
    assert run.warbands == whole.bands


def test_dice_of_the_table_are_asked_for_in_one_go() -> None:
    table = Table(band("A", hero("a"), devotion="low"))
    run = StepRun("exploration", table.bands, "A", table.battle, pack(), RecordedDice({}))
    assert resolve(exploration, run).needs_dice == (("A/exploration/dice", 7),)


def test_a_roll_says_where_its_dice_come_from() -> None:
    table = Table(band("A", hero("a"), devotion="low"))
    run = StepRun("exploration", table.bands, "A", table.battle, pack(), ScriptedDice([1, 2, 3, 4, 5, 6, 6]))
    result = resolve(exploration, run)
    assert [question.topic for question in result.pending] == ["keep_six"]
    assert result.pending[0].default == ["1", "2", "3", "4", "5", "6"]
    assert result.rolls[0].purpose == "exploration: 7 low devotion"
