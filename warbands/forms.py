"""Shape only: what is allowed is the engine's to say."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from rules.engine.pack.schema import Pack
from rules.engine.state import DEVOTIONS, MEDIUM
from rules.library import pack
from rules.text_fields import LineField
from warbands.portable import LARGEST_FILE
from warbands.services.draft import LONGEST_NAME
from warbands.services.void import CASCADE, KEEP, LONGEST_REASON, STOP


class WarbandForm(forms.Form):
    """The first page of a founding."""

    army = forms.ChoiceField(label=_("Army"), widget=forms.RadioSelect)
    name = LineField(label=_("Name of the warband"), max_length=LONGEST_NAME)
    devotion = forms.ChoiceField(label=_("Devotion"), initial=MEDIUM, widget=forms.RadioSelect)

    def __init__(self, *args: Any, packed: Pack | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        armies = sorted((packed or pack()).armies.values(), key=lambda army: army.name)
        self.choice("army").choices = [(army.code, army.name) for army in armies]
        self.choice("devotion").choices = [(devotion, devotion) for devotion in DEVOTIONS]

    def choice(self, name: str) -> forms.ChoiceField:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        return field


class ImportForm(forms.Form):
    """A file that was exported; what is in it is not a form's to judge."""

    file = forms.FileField(
        label=_("File"),
        max_length=200,
        help_text=_("A warband that Aftermath exported, up to 5 MB. It ends in .json."),
        error_messages={"empty": _("The file is empty.")},
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
    )

    def clean_file(self) -> "UploadedFile[bytes]":
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        if file.size is None or file.size > LARGEST_FILE:
            raise forms.ValidationError(_("The file is larger than 5 MB."))
        return file


class VoidForm(forms.Form):
    """Taking back an act: why, and what becomes of the acts that rest on it."""

    reason = LineField(
        label=_("Reason"), max_length=LONGEST_REASON, help_text=_("It stays in the ledger, for everybody to read.")
    )
    cascade = forms.ChoiceField(
        label=_("What rests on it"),
        widget=forms.RadioSelect,
        choices=[
            (CASCADE, _("Void it too")),
            (KEEP, _("Keep it, if the warband can stand without this act")),
            (STOP, _("Do nothing while something rests on it")),
        ],
        initial=STOP,
    )
    version = forms.IntegerField(widget=forms.HiddenInput)

    def orders(self) -> dict[str, Any]:
        values = self.cleaned_data
        return {
            "reason": values["reason"],
            "cascade": values["cascade"],
            "expected_version": values["version"],
        }

    def accept_version(self, version: int) -> None:
        """Shown again, the form is about the warband as it is now."""
        self.data = {**self.data.dict(), "version": str(version)} if isinstance(self.data, QueryDict) else self.data
