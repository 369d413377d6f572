from django import forms
from django.utils.translation import gettext_lazy as _

from api.models import Token
from api.tokens import LONGEST_LIFE
from rules.text_fields import LineField


class TokenForm(forms.Form):
    name = LineField(label=_("Device"), max_length=60, help_text=_("Where it will be used: “my phone”."))
    scopes = forms.MultipleChoiceField(
        label=_("May"), choices=Token.Scope, widget=forms.CheckboxSelectMultiple, initial=["read", "play"]
    )
    days = forms.IntegerField(label=_("Days until it ends"), min_value=1, max_value=LONGEST_LIFE, initial=90)
