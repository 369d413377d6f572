"""Charts: round numbers, looks that can be told apart, and everything as a table."""

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from campaigns.charts import APART, Chart, against, bars, histogram, lines
from campaigns.drawing import Box, Drawing, Line, Word, shorten, wrapped
from campaigns.ticks import figure, signed, ticks, ticks_within

values = st.floats(-1e6, 1e6).map(lambda value: round(value, 2))
names = st.text("abc dé<&", min_size=1, max_size=30)


def series(count: int, points: int = 4) -> list[tuple[str, list[tuple[str, float]]]]:
    return [(f"Band {n}", [(str(at), 100 + 7 * n * at) for at in range(points)]) for n in range(count)]


def looks(drawing: Drawing, kind: str) -> list[str]:
    return [mark.look for mark in drawing.marks if mark.look.split()[0] == kind]


def texts(drawing: Drawing, kind: str) -> list[str]:
    return [mark.text for mark in drawing.marks if isinstance(mark, Word) and mark.look.split()[0] == kind]


def boxes(drawing: Drawing) -> list[Box]:
    return [mark for mark in drawing.marks if isinstance(mark, Box)]


def html(chart: Chart) -> str:
    return render_to_string("partials/charts/chart.html", {"chart": chart})


# Ticks -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 23, [0, 10, 20, 30]),
        (93, 221, [50, 100, 150, 200, 250]),
        (0, 1, [0, 0.5, 1]),
        (-3, 4, [-4, -2, 0, 2, 4]),
        (7, 7, [7, 7.5, 8]),
    ],
)
def test_ticks_are_round_numbers(low: float, high: float, expected: list[float]) -> None:
    assert ticks(low, high) == expected


@given(values, values)
def test_ticks_are_even_and_hold_every_value(one: float, other: float) -> None:
    low, high = sorted((one, other))
    found = ticks(low, high)
    assert found[0] <= low
    assert found[-1] >= high
    assert 2 <= len(found) <= 7
    steps = [after - before for before, after in pairwise(found)]
    assert max(steps) - min(steps) < 1e-6
    assert set(ticks_within(low, high)) <= set(found)


def test_whole_things_are_not_counted_in_parts() -> None:
    assert ticks(0, 1, whole=True) == [0, 1]


@pytest.mark.parametrize(("value", "read"), [(1234.5, "1,234.5"), (7.0, "7"), (-2, "−2"), (-0.001, "0"), (100, "100")])
def test_a_figure_is_written_as_it_is_read(value: float, read: str) -> None:
    assert figure(value) == read


def test_a_difference_has_its_sign() -> None:
    assert [signed(value) for value in (2.5, 0, -1)] == ["+2.5", "0", "−1"]


# Words -------------------------------------------------------------------------------------------
@given(names, st.integers(20, 300))
def test_words_are_cut_to_their_room(text: str, room: int) -> None:
    assert len(wrapped(text, room, 12)) <= 3
    for each in wrapped(text, room, 12):
        assert each == shorten(each, room, 12)


# Lines -------------------------------------------------------------------------------------------
def test_eight_lines_have_eight_looks_and_a_label_each() -> None:
    for drawing in lines("Rating", series(8)).drawings:
        assert {look.split()[1] for look in looks(drawing, "l")} == {f"c{n}" for n in range(1, 9)}
        assert len(texts(drawing, "lab")) == 8


def test_the_one_who_looks_stands_out_and_the_others_are_grey() -> None:
    drawing = lines("Rating", series(6), chosen=["Band 2"]).drawings[1]
    assert sorted(looks(drawing, "l")) == ["l mine"] + ["l other"] * 5
    assert looks(drawing, "l")[-1] == "l mine"  # drawn last, above the others
    assert len(texts(drawing, "lab")) == 6


def test_of_more_than_eight_lines_only_the_chosen_have_labels() -> None:
    chart = lines("Rating", series(12), chosen=["Band 3", "Band 9"])
    for drawing in chart.drawings:
        assert looks(drawing, "l").count("l other") == 10
        assert [label.split()[:2] for label in texts(drawing, "lab")] == [["Band", "9"], ["Band", "3"]]
    assert [group.name for group in chart.groups] == [f"Band {n}" for n in range(12)]


def test_of_more_than_eight_without_a_choice_the_first_eight_stand_out() -> None:
    drawing = lines("Rating", series(10)).drawings[0]
    assert looks(drawing, "l").count("l other") == 2


@given(st.lists(values, min_size=1, max_size=8))
def test_labels_keep_apart_and_in_the_picture(ends: list[float]) -> None:
    chart = lines("Rating", [(f"n{index}", [("1", 0.0), ("2", end)]) for index, end in enumerate(ends)])
    for drawing in chart.drawings:
        at = [float(mark.y) for mark in drawing.marks if isinstance(mark, Word) and mark.look.startswith("lab")]
        assert all(below - above > APART - 0.2 for above, below in pairwise(at))
        assert all(0 < y < float(drawing.height) for y in at)


