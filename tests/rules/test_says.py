"""Every effect can be said, and says what it does."""

from collections.abc import Iterator
from typing import Any, get_args

import pytest
from msgspec import Struct

from rules.codex.bonuses import USED, WHEN
from rules.codex.links import NOTES
from rules.codex.says import Branch, Said, say, say_all
from rules.engine.pack import effects as e
from rules.engine.pack.schema import Bonus, Use
from rules.engine.traits import parse_rule
from rules.library import pack

EVERY = get_args(e.AnyEffect)


@pytest.mark.parametrize("kind", EVERY, ids=lambda kind: kind.__name__)
def test_every_class_of_effect_has_a_sentence(kind: type) -> None:
    assert say.dispatch(kind) is not say.dispatch(object)


def test_an_unknown_effect_is_a_bug() -> None:
    with pytest.raises(NotImplementedError):
        say(object())


def things(thing: Any, kind: type) -> Iterator[Any]:
    """Everything of a kind anywhere in the packs."""
    if isinstance(thing, kind):
        yield thing
    if isinstance(thing, Struct):
        for name in thing.__struct_fields__:
            yield from things(getattr(thing, name), kind)
    elif isinstance(thing, dict):
        for value in thing.values():
            yield from things(value, kind)
    elif isinstance(thing, tuple):
        for value in thing:
            yield from things(value, kind)


def sentences(says: tuple[Said, ...]) -> Iterator[str]:
    for said in says:
        yield said.text
        for branch in said.branches:
            yield branch.label
            yield from sentences(branch.says)


def test_every_effect_in_the_packs_is_said() -> None:
    found = list(things(pack(), e.Effect))
    assert {type(effect) for effect in found} == set(EVERY)
    for effect in found:
        assert all(text.strip() and "%(" not in text and "{" not in text for text in sentences((say(effect),)))


def test_every_condition_and_every_use_in_the_packs_is_known() -> None:
    assert {bonus.when for bonus in things(pack(), Bonus) if bonus.when} <= set(WHEN)
    assert {use.when for use in things(pack(), Use)} <= set(USED)


def test_every_keyword_is_a_rule_or_a_note() -> None:
    words = {word for item in pack().items.values() for word in item.keywords}
    assert {word for word in words if parse_rule(word).name not in pack().rules} == set(NOTES)


def test_the_rows_of_a_table_have_chances_that_add_up() -> None:
    for table in things(pack(), e.SubTable):
        branches = say(table).branches
        if table.dice == 1:
            assert sum(branch.share or 0 for branch in branches) == 1


@pytest.mark.parametrize(
    ("effect", "text"),
    [
        (e.Points(amount="D6x10"), "D6 × 10 points for the treasury."),
        (e.Delay(), "Delayed at the end of this warband phase."),
        (
            e.Characteristic(changes={"Adv": -1, "Mar": -2}, minimum={"Adv": 3, "Mar": 4}),
            "−1 Advance Rate and −2 March Rate. Never below Advance Rate 3 and March Rate 4.",
        ),
        (e.Again(reroll=(1, 2)), "Roll again on this table; 1 and 2 are rolled anew."),
        (e.RarityModifier(modifier="1", lasting=True), "Every rarity roll from now on: +1."),
        (e.GainExperience(amount="D6", who="heroes"), "D6 experience, shared evenly among the heroes."),
    ],
)
def test_sentences(effect: e.AnyEffect, text: str) -> None:
    assert say(effect).text == text


def test_two_dice_to_pick_from_make_rows_likelier() -> None:
    rows = tuple(e.Row(low=face, high=face, effects=(e.Nothing(),)) for face in range(1, 7))
    assert [branch.percent for branch in say(e.SubTable(rows=rows, dice=2)).branches] == ["30.6"] * 6


def test_branches_keep_their_order() -> None:
    (said,) = say_all((e.Test(characteristic="Dis", passed=(e.Nothing(),), failed=(e.Vanquish(),)),))
    assert [branch.label for branch in said.branches] == ["Passed", "Failed"]
    assert all(isinstance(branch, Branch) for branch in said.branches)
