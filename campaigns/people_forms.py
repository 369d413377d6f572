"""Shape only, for the pages about people: what is allowed is the services' to say."""

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.models import Membership
from campaigns.services.invite import MOST_PLACES
from campaigns.services.request_to_join import LONGEST_NOTE
from rules.text_fields import LineField, TextField

Role = Membership.Role


class InviteForm(forms.Form):
    role = forms.ChoiceField(
        label=_("They come as"), widget=forms.RadioSelect, initial=Role.PLAYER,
        choices=[
            (Role.PLAYER, _("Players, with warbands of their own")),
            (Role.SPECTATOR, _("Spectators, who only watch")),
            (Role.CO_GM, _("Co-game masters, who run it with you")),
        ],
    )  # fmt: skip
    days = forms.TypedChoiceField(
        label=_("Good for"), coerce=int, initial=30, choices=[(7, _("7 days")), (30, _("30 days")), (0, _("ever"))]
    )
    places = forms.IntegerField(
        label=_("Places"), min_value=0, max_value=MOST_PLACES, initial=0,
        help_text=_("How many may come by it. 0: no limit."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )  # fmt: skip
    email = forms.EmailField(
        label=_("For one address only"), required=False,
        help_text=_("We send the link there, and only that person can use it."),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )  # fmt: skip


class CodeForm(forms.Form):
    code = forms.CharField(
        label=_("Code"), max_length=40, help_text=_("Eight letters and digits. Capitals and spaces do not matter."),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false", "class": "code"}
        ),
    )  # fmt: skip


class RequestForm(forms.Form):
    note = TextField(
        label=_("A word about you"), max_length=LONGEST_NOTE, required=False,
        help_text=_("Who you are, when you can play. Only those who run the campaign read it."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )  # fmt: skip


class CloneForm(forms.Form):
    name = LineField(label=_("Name of the new campaign"), max_length=80)
