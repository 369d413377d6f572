"""Forms for what changes hands. They check shape; what the rules allow is for the services to say."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.offers import MOST_POINTS, Good, Side


def _points(label: Any) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=0, max_value=MOST_POINTS, required=False, initial=0,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "num"}),
    )  # fmt: skip


def _several(label: Any) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(label=label, required=False, widget=forms.CheckboxSelectMultiple)


class VersionForm(forms.Form):
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


class OfferForm(VersionForm):
    """What I give, and what I get for it."""

    give_points = _points(_("Points"))
    give = _several(_("Things"))
    take_points = _points(_("Points"))
    take = _several(_("Things"))

    def __init__(self, *args: Any, mine: Sequence[Good], theirs: Sequence[Good], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _choose(self, "give", mine)
        _choose(self, "take", theirs)

    @property
    def gives(self) -> Side:
        return Side(self.cleaned_data["give_points"] or 0, tuple(self.cleaned_data["give"]))

    @property
    def takes(self) -> Side:
        return Side(self.cleaned_data["take_points"] or 0, tuple(self.cleaned_data["take"]))


class RansomForm(VersionForm):
    """What the owner pays for a captive."""

    points = _points(_("Points"))
    items = _several(_("Things"))
    captives = _several(_("Captives in return"))

    def __init__(self, *args: Any, goods: Sequence[Good], held: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _choose(self, "items", goods)
        found = self.fields["captives"]
        assert isinstance(found, forms.MultipleChoiceField)
        found.choices = list(held.items())
        if not held:
            del self.fields["captives"]

    @property
    def pays(self) -> Side:
        return Side(
            self.cleaned_data["points"] or 0, tuple(self.cleaned_data["items"]),
            tuple(self.cleaned_data.get("captives", ())),
        )  # fmt: skip


def _choose(form: forms.Form, name: str, goods: Sequence[Good]) -> None:
    found = form.fields[name]
    assert isinstance(found, forms.MultipleChoiceField)
    found.choices = [(good.key, good.text) for good in goods]
    if not goods:
        found.help_text = _("Nothing that can be given.")
