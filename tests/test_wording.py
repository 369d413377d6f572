"""Every form speaks to the person who filled it in."""

from typing import Any

import pytest
from django import forms
from django.forms.formsets import ManagementForm
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils.datastructures import MultiValueDict

from campaigns.models import Campaign
from tests.people import sign_in


class Asking(forms.Form):
    name = forms.CharField(max_length=5)
    number = forms.IntegerField(min_value=2, max_value=8)
    one = forms.ChoiceField(choices=[("a", "A")])
    some = forms.MultipleChoiceField(choices=[("a", "A")])
    sure = forms.BooleanField()
    file = forms.FileField()
    when = forms.DateTimeField()
    email = forms.EmailField()


def said(**typed: Any) -> dict[str, list[str]]:
    return {
        name: [str(sentence) for sentence in sentences]
        for name, sentences in Asking(typed, MultiValueDict()).errors.items()
    }


def test_what_is_missing_is_asked_for() -> None:
    assert said() == {
        "name": ["Fill this in."], "number": ["Fill this in."], "one": ["Choose one."],
        "some": ["Choose one at least."], "sure": ["Tick this to go on."], "file": ["Choose a file."],
        "when": ["Fill this in."], "email": ["Fill this in."],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("name", "Brandt", "Only 5 characters fit here; these are 6."),
        ("number", "1", "2 is the least. Use a higher number."),
        ("number", "9", "8 is the most. Use a lower number."),
        ("number", "few", "Enter a whole number."),
        ("one", "<b>", "This cannot be chosen. Take one of these."),
        ("some", ["b"], "One of these cannot be chosen any more. Look at them again."),
        ("when", "soon", "Give a day and a time."),
        ("email", "ilse", "An e-mail address looks like name@example.com."),
    ],
)
def test_what_does_not_fit_is_told_with_what_would(field: str, typed: Any, sentence: str) -> None:
    assert said(**{field: typed})[field] == [sentence]


def _kinds(form: type[forms.BaseForm]) -> set[type[forms.BaseForm]]:
    return {form}.union(*(_kinds(below) for below in form.__subclasses__()))


def test_no_form_was_written_down_before_the_words_were_set() -> None:
    assert get_resolver().url_patterns, "all views and their forms are imported"
    fields = {
        f"{form.__module__}.{form.__name__}.{name}": field
        for form in _kinds(forms.BaseForm) - {ManagementForm}
        for name, field in getattr(form, "base_fields", {}).items()
    }
    assert len(fields) > 100
    late = {where for where, field in fields.items() if "field is required" in str(field.error_messages["required"])}
    assert late == set()


def test_a_page_says_it_beside_the_field_and_in_the_summary(client: Client, campaign: Campaign) -> None:
    page = sign_in(client, "Ilse").post(reverse("campaign_new"), {}).content.decode()
    assert page.count("Fill this in.") >= 2
    assert "This field" not in page
