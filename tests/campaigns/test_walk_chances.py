"""The odds that the walk shows are those of the dice: counted against every way they can fall."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from campaigns.walk.chances import before_roll, fate_chances
from campaigns.walk.story import faces_of
from campaigns.walk.tables import rows_around
from campaigns.walk.trace import Line, Traced, Wanted
from rules.codex.chances import injury_kind
from rules.engine import scenario
from rules.engine.acts import vanquish
from rules.engine.apply import row_for
from rules.engine.dice import Roll, ScriptedDice, make_roll
from rules.engine.expressions import DiceExpression
from rules.library import pack


@pytest.fixture
def traced() -> Traced:
    """Smith and guards of the wardens, taken out by the tuskers' boss."""
    wardens = {"army": "EoS", "fighters": {"captain": {}, "smith": {}, "guards": {"kind": "henchmen", "models": 3}}}
    warbands = {
        "w": scenario.warband("w", wardens, pack()),
        "t": scenario.warband("t", {"army": "OnG", "fighters": {"boss": {"species": "Orc"}}}, pack()),
    }
    down = {"smith": {"out_of_action": 1, "by": {"warband": "t"}}, "captain": {"out_of_action": 1}}
    battle = scenario.battle({"w": {"result": "lost", "fighters": down}}, warbands, pack())
    return Traced("injury", warbands, "w", battle, pack(), ScriptedDice([]))


def rolled(key: str, purpose: str, expression: str, *faces: int, maximised: int = 0) -> Roll:
    dice = DiceExpression.parse(expression)
    return make_roll(ScriptedDice(faces), key, purpose, dice, maximised=maximised)


def shares(chances: Any) -> dict[str, Fraction]:
    return {chance.kind: chance.share for chance in chances}


def test_an_injury_is_counted_row_by_row(traced: Traced) -> None:
    found = before_roll(traced, Wanted("w/injury/smith/injury", "injury", "D66", 2))
    kinds = Counter(
        injury_kind(row_for(pack().injury_higher, 10 * tens + ones).effects)
        for tens, ones in product(range(1, 7), repeat=2)
    )
    assert shares(found.chances) == {kind: Fraction(count, 36) for kind, count in kinds.items()}


def test_nobody_is_captured_by_nobody(traced: Traced) -> None:
    found = before_roll(traced, Wanted("w/injury/captain/injury", "injury", "D66", 2))
    assert sum(shares(found.chances).values()) == 1
    assert "Captured or sold" not in [chance.label for chance in found.chances]
    assert shares(found.chances)["dead"] == Fraction(5, 35)


def test_of_several_injuries_death_is_rolled_again(traced: Traced) -> None:
    found = before_roll(traced, Wanted("w/injury/smith/injury/2", "injury", "D66", 2))
    assert "dead" not in shares(found.chances)
    assert sum(shares(found.chances).values()) == 1


def test_henchmen_have_the_short_table(traced: Traced) -> None:
    found = before_roll(traced, Wanted("w/injury/guards/1/injury", "injury", "D6", 1))
    assert shares(found.chances) == {"dead": Fraction(1, 3), "good": Fraction(2, 3)}


def test_a_die_that_fate_throws_again_is_counted(traced: Traced) -> None:
    roll = rolled("w/injury/smith/injury", "injury", "D66", 2, 5)
    tens, units = fate_chances(traced, roll, traced.state)
    kinds = Counter(injury_kind(row_for(pack().injury_higher, 10 * face + 5).effects) for face in range(1, 7))
    assert shares(tens.chances) == {kind: Fraction(count, 6) for kind, count in kinds.items()}
    assert (tens.caption, units.caption) == ("tens", "units")
    assert "Dead" not in units.says


@pytest.mark.parametrize(
    ("purpose", "worse", "share"),
    [
        ("regeneration on 5+", "Does not regenerate", Fraction(2, 3)),
        ("Silk Clothes are ruined on 1-3", "It happens", Fraction(1, 2)),
        ("wanders off on 5+", "Misses the next battle", Fraction(1, 3)),
    ],
)
def test_a_number_to_reach_is_read_from_the_roll(traced: Traced, purpose: str, worse: str, share: Fraction) -> None:
    found = before_roll(traced, Wanted("w/injury/smith/x", purpose, "D6", 1)).chances
    assert (found[0].label, found[0].share, found[0].kind) == (worse, share, "hurt")
    assert sum(part.share for part in found) == 1


def test_in_a_duel_each_die_counts_for_itself(traced: Traced) -> None:
    found = before_roll(traced, Wanted("w/injury/smith/duel/hit", "Otto to hit on 3+", "4D6", 4))
    assert (list(found.chances), found.note) == ([], "Each die has a chance of 66.7 %.")


def test_exploration_is_counted_by_its_best_set(traced: Traced) -> None:
    found = before_roll(traced, Wanted("w/exploration/dice", "exploration: 5 high devotion", "5D6", 5))
    best = Counter(max(Counter(faces).values()) for faces in product(range(1, 7), repeat=5))
    assert [chance.share for chance in found.chances] == [Fraction(best[kind], 6**5) for kind in range(1, 6)]
    assert "on average" in found.note


def test_every_part_of_an_advancement_adds_up(traced: Traced) -> None:
    for who in ("smith", "guards"):
        found = before_roll(traced, Wanted(f"w/advancement/{who}/advance 1", "advancement", "2D6", 2))
        assert sum(chance.share for chance in found.chances) == 1


def test_what_is_on_no_table_has_a_range(traced: Traced) -> None:
    assert before_roll(traced, Wanted("w/exploration/x", "Shop: points", "2D6", 2)).note == "2 to 12, on average 7."


def test_dice_that_do_not_count_are_drawn_as_dropped() -> None:
    roll = rolled("k", "rarity roll", "2D6", 6, 1, 4, maximised=1)
    assert [face.state for face in faces_of(roll)] == ["kept", "gone", "kept"]


def test_the_rows_around_a_roll_show_the_one_that_was_hit(traced: Traced) -> None:
    rows = rows_around(rolled("k", "injury", "D66", 2, 5), traced.fighter("smith"), pack())
    assert [(row.numbers, row.hit) for row in rows] == [("24", False), ("25", True), ("26", False)]
    further = rows_around(rolled("k", "Smashed Leg", "D6", 2), traced.fighter("smith"), pack())
    assert sum(row.hit for row in further) == 1
    assert all(row.name for row in further)
    assert rows_around(rolled("k", "Shop: points", "2D6", 2, 2), None, pack()) == []


def test_fate_is_counted_for_whom_the_roll_has_just_killed(traced: Traced) -> None:
    began = traced.state
    traced.lines.append(Line(roll="w/injury/smith/injury"))
    vanquish(traced, "smith", "Dead")
    assert "smith" not in traced.state.fighters
    tens, units = fate_chances(traced, rolled("w/injury/smith/injury", "injury", "D66", 1, 1), began)
    assert shares(tens.chances)["dead"] == Fraction(1, 6)
    assert shares(units.chances)["dead"] == Fraction(5, 6)
