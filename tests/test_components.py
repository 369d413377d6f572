"""The drawn parts of a page say in words what they show in shapes."""

import re
from collections.abc import Callable

import pytest
from django import forms
from django.core.paginator import Paginator
from django.template import Context, Template
from hypothesis import given
from hypothesis import strategies as st

from config.templatetags.aftermath import (
    CHARACTERISTICS,
    ICONS,
    STATES,
    Cell,
    Die,
    Outcome,
    dice,
    die,
    icon,
    oddsbar,
    page_numbers,
    profile,
    token,
    track,
)

HERO_BOXES = [2, 4, 6, 8, 11, 14, 17, 20, 24, 28]


def render(source: str, **context: object) -> str:
    return Template(source).render(Context(context))


def attribute(html: str, name: str) -> str:
    found = re.search(rf'{name}="([^"]*)"', html)
    assert found, f"no {name} in {html}"
    return found[1]


# Icons -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ICONS)
def test_icon_beside_words_is_silent(name: str) -> None:
    assert 'aria-hidden="true"' in icon(name)


def test_icon_alone_speaks_its_label() -> None:
    assert 'role="img" aria-label="Close &amp; keep"' in icon("close", "Close & keep")


# Dice --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("face", range(1, 7))
def test_die_has_as_many_pips_as_its_face_says(face: int) -> None:
    drawn = die(face)
    assert drawn.count("<circle") == face
    assert attribute(drawn, "aria-label") == str(face)
    assert 'role="img"' in drawn


@pytest.mark.parametrize("face", range(1, 7))
def test_pips_of_a_face_are_all_in_different_places(face: int) -> None:
    places = re.findall(r'cx="(\d+)" cy="(\d+)"', die(face))
    assert len(set(places)) == face


@pytest.mark.parametrize(("state", "word"), STATES.items())
def test_state_of_a_die_is_a_word_and_a_shape(state: str, word: str) -> None:
    drawn = die(5, state)
    assert attribute(drawn, "aria-label") == f"5, {word}"
    assert attribute(drawn, "class") == f"die {state}"


def test_die_takes_two_states_a_size_and_a_caption() -> None:
    drawn = render('{% die 4 state="again gone" size="l" caption="tens" %}')
    assert attribute(drawn, "aria-label") == "4, the reroll, dropped, tens"
    assert attribute(drawn, "class") == "die again gone l"
    assert '<span aria-hidden="true">tens</span>' in drawn


@pytest.mark.parametrize("face", [0, 7, -1])
def test_there_is_no_such_face(face: int) -> None:
    with pytest.raises(KeyError):
        die(face)


@given(st.lists(st.integers(1, 6), max_size=12))
def test_handful_shows_every_die(faces: list[int]) -> None:
    drawn = dice(faces, state="kept")
    assert drawn.count('role="img"') == len(faces)
    assert drawn.count("<circle") == sum(faces)


def test_handful_keeps_the_face_that_was_rerolled() -> None:
    drawn = dice([Die(3), Die(6, "kept", was=1)], label="Exploration")
    assert re.findall(r'aria-label="([^"]*)"', drawn) == ["Exploration", "3", "1, rerolled", "6, the reroll, kept"]


# Odds --------------------------------------------------------------------------------------------
@given(st.lists(st.integers(1, 20), min_size=1, max_size=8))
def test_widths_of_an_odds_bar_make_up_the_whole(ways: list[int]) -> None:
    outcomes = [Outcome("hurt", "A wound", number, sum(ways)) for number in ways]
    widths = [float(width) for width in re.findall(r'width="([\d.]+)%"', oddsbar(outcomes))]
    assert sum(widths) == pytest.approx(100, abs=0.05 * len(ways))


def test_odds_name_the_fraction_and_the_percentage() -> None:
    drawn = render("{% odds outcomes %}", outcomes=[Outcome("dead", "Dead", 5, 36), Outcome("good", "Lives", 31, 36)])
    assert "5 in 36" in drawn
    assert "13.9&nbsp;%" in drawn
    assert drawn.index("Dead") < drawn.index("Lives")


# Experience --------------------------------------------------------------------------------------
Track = tuple[int, int, int, int]


@st.composite
def tracks(draw: Callable[[st.SearchStrategy[int]], int]) -> Track:
    boxes = draw(st.integers(1, 60))
    earned = draw(st.integers(0, boxes))
    founded_with = draw(st.integers(0, earned))
    return boxes, earned, founded_with, draw(st.integers(0, earned - founded_with))


@given(tracks())
def test_track_crosses_what_was_earned(given_track: Track) -> None:
    boxes, earned, founded_with, new = given_track
    groups = track(boxes, HERO_BOXES, earned, founded_with, new)["groups"]
    marks = [set(box.split()) for group in groups for box in group]
    assert len(marks) == boxes
    assert sum("x" in box for box in marks) == earned
    assert sum("s" in box for box in marks) == founded_with
    assert sum("n" in box for box in marks) == new
    assert not any({"s", "n"} <= box for box in marks)
    assert all(len(group) <= 5 for group in groups)


def test_track_says_the_next_advancement_in_words() -> None:
    drawn = render("{% track boxes=30 thick=thick earned=11 founded_with=4 new=3 %}", thick=HERO_BOXES)
    assert attribute(drawn, "aria-label") == "11 of 30 Experience, next advancement at 14"
    assert drawn.count("<i") == 30


def test_track_without_a_thick_box_ahead_says_so() -> None:
    drawn = render("{% track boxes=30 thick=thick earned=28 %}", thick=HERO_BOXES)
    assert attribute(drawn, "aria-label") == "28 of 30 Experience, no advancement left"


# Stat lines --------------------------------------------------------------------------------------
PROFILE = "4 8 9 9 3 3 2 3 3 3 0 4 4 6"


