"""Shape only: whether a round can be so is for the services to say."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.battle_forms import VersionForm, date_field

CHANGES = ("swap", "move", "bye", "remove")
LARGEST = 2**31 - 1


class DeadlineForm(VersionForm):
    deadline = date_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["deadline"].label = _("Its battles should be over by")


class ChangeForm(VersionForm):
    do = forms.ChoiceField(choices=[(change, change) for change in CHANGES])
    warband = forms.IntegerField(min_value=1, max_value=LARGEST)
    other = forms.IntegerField(required=False, min_value=1, max_value=LARGEST)
    table = forms.IntegerField(required=False, min_value=0, max_value=30_000)
    page = forms.IntegerField(required=False, min_value=1, max_value=LARGEST)

    def orders(self) -> dict[str, Any]:
        values = self.cleaned_data
        return {
            "do": values["do"],
            "warband": values["warband"],
            "other": values["other"] or 0,
            "table": values["table"] or 0,
            "version": values["version"],
        }
