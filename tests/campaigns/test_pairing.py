"""Who meets whom."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.pairing import Entrant, Pairings, bracket, next_knockout_round, pair, seat, standing, through

Met = set[frozenset[str]]


def field(*scores: float) -> list[Entrant]:
    return [Entrant(f"e{number}", score) for number, score in enumerate(scores)]


def history(*pairs: tuple[int, int]) -> Met:
    return {frozenset((f"e{one}", f"e{other}")) for one, other in pairs}


@st.composite
def fields(draw: st.DrawFn, largest: int = 8) -> tuple[list[Entrant], Met]:
    entrants = field(*draw(st.lists(st.integers(0, 5), max_size=largest)))
    pairs = [frozenset((one.key, other.key)) for one, other in combinations(entrants, 2)]
    met = draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    return entrants, met


def fewest_rematches(keys: list[str], met: Met) -> int:
    """By trying every way there is."""
    if not keys:
        return 0
    first, *rest = keys
    return min(
        (frozenset((first, other)) in met) + fewest_rematches([key for key in rest if key != other], met)
        for other in rest
    )


def everybody(found: Pairings) -> list[str]:
    return sorted([key for both in found.pairs for key in both] + ([found.bye] if found.bye else []))


# Swiss -------------------------------------------------------------------------------------------
@given(fields(30), st.text(max_size=3))
def test_everyone_is_paired_exactly_once(given: tuple[list[Entrant], Met], seed: str) -> None:
    entrants, met = given
    found = pair(entrants, met, (), seed)
    assert everybody(found) == sorted(entrant.key for entrant in entrants)
    assert (found.bye is not None) == (len(entrants) % 2 == 1)


@given(fields(8))
def test_there_are_no_more_rematches_than_there_must_be(given: tuple[list[Entrant], Met]) -> None:
    entrants, met = given
    found = pair(entrants, met, ())
    keys = [entrant.key for entrant in entrants]
    fields = [[key for key in keys if key != bye] for bye in keys] if len(keys) % 2 else [keys]
    assert len(found.rematches) == min(fewest_rematches(playing, met) for playing in fields)
    assert set(found.rematches) == {both for both in found.pairs if frozenset(both) in met}


@given(fields(30), st.data())
def test_the_order_of_the_list_does_not_matter(given: tuple[list[Entrant], Met], data: st.DataObject) -> None:
    entrants, met = given
    shuffled = data.draw(st.permutations(entrants))
    assert pair(shuffled, met, (), "seed") == pair(entrants, met, (), "seed")


@given(fields(15), st.data())
def test_the_bye_goes_to_the_lowest_who_had_none(given: tuple[list[Entrant], Met], data: st.DataObject) -> None:
    entrants, _met = given
    had = data.draw(st.sets(st.sampled_from([entrant.key for entrant in entrants]))) if entrants else set()
    bye = pair(entrants, (), had).bye
    if bye is None:
        assert len(entrants) % 2 == 0
        return
    score = {entrant.key: entrant.score for entrant in entrants}
    without = set(score) - had
    assert bye in (without or score)
    assert score[bye] == min(score[key] for key in without or score)


@pytest.mark.parametrize("number", [5, 9])
def test_somebody_else_rests_where_that_avoids_a_rematch(number: int) -> None:
    """The best has met everybody but the last, who would rest."""
    found = pair(field(*range(number, 0, -1)), history(*((0, other) for other in range(1, number - 1))), ())
    assert (found.bye, found.rematches) == (f"e{number - 2}", ())


@pytest.mark.parametrize("number", range(3, 9))
@given(st.randoms(use_true_random=False))
def test_a_small_field_plays_everybody_against_everybody_before_anybody_meets_twice(
    number: int, chance: Random
) -> None:
    rounds = number if number % 2 else number - 1
    score, met, rested = {f"e{one}": 0 for one in range(number)}, set[frozenset[str]](), list[str]()
    for played in range(rounds):
        entrants = [Entrant(key, points) for key, points in score.items()]
        found = pair(entrants, met, rested, str(chance.random()), rounds - played - 1)
        assert not found.rematches
        met |= {frozenset(both) for both in found.pairs}
        rested += [found.bye] if found.bye else []
        for both in found.pairs:
            score[chance.choice(both)] += 3
    assert len(met) == number * (number - 1) // 2
    assert len(set(rested)) == len(rested)


def test_best_scores_meet_each_other() -> None:
    found = pair(field(0, 9, 3, 6, 9, 6, 3, 0), (), ())
    score = {entrant.key: entrant.score for entrant in field(0, 9, 3, 6, 9, 6, 3, 0)}
    assert [(score[one], score[other]) for one, other in found.pairs] == [(9, 9), (6, 6), (3, 3), (0, 0)]


def test_the_best_two_who_met_each_take_the_next() -> None:
    found = pair(field(9, 8, 6, 5), history((0, 1)), ())
    assert {frozenset(both) for both in found.pairs} == history((0, 2), (1, 3))


def test_a_pairing_without_rematch_is_found_where_taking_the_nearest_fails() -> None:
    """e0 and e1 would leave e2 and e3, who met."""
    found = pair(field(9, 9, 1, 1), history((2, 3), (0, 2), (1, 3)), ())
    assert {frozenset(both) for both in found.pairs} == history((0, 3), (1, 2))
    assert found.rematches == ()


def test_a_seed_changes_who_of_like_scores_meets() -> None:
    found = {pair(field(*[0] * 12), (), (), str(seed)).pairs for seed in range(5)}
    assert len(found) == 5


def test_five_hundred_play_eight_rounds_and_nobody_meets_anybody_twice() -> None:
    score = {f"e{number}": 0 for number in range(500)}
    met: Met = set()
    for number in range(9):
        found = pair([Entrant(key, points) for key, points in score.items()], met, (), str(number))
        assert found.rematches == ()
        met |= {frozenset(both) for both in found.pairs}
        for winner, _ in found.pairs:
            score[winner] += 3
    assert len(met) == 9 * 250


def test_a_table_of_three_counts_as_three_meetings() -> None:
    met = {frozenset(("e0", "e1", "e2"))}
    assert len(pair(field(3, 2, 1, 0), met, ()).rematches) == 1


def test_an_entrant_named_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        standing([Entrant("a", 1), Entrant("a", 2)])


# Tables of several -------------------------------------------------------------------------------
def at_one_table(tables: tuple[tuple[str, ...], ...], met: Met) -> int:
    return sum(frozenset(both) in met for table in tables for both in combinations(table, 2))


@given(fields(24), st.integers(3, 8))
def test_everyone_sits_at_one_table_of_nearly_equal_size(given: tuple[list[Entrant], Met], size: int) -> None:
    entrants, met = given
    found = seat(entrants, met, size)
    assert sorted(key for table in found.tables for key in table) == sorted(entrant.key for entrant in entrants)
    lengths = [len(table) for table in found.tables]
    assert max(lengths, default=0) <= size
    assert max(lengths, default=0) - min(lengths, default=0) <= 1


@given(fields(24), st.integers(3, 8))
def test_changing_seats_leaves_fewer_who_met(given: tuple[list[Entrant], Met], size: int) -> None:
    entrants, met = given
    by_standing, settled = seat(entrants, (), size).tables, seat(entrants, met, size)
    assert at_one_table(settled.tables, met) <= at_one_table(by_standing, met)
    assert len(settled.rematches) == at_one_table(settled.tables, met)


def test_like_scores_share_a_table() -> None:
    found = seat(field(1, 9, 5, 1, 9, 5, 1, 9, 5), (), 3)
    assert [set(table) for table in found.tables] == [{"e1", "e4", "e7"}, {"e2", "e5", "e8"}, {"e0", "e3", "e6"}]


def test_those_who_met_sit_apart_where_they_can() -> None:
    found = seat(field(9, 8, 7, 6, 5, 4), history((0, 1), (1, 2), (0, 2)), 3)
    assert len(found.rematches) == 1  # three who all met, two tables


@pytest.mark.parametrize("size", [2, 9])
def test_a_table_of_another_size_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="3 to 8"):
        seat(field(1, 2, 3), (), size)


# Knock-out ---------------------------------------------------------------------------------------
def test_the_first_meets_the_last() -> None:
    assert bracket(list("12345678")) == [("1", "8"), ("4", "5"), ("2", "7"), ("3", "6")]


def test_the_best_go_on_without_a_battle() -> None:
    ties = bracket(list("12345"))
    assert ties == [("1", None), ("4", "5"), ("2", None), ("3", None)]
    assert through(ties) == ["1", None, "2", "3"]


@given(st.integers(2, 70))
def test_where_the_better_always_wins_the_best_two_meet_in_the_final(number: int) -> None:
    places = [str(place) for place in range(number)]
    ties = bracket(places)
    assert sorted(key for tie in ties for key in tie if key) == sorted(places)
    assert all(one or other for one, other in ties)
    last = ties
    while ties:
        last = ties
        ties = next_knockout_round([min((key for key in tie if key), key=int) for tie in ties])
    assert last == [("0", "1")]


def test_a_tie_that_nobody_won_lets_the_next_one_through() -> None:
    assert next_knockout_round(["a", None, "b", "c"]) == [("a", None), ("b", "c")]


def test_a_round_with_a_winner_missing_is_refused() -> None:
    with pytest.raises(ValueError, match="needs its winner"):
        next_knockout_round(["a", "b", "c"])


def test_a_bracket_of_one_or_none_has_no_ties() -> None:
    assert bracket(["a"]) == bracket([]) == next_knockout_round(["a"]) == []


def test_a_bracket_with_somebody_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        bracket(["a", "a"])
