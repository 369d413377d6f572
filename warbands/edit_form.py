"""The form of what an owner may change at any time. Shape only."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from rules.text_fields import LineField, TextField
from warbands.lore import LONGEST
from warbands.models import Fighter, Warband
from warbands.services.draft import LONGEST_NAME
from warbands.services.edit_warband import WARBAND

NAME, PLACE = "name-", "place-"


class EditForm(forms.Form):
    """The warband's own fields, and for every fighter a name and a place on the roster."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    name = LineField(label=_("Name of the warband"), max_length=LONGEST_NAME)
    lore = TextField(
        label=_("Lore"),
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea,
        help_text=_("Everybody who sees the roster reads it. Its first line is the motto. Markdown works."),
    )
    notes = TextField(
        label=_("Notes"),
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea,
        help_text=_("Only you read them. Markdown works."),
    )
    portrait = forms.FileField(
        label=_("Portrait"),
        required=False,
        help_text=_("A JPEG, PNG or WebP of at most 8 MB."),
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
    )
    without_portrait = forms.BooleanField(label=_("Take the portrait away"), required=False)

    def __init__(self, *args: Any, warband: Warband, fighters: Sequence[Fighter], **kwargs: Any) -> None:
        given = {"version": warband.version, "name": warband.name, "lore": warband.lore, "notes": warband.notes}
        super().__init__(*args, **kwargs | {"initial": given})
        self.members = fighters
        if not warband.portrait:
            del self.fields["without_portrait"]
        for place, fighter in enumerate(fighters, start=1):
            self._add_fighter(fighter, place)

    def _add_fighter(self, fighter: Fighter, place: int) -> None:
        name = {"who": fighter.name}
        self.fields[NAME + fighter.key] = LineField(
            label=_("Name of %(who)s") % name, max_length=LONGEST_NAME, initial=fighter.name
        )
        self.fields[PLACE + fighter.key] = forms.IntegerField(
            label=_("Place of %(who)s") % name, min_value=1, max_value=999, initial=place
        )

    def rows(self) -> list[tuple[BoundField, BoundField]]:
        return [(self[NAME + fighter.key], self[PLACE + fighter.key]) for fighter in self.members]

    def general(self) -> list[BoundField]:
        return [self[name] for name in ("name", "lore", "notes", "portrait", "without_portrait") if name in self.fields]

    def order(self) -> list[str]:
        """By place; who moved up stands before the one whose place he took, who moved down behind."""
        return sorted((fighter.key for fighter in self.members), key=self._wanted)

    def _wanted(self, key: str) -> float:
        before, after = int(self.fields[PLACE + key].initial), int(self.cleaned_data[PLACE + key])
        return after - 0.5 * (after < before) + 0.5 * (after > before)

    def accept_version(self, current: int) -> None:
        """Saving it once more means: on top of what happened meanwhile."""
        self.data = {name: self.data.get(name) for name in self.data} | {"version": str(current)}

    def edits(self) -> dict[str, Any]:
        """What the service is asked to do."""
        data = self.cleaned_data
        names = {WARBAND: data["name"]} | {fighter.key: data[NAME + fighter.key] for fighter in self.members}
        return {
            "names": names,
            "order": self.order(),
            "lore": data["lore"],
            "notes": data["notes"],
            "portrait": data["portrait"],
            "without_portrait": data.get("without_portrait", False),
            "expected_version": data["version"],
        }
