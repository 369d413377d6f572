"""The forms of the account pages: allauth's, in our words."""

from typing import Any, ClassVar

from allauth.account import forms as account
from allauth.account.models import EmailAddress
from allauth.mfa.base import forms as codes
from allauth.mfa.totp import forms as totp
from django import forms
from django.core.exceptions import ValidationError
from django.utils.html import escape
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from rules.text_fields import LineField

EMAIL = _("E-mail")
PASSWORD = _("Password")
NEW_PASSWORD = _("New password")
NEW_PASSWORD_AGAIN = _("New password, again")
HOW_TO_CHOOSE = _("Ten characters or more. Three or four unrelated words are easy to remember and hard to guess.")


class OurWords(forms.Form):
    """Give allauth's fields our labels and hints, and labels instead of placeholders."""

    labels: ClassVar[dict[str, Any]] = {}
    hints: ClassVar[dict[str, Any]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            if name in self.labels:
                field.label = self.labels[name]
                field.help_text = self.hints.get(name, "")


class OneTimeCode(OurWords):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs |= {"inputmode": "numeric", "autocapitalize": "none", "spellcheck": "false"}


class NameForm(forms.Form):
    name = LineField(
        label=_("Name"),
        max_length=60,
        help_text=_("What the others in a campaign call you."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )


class LoginForm(OurWords, account.LoginForm):  # type: ignore[misc]
    labels: ClassVar = {"login": EMAIL, "password": PASSWORD, "remember": _("Keep me signed in on this device")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["remember"].initial = True


class SignupForm(OurWords, NameForm, account.SignupForm):  # type: ignore[misc]
    field_order = ("name", "email", "password1")
    labels: ClassVar = {"email": EMAIL, "password1": PASSWORD}
    hints: ClassVar = {"email": _("Only we see it."), "password1": HOW_TO_CHOOSE}


class AddEmailForm(OurWords, account.AddEmailForm):  # type: ignore[misc]
    labels: ClassVar = {"email": _("New e-mail")}

    def clean_email(self) -> str:
        """Without a confirmed address there is none to keep while the new one waits for its confirmation."""
        if EmailAddress.objects.get_verified(self.user) is None:
            raise ValidationError(_("Confirm your current address first."))
        email: str = super().clean_email()
        return email


class ChangePasswordForm(OurWords, account.ChangePasswordForm):  # type: ignore[misc]
    labels: ClassVar = {
        "oldpassword": _("Current password"),
        "password1": NEW_PASSWORD,
        "password2": NEW_PASSWORD_AGAIN,
    }
    hints: ClassVar = {"password1": HOW_TO_CHOOSE}


class SetPasswordForm(OurWords, account.SetPasswordForm):  # type: ignore[misc]
    labels: ClassVar = {"password1": PASSWORD, "password2": _("Password, again")}
    hints: ClassVar = {"password1": HOW_TO_CHOOSE}


class ResetPasswordForm(OurWords, account.ResetPasswordForm):  # type: ignore[misc]
    labels: ClassVar = {"email": EMAIL}


class ResetPasswordKeyForm(OurWords, account.ResetPasswordKeyForm):  # type: ignore[misc]
    labels: ClassVar = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD_AGAIN}
    hints: ClassVar = {"password1": HOW_TO_CHOOSE}


class ReauthenticateForm(OurWords, account.ReauthenticateForm):  # type: ignore[misc]
    labels: ClassVar = {"password": PASSWORD}


class AuthenticateForm(OneTimeCode, codes.AuthenticateForm):  # type: ignore[misc]
    labels: ClassVar = {"code": _("Code")}
    hints: ClassVar = {"code": _("Six digits from your authenticator app, or one of your recovery codes.")}


class ReauthenticateByCodeForm(OneTimeCode, codes.ReauthenticateForm):  # type: ignore[misc]
    labels: ClassVar = AuthenticateForm.labels
    hints: ClassVar = AuthenticateForm.hints


class ActivateTOTPForm(OneTimeCode, totp.ActivateTOTPForm):  # type: ignore[misc]
    labels: ClassVar = {"code": _("Code from the app")}


class FarewellForm(forms.Form):
    """The last word before an account is deleted: its own address, typed by hand."""

    email = forms.EmailField(label=_("Type your e-mail to confirm"))

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person
        self.fields["email"].help_text = escape(person.email)
        self.fields["email"].widget.attrs["autocomplete"] = "off"

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        if email.lower() != self.person.email:
            raise ValidationError(_("This is not the address of this account."))
        return email