def test_stat_line_stands_in_the_four_groups_of_the_rulebook() -> None:
    drawn = render("{% stats cells %}", cells=profile(PROFILE))
    sizes = [group.count("<dt>") for group in drawn.split("<dl>")[1:]]
    assert sizes == [3, 4, 6, 1]


def test_stat_line_says_what_was_raised_and_what_was_lowered() -> None:
    drawn = " ".join(render("{% stats cells %}", cells=profile(PROFILE, up="Dis", down="Def")).split())
    assert '<dd class="up">9<span class="vh"> raised</span>' in drawn
    assert '<dd class="down">3<span class="vh"> lowered</span>' in drawn
    assert drawn.count('<dd class="') == 2


def test_every_abbreviation_is_spelled_out() -> None:
    drawn = render("{% stats cells %}", cells=profile(PROFILE))
    assert all(f'<abbr title="{name}">{short}</abbr>' in drawn for short, name in CHARACTERISTICS)


def test_profile_needs_every_characteristic() -> None:
    with pytest.raises(ValueError, match="zip"):
        profile("4 8 9")


def test_stat_line_of_another_system_stands_in_one_row() -> None:
    drawn = render("{% stats cells %}", cells=[Cell(name, name, 3) for name in ("M", "WS", "BS")])
    assert drawn.count("<dl>") == 1
    assert "even" in attribute(drawn, "class")


# People and lists --------------------------------------------------------------------------------
class Person:
    initial = "I"


def test_token_is_filled_for_the_one_who_looks() -> None:
    ilse = Person()
    assert "token you" in token(Context({"user": ilse}), ilse)
    assert "you" not in token(Context({"user": Person()}), ilse)


@given(st.integers(1, 400), st.data())
def test_pager_shows_both_ends_and_the_page_itself(length: int, data: st.DataObject) -> None:
    pages = Paginator(range(length), 10)
    page = pages.page(data.draw(st.integers(1, pages.num_pages)))
    numbers = list(page_numbers(page))
    assert {1, page.number, pages.num_pages} <= set(numbers)
    assert len(numbers) <= 9


# Forms -------------------------------------------------------------------------------------------
class HiringForm(forms.Form):
    name = forms.CharField(label="Name", help_text="Others read it.")
    secret = forms.CharField(label="Secret", widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}))
    role = forms.ChoiceField(label="Role", choices=[("hero", "Hero"), ("squire", "Squire")], widget=forms.RadioSelect)
    army = forms.ChoiceField(label="Army", choices=[("ok", "Ogre Khans")], required=False)
    story = forms.CharField(label="Story", widget=forms.Textarea(attrs={"class": "serif"}), required=False)
    public = forms.BooleanField(label="Public", required=False)
    ticket = forms.CharField(widget=forms.HiddenInput, initial="7")

    def clean(self) -> None:
        self.add_error(None, "The treasury is empty.")


def element(html: str, wanted: str) -> str:
    found = re.search(rf"<(?:input|textarea|select|fieldset)[^>]*{wanted}[^>]*>", html)
    assert found, f"no {wanted} in the form"
    return found[0]


def test_every_control_gets_its_class_and_keeps_its_own() -> None:
    html = str(HiringForm())
    assert attribute(element(html, 'name="name"'), "class") == "input"
    assert attribute(element(html, 'name="army"'), "class") == "select"
    assert attribute(element(html, 'name="story"'), "class") == "serif input"
    assert attribute(element(html, 'name="secret"'), "autocomplete") == "new-password"
    assert 'type="hidden"' in element(html, 'name="ticket"')


def test_every_control_has_a_label() -> None:
    html = str(HiringForm())
    for control in re.findall(r"<(?:input|textarea|select)[^>]*>", html):
        if 'type="hidden"' not in control:
            assert f'for="{attribute(control, "id")}"' in html


def test_what_may_be_left_out_is_marked_and_a_check_box_is_not() -> None:
    labels = re.findall(r'class="optional"', str(HiringForm()))
    assert len(labels) == 2


def test_fresh_form_has_no_problem() -> None:
    html = str(HiringForm())
    assert "problem" not in html
    assert "aria-invalid" not in html
    assert attribute(element(html, 'name="name"'), "aria-describedby") == "id_name_helptext"


def test_help_and_problem_are_named_by_their_control() -> None:
    html = str(HiringForm({}))
    control = element(html, 'name="name"')
    assert attribute(control, "aria-describedby") == "id_name_helptext id_name_error"
    assert attribute(control, "aria-invalid") == "true"
    assert 'id="id_name_helptext"' in html
    assert 'id="id_name_error"' in html
    assert attribute(element(html, 'id="id_role"'), "aria-describedby") == "id_role_error"


def test_summary_leads_to_every_field_with_a_problem() -> None:
    html = str(HiringForm({}))
    summary = html[html.index('role="alert"') : html.index('class="fields"')]
    assert re.findall(r'href="#(\w+)"', summary) == ["id_name", "id_secret", "id_role"]
    assert "3 answers need another look." in summary
    assert "The treasury is empty." in summary
    assert 'tabindex="-1"' in summary


def test_description_of_a_widget_itself_is_kept() -> None:
    class Described(forms.Form):
        code = forms.CharField(widget=forms.TextInput(attrs={"aria-describedby": "hint"}), help_text="Six digits.")

    assert attribute(str(Described()), "aria-describedby") == "hint id_code_helptext"


def test_password_can_be_shown() -> None:
    html = str(HiringForm())
    assert re.search(r'data-reveal aria-controls="id_secret"', html)


def test_what_people_typed_is_escaped() -> None:
    html = str(HiringForm({"name": "<b>x</b>"}))
    assert "<b>x</b>" not in html
    assert "&lt;b&gt;x" in html
