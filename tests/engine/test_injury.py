"""What holds for every injury step, whatever the dice show; and characteristic tests (5.3)."""

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.engine import trials
from rules.engine.battle import Battle, Cause, Deed, Participant
from rules.engine.captives import Deal, deal_for, remember, settle
from rules.engine.changes import fold, unfold
from rules.engine.dice import ScriptedDice, SeededDice
from rules.engine.pack.load import load_packs
from rules.engine.phases.injury import injury
from rules.engine.phases.start import start
from rules.engine.questions import Choices, Policy
from rules.engine.run import PhaseResult, StepRun, resolve
from rules.engine.scenario import warband
from rules.engine.state import Warband
from rules.engine.state import evolve as replace

pack = cache(load_packs)

RIVALS = {"fighters": {"grim": {"species": "Orc"}}}
ITEMS = ["Sword", "Shield", "Healing Herb", "Silk Clothes", "Warhorse", "Heavy Armour"]
RULES = ["Regeneration (4+)", "Supernal", "Undead", "Slow Learner", "Wanderer (5+)", "Fearless"]
INJURIES = ["Blinded in One Eye", "Old Battle Wound", "Nervous Condition"]
DRUGS = ["Crimson Shadow", "Mad Mushroom", "Mandrake Roots", "Liquor Flask", "Healing Potion"]


@st.composite
def members(draw: st.DrawFn) -> dict[str, Any]:
    if draw(st.booleans()):
        models = draw(st.integers(1, 5))
        items = [name for name in draw(st.lists(st.sampled_from(ITEMS[:2]), unique=True)) for _ in range(models)]
        return {"kind": "henchmen", "models": models, "items": items, "rules": draw(some(RULES, 2))}
    return {
        "kind": draw(st.sampled_from(["hero", "hireling"])),
        "items": draw(some(ITEMS, 4)),
        "rules": draw(some(RULES, 2)),
        "injuries": draw(st.lists(st.sampled_from(INJURIES), max_size=4)),
        "used": draw(some(DRUGS, 2)),
        "hands_lost": draw(st.integers(0, 1)),
    }


def some(names: list[str], most: int) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(names), max_size=most, unique=True)


@st.composite
def battles(draw: st.DrawFn) -> tuple[dict[str, Warband], Battle]:
    fighters = {f"f{number}": draw(members()) for number in range(draw(st.integers(1, 6)))}
    devotion = draw(st.sampled_from(["low", "medium", "high"]))
    mine = warband("w", {"fighters": {"boss": {}, **fighters}, "devotion": devotion, "next_id": 90}, pack())
    theirs = warband("v", RIVALS, pack())
    by = st.sampled_from([Cause(), Cause("v", "grim", "Orc"), Cause("w", "boss", "Human"), Cause(species="Wolf")])
    deeds = {key: Deed(out_of_action=draw(st.integers(0, 3)), by=draw(by)) for key in mine.fighters}
    parts = {"w": Participant("w", fought=("v",), deeds=deeds), "v": Participant("v", fought=("w",))}
    return {"w": mine, "v": theirs}, Battle("b", parts)


def played(
    warbands: dict[str, Warband],
    battle: Battle,
    seed: int,
    choices: Choices | None = None,
    policy: Policy | None = None,
) -> tuple[PhaseResult, StepRun]:
    dice = SeededDice(str(seed).encode())
    run = StepRun("injury", warbands, "w", battle, pack(), dice, choices or Choices(), policy=policy)
    return resolve(injury, run), run


@given(battles(), st.integers(0, 10**6))
@settings(deadline=None, max_examples=150)
def test_the_injuries_always_end_and_can_be_taken_back(made: tuple[dict[str, Warband], Battle], seed: int) -> None:
    warbands, battle = made
    result, run = played(warbands, battle, seed, policy=Policy())
    assert result.complete
    mine = [change for change in result.changes if change.warband == "w"]
    assert fold(warbands["w"], mine) == run.state
    assert in_order(unfold(run.state, mine)) == in_order(warbands["w"])


def in_order(state: Warband) -> Warband:
    """Taking back puts things and rules back, but not always in the place where they were."""
    fighters = {
        key: replace(fighter, items=tuple(sorted(fighter.items, key=str)), rules=tuple(sorted(fighter.rules, key=str)))
        for key, fighter in sorted(state.fighters.items())
    }
    return replace(state, fighters=fighters)


@given(battles(), st.integers(0, 10**6))
@settings(deadline=None, max_examples=150)
def test_what_injuries_never_do(made: tuple[dict[str, Warband], Battle], seed: int) -> None:
    warbands, battle = made
    _, run = played(warbands, battle, seed, policy=Policy())
    before, after = warbands["w"], run.state
    for key, fighter in after.fighters.items():
        deed, old = battle.participants["w"].deed(key), before.fighters[key]
        assert old.models - min(deed.out_of_action, old.models) <= fighter.models <= old.models
        assert not fighter.captive_of or (fighter.captive_of == "v" and deed.by.warband == "v" and not fighter.is_group)
        assert fighter.profile["Agi"] >= 1
        assert min(fighter.profile.values()) >= 0
        assert len({(rule.name, rule.against) for rule in fighter.rules}) == len(fighter.rules)
        if not deed.out_of_action:
            assert fighter == old
    for key in before.fighters:
        assert key in after.fighters or battle.participants["w"].deed(key).out_of_action
    assert after.stockpile == before.stockpile
    assert run.warbands["v"] == warbands["v"]
    assert after.treasury in range(before.treasury, before.treasury + 50 * len(before.fighters) + 1, 50)