def test_a_line_that_ends_early_ends_where_its_last_battle_was() -> None:
    drawing = lines("Rating", [("Long", [("a", 1), ("b", 2), ("c", 3)]), ("Short", [("b", 2)])]).drawings[1]
    drawn = [mark.d for mark in drawing.marks if isinstance(mark, Line) and mark.look == "l c1"]
    alone = next(mark.d for mark in drawing.marks if isinstance(mark, Line) and mark.look == "l c2")
    assert alone.removeprefix("M") == drawn[0].split("L")[1]


def test_a_single_line_tells_how_it_began() -> None:
    assert lines("Rating", [("Wardens", [("a", 95), ("b", 158)])]).says == "Wardens began with 95 and now has 158."


# Bars, luck, histogram ---------------------------------------------------------------------------
def test_the_longest_bar_fills_the_room_and_the_rest_is_in_proportion() -> None:
    for drawing in bars("Casualties", [("a", 20), ("b", 5), ("c", 0)]).drawings:
        wide = [float(each.width) for each in boxes(drawing)]
        assert wide[1] == pytest.approx(wide[0] / 4, abs=0.1)
        assert wide[2] == 0


def test_a_bar_shorter_than_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing"):
        bars("Casualties", [("a", -1)])


def test_more_than_expected_goes_right_and_less_goes_left() -> None:
    chart = against("Luck", [("lucky", 7, 5), ("unlucky", 4, 5), ("even", 3, 3)])
    for drawing in chart.drawings:
        more, less, even = boxes(drawing)
        assert (more.look, less.look) == ("bar more", "bar less")
        middle = float(more.x)
        assert float(less.x) + float(less.width) == pytest.approx(middle, abs=0.11)
        assert float(more.width) == pytest.approx(2 * float(less.width), abs=0.2)
        assert float(even.width) == 0
    assert chart.groups[0].rows[0] == ("lucky", "7", "5", "+2")
    assert chart.says == "lucky is furthest from what was to be expected: 7, expected 5."


def test_a_histogram_says_what_came_out_most() -> None:
    chart = histogram("Dice", [("2", 1), ("7", 6), ("12", 1)])
    assert chart.says == "Most often 7: 6 of 8."
    assert chart.groups[0].rows[1] == ("7", "6", "75.0 %")
    low, high, _ = boxes(chart.drawings[0])
    assert float(high.height) == pytest.approx(6 * float(low.height), abs=0.6)


def test_many_buckets_have_only_as_many_labels_as_there_is_room() -> None:
    narrow = histogram("Dice", [(str(1000 + n), n) for n in range(60)]).drawings[0]
    labels = [text for text in texts(narrow, "tick") if text.isdigit() and len(text) == 4]
    assert 2 <= len(labels) <= 9
    assert labels[0] == "1000"
    assert labels[-1] == "1059"


# On the page -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "chart",
    [
        lambda: lines("A <b> title", series(3)),
        lambda: bars("A <b> title", [("a <i>", 1)]),
        lambda: against("A <b> title", [("a <i>", 1, 2.5)]),
        lambda: histogram("A <b> title", [("a <i>", 1)]),
    ],
)
def test_a_chart_speaks_and_needs_no_inline_style(chart: Callable[[], Chart]) -> None:
    page = html(chart())
    assert "style=" not in page
    assert "<b>" not in page
    assert "<i>" not in page
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(ids) == len(set(ids)) == 4
    for named in re.findall(r'aria-labelledby="([^"]+)"', page):
        assert set(named.split()) <= set(ids)
    assert page.count("<caption") == 1
    assert "NaN" not in page


def test_every_number_is_in_the_table() -> None:
    page = html(lines("Rating", series(9)))
    for name, points in series(9):
        assert f">{name}</th>" in page
        assert all(f">{figure(value)}</td>" in page for _, value in points)


@pytest.mark.parametrize("chart", [lines("x", []), lines("x", [("a", [])]), bars("x", []), histogram("x", [])])
def test_a_chart_of_nothing_says_so(chart: Chart) -> None:
    assert chart.drawings == ()
    assert "There is nothing to show yet." in html(chart)
    assert "<svg" not in html(chart).replace('<svg class="i"', "")


def test_zeros_alone_can_be_drawn() -> None:
    for chart in (bars("x", [("a", 0)]), histogram("x", [("a", 0)]), against("x", [("a", 0, 0)])):
        assert len(chart.drawings) == 2
        assert "0" in html(chart)
