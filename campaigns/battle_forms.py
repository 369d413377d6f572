"""Shape only: whether a battle can be is for the services to say."""

from typing import Any

from django import forms
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from campaigns.access import Place
from campaigns.dates import times_in
from campaigns.models import Campaign, Enrolment
from campaigns.packs import pack_of
from rules.text_fields import LineField
from warbands.models import Warband
from warbands.services.void import LONGEST_REASON

WHEN = "%Y-%m-%dT%H:%M"
LONGEST_PLACE = 120
LONGEST_SCENARIO = 80


class AnyWarbands(forms.TypedMultipleChoiceField):
    """Numbers, known or not: why one of them cannot fight is better said by the rules than by a list."""

    def valid_value(self, value: Any) -> bool:
        return str(value).isdecimal() and len(str(value)) < 10


def date_field() -> forms.DateTimeField:
    return forms.DateTimeField(
        label=_("Date"),
        required=False,
        input_formats=[WHEN],
        help_text=lazy(times_in, str)(),
        widget=forms.DateTimeInput(format=WHEN, attrs={"type": "datetime-local"}),
    )


def scenario_names(campaign: Campaign) -> list[str]:
    return list(dict.fromkeys(row.name for row in pack_of(campaign).scenarios))


class ScenarioFields(forms.Form):
    scenario = forms.ChoiceField(label=_("Scenario"), required=False)
    own_scenario = LineField(
        label=_("Another scenario"),
        required=False,
        max_length=LONGEST_SCENARIO,
        help_text=_("If you agreed on one that is not in the list."),
    )
    unchosen = _("Roll for it before the game")

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["scenario"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", self.unchosen), *((name, name) for name in scenario_names(campaign))]

    @property
    def chosen_scenario(self) -> str:
        """What was typed goes before what was picked."""
        return str(self.cleaned_data["own_scenario"] or self.cleaned_data["scenario"])


class PlayedForm(ScenarioFields):
    unchosen = _("Not said")


class BattleForm(ScenarioFields):
    warbands = AnyWarbands(
        label=_("Who fights"),
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose two warbands at least.")},
    )
    when = date_field()
    place = LineField(label=_("Place"), required=False, max_length=LONGEST_PLACE)
    is_final = forms.BooleanField(label=_("It is the final battle of the campaign"), required=False)
    at_once = forms.BooleanField(
        label=_("It is on at once"), required=False, help_text=_("The players are told and not asked.")
    )
    field_order = ("warbands", "when", "place", "scenario", "own_scenario", "is_final", "at_once")

    def __init__(self, place: Place, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, campaign=place.campaign, **kwargs)
        enrolled = list(_fighting(place))
        warbands = self.fields["warbands"]
        assert isinstance(warbands, AnyWarbands)
        warbands.choices = [(row.warband_id, f"{row.warband.name}, {row.warband.owner.name}") for row in enrolled]
        own = [row.warband_id for row in enrolled if row.warband.owner_id == place.person.pk]
        warbands.initial = own if len(own) == 1 else []
        if not place.runs_it:
            del self.fields["is_final"], self.fields["at_once"]

    def orders(self) -> dict[str, Any]:
        values = self.cleaned_data
        return {
            "warbands": values["warbands"],
            "when": values["when"],
            "place": values["place"],
            "scenario": self.chosen_scenario,
            "is_final": values.get("is_final", False),
            "at_once": values.get("at_once", False),
        }


def _fighting(place: Place) -> Any:
    rows = Enrolment.objects.filter(campaign=place.campaign, left=None, warband__status=Warband.Status.READY)
    return rows.select_related("warband__owner").order_by("warband__name", "pk")


class VersionForm(forms.Form):
    """A button about something that changes."""

    version = forms.IntegerField(widget=forms.HiddenInput)


class MoveForm(VersionForm):
    when = date_field()
    place = LineField(label=_("Place"), required=False, max_length=LONGEST_PLACE)


class VoidBattleForm(VersionForm):
    reason = LineField(
        label=_("Reason"), max_length=LONGEST_REASON, help_text=_("Everybody in the campaign can read it.")
    )
    cascade = forms.BooleanField(label=_("Void what rests on it too"), required=False)