@given(battles(), st.integers(0, 10**6))
@settings(deadline=None, max_examples=60)
def test_a_step_that_stops_at_every_question_comes_to_the_same_end(
    made: tuple[dict[str, Warband], Battle], seed: int
) -> None:
    warbands, battle = made
    at_once, _ = played(warbands, battle, seed, policy=Policy())
    answers: dict[str, Any] = {}
    while True:
        result, _ = played(warbands, battle, seed, Choices(answers))
        if result.complete:
            break
        (question,) = result.pending
        answers[question.key] = question.default
    assert (result.changes, result.rolls) == (at_once.changes, at_once.rolls)


@given(battles(), st.integers(0, 10**6), st.data())
@settings(deadline=None, max_examples=60)
def test_giving_somebody_up_leaves_the_dice_of_the_others_as_they_were(
    made: tuple[dict[str, Warband], Battle], seed: int, data: st.DataObject
) -> None:
    warbands, battle = made
    first, _ = played(warbands, battle, seed)
    if not first.pending:
        return
    (question,) = first.pending
    given_up = data.draw(some([option.key for option in question.options], 3))
    before, _ = played(warbands, battle, seed, policy=Policy())
    after, run = played(warbands, battle, seed, Choices({question.key: given_up}), Policy())
    assert after.complete
    faces = {roll.key: roll.faces for roll in before.rolls}
    assert all(faces.get(roll.key, roll.faces) == roll.faces for roll in after.rolls)
    assert "boss" in run.state.fighters or battle.participants["w"].deed("boss").out_of_action


@given(battles(), st.integers(0, 10**6))
@settings(deadline=None, max_examples=60)
def test_the_start_forgets_everything_that_was_used(made: tuple[dict[str, Warband], Battle], seed: int) -> None:
    warbands, battle = made
    run = StepRun("start", warbands, "w", battle, pack(), SeededDice(str(seed).encode()))
    result = resolve(start, run)
    assert result.complete
    assert not any(fighter.used for fighter in run.state.fighters.values())
    assert unfold(run.state, result.changes) == warbands["w"]


# Deals ------------------------------------------------------------------------------------------------


def trade(mine: dict[str, Any], theirs: dict[str, Any]) -> StepRun:
    warbands = {"w": warband("w", mine, pack()), "v": warband("v", theirs, pack())}
    parts = {key: Participant(key) for key in warbands}
    return StepRun("player_trade", warbands, "w", Battle("b", parts), pack(), SeededDice(b"x"), policy=Policy())


@given(st.integers(0, 99), st.sets(st.sampled_from(["i1", "i2", "i3"])), st.sets(st.sampled_from(["v/a", "v/b/c"])))
def test_a_deal_is_remembered_as_it_was_struck(points: int, items: set[str], captives: set[str]) -> None:
    run = trade({"fighters": {"boss": {}, "otto": {"captive_of": "v"}, "otto2": {"captive_of": "v"}}}, RIVALS)
    deal = Deal(points, tuple(sorted(items)), tuple(sorted(captives)))
    remember(run, "otto", deal)
    assert deal_for(run.state, "otto") == deal
    assert deal_for(run.state, "otto2") is None


@given(st.integers(0, 60), st.integers(0, 60))
@settings(deadline=None)
def test_no_points_or_things_appear_or_vanish_in_an_exchange(treasury: int, price: int) -> None:
    mine = {"treasury": treasury, "stockpile": ["Axe"], "fighters": {"boss": {}, "otto": {"captive_of": "v"}}}
    run = trade(mine, {**RIVALS, "treasury": 5})
    axe = run.state.stockpile[0]
    remember(run, "otto", Deal(price, (axe.id,)))
    settle(run)
    free = price <= treasury
    sold = sum(roll.total for roll in run.rolls)
    assert run.state.treasury + run.warbands["v"].treasury == treasury + 5 + sold
    assert ("otto" in run.state.fighters) == free
    assert len(run.state.stockpile) + len(run.warbands["v"].stockpile) == 1
    assert not run.state.effects


# Characteristic tests ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("characteristic", "faces", "passed"),
    [
        ("Str", [3], True), ("Str", [4], False), ("Agi", [3], True), ("Res", [6], False),
        ("Dis", [3, 4], True), ("Dis", [4, 4], False), ("Dis", [6, 1], True),
    ],
)  # fmt: skip
def test_5_3_a_test_is_passed_with_the_value_or_less(characteristic: str, faces: list[int], passed: bool) -> None:
    assert taken(characteristic, faces) == passed


def test_5_3_a_6_always_fails() -> None:
    assert not taken("Str", [6], profile={"Str": 8})
    assert taken("Str", [5], profile={"Str": 8})


def test_5_3_rider_and_mount_take_one_test_with_the_better_value() -> None:
    assert taken("Str", [4], items=["Raptor"])
    assert not taken("Str", [4], items=["Warhorse"])
    assert taken("Agi", [5], items=["Raptor"], profile={"Agi": 5})


def taken(characteristic: str, faces: list[int], **entry: Any) -> bool:
    warbands = {"w": warband("w", {"fighters": {"otto": entry}}, pack())}
    run = StepRun("s", warbands, "w", Battle("b", {"w": Participant("w")}), pack(), ScriptedDice(faces))
    return trials.test(run, "otto", characteristic, "test")[0]
