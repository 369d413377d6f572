"""Shape only: whether an address is good is the service's to say."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.models import Webhook
from campaigns.posting import LONGEST
from campaigns.webhooks import groups, groups_of, kinds_of

EVERYTHING, SOME = "all", "some"
OWN = "own"
QUIET = ("battles", "wounds", "market", "announcements")
"""What a new one hears of, if nobody chooses: little enough to be read by people."""


class WebhookForm(forms.Form):
    address = forms.CharField(
        label=_("Address"), max_length=LONGEST,
        help_text=_("Where we send to: https://… For Discord, the address that a channel's settings give you."),
        widget=forms.URLInput(attrs={"autocomplete": "off", "inputmode": "url", "spellcheck": "false"}),
    )  # fmt: skip
    format = forms.ChoiceField(
        label=_("Format"), widget=forms.RadioSelect, initial=Webhook.Format.JSON,
        choices=[
            (Webhook.Format.JSON, _("JSON, for a program of your own")),
            (Webhook.Format.DISCORD, _("Discord, as a line in a channel")),
        ],
    )  # fmt: skip
    scope = forms.ChoiceField(
        label=_("It hears of"), widget=forms.RadioSelect, initial=SOME,
        choices=[(EVERYTHING, _("Everything, also what is added later")), (SOME, _("Only this:"))],
    )  # fmt: skip
    groups = forms.MultipleChoiceField(
        label=_("Kinds of events"), required=False, widget=forms.CheckboxSelectMultiple, initial=QUIET
    )

    def __init__(self, *args: Any, webhook: Webhook | None = None, **kwargs: Any) -> None:
        self.own: list[str] = []
        if webhook is not None:
            whole, self.own = groups_of(webhook.kinds)
            chosen = [*whole, OWN] if self.own else whole
            kwargs["initial"] = {
                "address": webhook.address,
                "format": webhook.format,
                "scope": SOME if webhook.kinds else EVERYTHING,
                "groups": chosen,
            }
        super().__init__(*args, **kwargs)
        choices = list(groups().items())
        if self.own:
            choices.append((OWN, _("As it is: %(kinds)s") % {"kinds": ", ".join(self.own)}))
        self.fields["groups"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("scope") == SOME and not given.get("groups") and "groups" not in self.errors:
            self.add_error("groups", _("Choose at least one, or everything."))
        return given

    @property
    def kinds(self) -> list[str]:
        if self.cleaned_data["scope"] == EVERYTHING:
            return []
        chosen = self.cleaned_data["groups"]
        named = kinds_of(group for group in chosen if group != OWN)
        return [*named, *(self.own if OWN in chosen else [])]
