"""The ladder of a campaign as a picture, and what is no ladder."""

import re

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from campaigns.drawing import Box, Drawing, Line, Word
from campaigns.ladder_layout import RESULTS, Ladder, Stage, Way, lay_out, layers_of
from rules.engine.errors import RuleViolation


def stages(letters: str) -> list[Stage]:
    return [Stage(letter, f"Stage {letter}") for letter in letters]


def ways(text: str) -> list[Way]:
    """ "ab+ ac-" is: from a to b when won, from a to c when lost."""
    on = {"+": "won", "-": "lost", "=": "drawn"}
    return [Way(each[0], each[1], on.get(each[2], each[2])) for each in text.split()]


@st.composite
def ladders(draw: st.DrawFn) -> tuple[list[Stage], list[Way]]:
    """Each stage but the first has a way from an earlier one that still has a result free."""
    count = draw(st.integers(1, 12))
    free = [(0, result) for result in RESULTS]
    made: list[Way] = []
    for number in range(1, count):
        source, result = free.pop(draw(st.integers(0, len(free) - 1)))
        made.append(Way(f"s{source}", f"s{number}", result))
        free += [(number, each) for each in RESULTS]
    for source, result in draw(st.lists(st.sampled_from(free), unique=True, max_size=5)):
        if source + 1 < count:
            made.append(Way(f"s{source}", f"s{draw(st.integers(source + 1, count - 1))}", result))
    return [Stage(f"s{number}", f"Stage {number}", draw(st.text(max_size=40))) for number in range(count)], made


def boxes(drawing: Drawing) -> list[tuple[float, float, float, float]]:
    found = [mark for mark in drawing.marks if isinstance(mark, Box)]
    return [(float(each.x), float(each.y), float(each.width), float(each.height)) for each in found]


def overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    beside = one[0] + one[2] <= other[0] or other[0] + other[2] <= one[0]
    above = one[1] + one[3] <= other[1] or other[1] + other[3] <= one[1]
    return not (beside or above)


def refused(letters: str, text: str) -> RuleViolation:
    with pytest.raises(RuleViolation) as caught:
        lay_out(stages(letters), ways(text))
    return caught.value


# Layers ------------------------------------------------------------------------------------------
def test_a_stage_stands_below_all_that_lead_to_it() -> None:
    assert layers_of(stages("abcd"), ways("ab+ bc+ ac- cd+ ad=")) == {"a": 0, "b": 1, "c": 2, "d": 3}


@given(ladders())
def test_a_way_always_leads_to_a_later_layer(given: tuple[list[Stage], list[Way]]) -> None:
    layers = layers_of(*given)
    assert layers[given[0][0].key] == 0
    assert all(layers[way.to] > layers[way.source] for way in given[1])


@given(ladders())
def test_boxes_do_not_overlap_and_stay_in_the_picture(given: tuple[list[Stage], list[Way]]) -> None:
    for drawing in lay_out(*given).drawings:
        drawn = boxes(drawing)
        assert len(drawn) == len(given[0])
        for index, one in enumerate(drawn):
            assert one[0] >= 0
            assert one[0] + one[2] <= float(drawing.width)
            assert one[1] + one[3] <= float(drawing.height)
            assert not any(overlap(one, other) for other in drawn[index + 1 :])


@given(ladders())
def test_every_way_has_a_line_a_tip_and_a_word(given: tuple[list[Stage], list[Way]]) -> None:
    for drawing in lay_out(*given).drawings:
        drawn = [mark.look for mark in drawing.marks if isinstance(mark, Line) and mark.look != "tip"]
        assert sorted(drawn) == sorted(f"way {way.on}" for way in given[1])
        words = [mark.text for mark in drawing.marks if isinstance(mark, Word) and mark.look == "on"]
        assert sorted(words) == sorted(way.on for way in given[1])


def test_branches_are_ordered_so_that_their_ways_do_not_cross() -> None:
    """b and c lead to e and d: they were named the other way round."""
    drawing = lay_out(stages("abcde"), ways("ab+ ac- be+ cd+")).drawings[0]
    at = dict(zip("abcde", boxes(drawing), strict=True))
    assert (at["b"][0] < at["c"][0]) == (at["e"][0] < at["d"][0])


def test_a_short_ladder_goes_sideways_at_a_desk_and_down_on_a_phone() -> None:
    narrow, wide = lay_out(stages("abc"), ways("ab+ bc+")).drawings
    assert [box[0] for box in boxes(wide)] == sorted({box[0] for box in boxes(wide)})
    assert [box[1] for box in boxes(narrow)] == sorted({box[1] for box in boxes(narrow)})
    assert len({box[0] for box in boxes(narrow)}) == 1


def test_where_one_stands_is_marked() -> None:
    drawing = lay_out(stages("ab"), ways("ab+"), here=["b"]).drawings[0]
    assert [mark.look for mark in drawing.marks if isinstance(mark, Box)] == ["stage", "stage here"]


# What is refused ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("letters", "text", "code", "sentence"),
    [
        ("", "", "ladder-empty", "A ladder needs at least one stage."),
        ("aa", "", "ladder-stage-twice", "The stage Stage a is there twice."),
        ("abc", "ab+ bc+ cb-", "ladder-cycle", "The ways from Stage b lead back to it. A ladder only goes on."),
        ("a", "aa+", "ladder-cycle", "The ways from Stage a lead back to it. A ladder only goes on."),
        ("abc", "ab+", "ladder-unreachable", "No way leads from Stage a to Stage c."),
        ("ab", "ab+ ax-", "ladder-no-such-stage", "A way names the stage x, which is not there."),
        ("ab", "ab?", "ladder-no-such-result", "A way leads on when a battle is won, drawn or lost."),
        (
            "abc",
            "ab+ ac+",
            "ladder-two-ways",
            "From Stage a two ways lead on when the battle is won. Keep one of them.",
        ),
    ],
)
def test_what_is_no_ladder_is_refused_in_a_sentence(letters: str, text: str, code: str, sentence: str) -> None:
    violation = refused(letters, text)
    assert (violation.code, violation.message) == (code, sentence)


# On the page -------------------------------------------------------------------------------------
def html(ladder: Ladder) -> str:
    return render_to_string("partials/charts/ladder.html", {"ladder": ladder})


def test_the_ladder_is_told_in_words_too() -> None:
    page = html(lay_out(stages("abc"), ways("ab+ ac-"), here=["a"], title="The Road"))
    heard = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page[page.index("<ol") :]))
    assert "Stage a (here). If won: Stage b If lost: Stage c" in heard
    assert heard.count("The ladder ends here.") == 2
    assert page.count("<title") == page.count("<desc") == 2


def test_a_name_with_markup_is_only_text() -> None:
    page = html(lay_out([Stage("a", "<script>x</script>", "<b>")], []))
    assert "<script" not in page
    assert "<b>" not in page
    assert "style=" not in page
