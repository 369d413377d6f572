import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine.dice import NeedsDice, RecordedDice, Roll, ScriptedDice, SeededDice, make_roll, verify
from rules.engine.errors import InputError, RuleViolation
from rules.engine.expressions import DiceExpression

SEED = b"the salt road"


def rolled(text: str, *faces: int, **how: int | tuple[int, ...] | bool) -> Roll:
    return make_roll(ScriptedDice(faces), "key", "test", DiceExpression.parse(text), **how)  # type: ignore[arg-type]


@pytest.mark.parametrize(("face", "total"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_4_3_1_a_d3_is_a_halved_d6_that_keeps_its_natural_value(face: int, total: int) -> None:
    roll = rolled("D3", face)
    assert (roll.total, roll.natural) == (total, face)


def test_16_2_a_d66_is_tens_and_ones() -> None:
    assert rolled("D66", 3, 5).total == 35


def test_4_3_dice_are_added_up_and_modified() -> None:
    assert rolled("2D6", 3, 5, modifier=-1).total == 7
    assert rolled("D6x10", 4).total == 40
    assert rolled("5D6x5", 1, 2, 3, 4, 5).total == 75
    assert rolled("D3+1", 6).total == 4


def test_4_3_2_maximised_and_minimised_rolls_are_cumulative() -> None:
    two_more = rolled("3D6", 1, 6, 2, 5, 3, maximised=2)
    assert (two_more.total, two_more.kept) == (14, (1, 3, 4))
    assert rolled("2D6", 6, 2, 3, maximised=-1).total == 5


def test_a_total_is_clamped() -> None:
    assert rolled("3D6", 6, 6, 6, modifier=4, highest=18).total == 18
    assert rolled("D3-1", 1, lowest=0).total == 0


def test_4_3_4_a_fate_reroll_replaces_one_die_once() -> None:
    roll = rolled("2D6", 1, 4, 6, fate=(0,))
    assert (roll.faces, roll.total, roll.may_reroll) == ((6, 4), 10, (1,))
    assert (roll.rerolls[0].die, roll.rerolls[0].was) == (0, 1)


@pytest.mark.parametrize("fate", [(0, 0), (2,)])
def test_4_3_a_die_is_rerolled_at_most_once(fate: tuple[int, ...]) -> None:
    with pytest.raises(RuleViolation, match="cannot be rerolled"):
        rolled("2D6", 1, 2, 3, 4, fate=fate)


def test_fate_stays_off_forbidden_rolls() -> None:
    assert rolled("D6", 3, fate_allowed=False).may_reroll == ()
    with pytest.raises(RuleViolation):
        rolled("D6", 3, 4, fate=(0,), fate_allowed=False)


@given(st.lists(st.text(min_size=1, max_size=8), min_size=2, max_size=8, unique=True), st.randoms())
def test_seeded_dice_do_not_depend_on_the_order_of_rolls(keys: list[str], random: object) -> None:
    forwards, backwards = SeededDice(SEED), SeededDice(SEED)
    first = {key: [forwards.face(key, index) for index in range(40)] for key in keys}
    again = {key: [backwards.face(key, index) for index in range(40)] for key in reversed(keys)}
    assert first == again


def test_seeded_faces_are_even() -> None:
    """A chi-squared of 20.5 with five degrees of freedom has a chance of one in a thousand."""
    dice = SeededDice(SEED)
    count = 60_000
    faces = [dice.face(f"roll {number}", 0) for number in range(count)]
    chi_squared = sum((faces.count(face) - count / 6) ** 2 / (count / 6) for face in range(1, 7))
    assert chi_squared < 20.5


def test_every_roll_can_be_recomputed_from_the_seed() -> None:
    dice = SeededDice(SEED)
    rolls = [make_roll(dice, f"roll {n}", "test", DiceExpression.parse("2D6"), fate=(1,)) for n in range(20)]
    assert verify(SEED, dice.commitment, rolls) == []
    forged = Roll("roll 3", "test", "2D6", (6, 6), (0, 1), 0, 12)
    assert verify(SEED, dice.commitment, [forged]) or rolls[3].faces == (6, 6)
    assert verify(b"another", dice.commitment, rolls)[0] == "the seed does not fit the commitment"


def test_dice_from_the_table_are_checked_and_marked() -> None:
    dice = RecordedDice({"mine": [4, 2]}, SeededDice(SEED))
    assert make_roll(dice, "mine", "test", DiceExpression.parse("2D6")).physical
    assert not make_roll(dice, "other", "test", DiceExpression.parse("2D6")).physical
    with pytest.raises(InputError, match="mine: 7 is no face of a die"):
        RecordedDice({"mine": [7]})


def test_a_roll_waits_for_all_its_dice() -> None:
    with pytest.raises(NeedsDice) as waiting:
        make_roll(RecordedDice({}), "mine", "test", DiceExpression.parse("2D6"), maximised=1)
    assert (waiting.value.key, waiting.value.count) == ("mine", 3)


@pytest.mark.parametrize("face", [0, 7, 2.5, "3", True])
def test_scripted_faces_are_checked(face: int) -> None:
    with pytest.raises(InputError, match="is no face of a die"):
        ScriptedDice([face])
