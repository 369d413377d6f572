from io import BytesIO
from typing import Any

import qrcode  # type: ignore[import-untyped]
from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from qrcode.image.svg import SvgPathFillImage  # type: ignore[import-untyped]

from accounts.lockout import forget_failures
from accounts.models import User

LONGEST_EMAIL = 254


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "duplicate_email": _("This address is yours already, or waits for its confirmation."),
        "email_password_mismatch": _("This e-mail and this password do not belong together."),
        "email_taken": _("There is an account with this e-mail already. Sign in, or reset its password."),
        "enter_current_password": _("This is not your current password."),
        "incorrect_code": _("This code is not right. Codes change every 30 seconds; type the newest one."),
        "incorrect_password": _("This is not your password."),
        "rate_limited": _("Too many tries. Wait a few minutes, then try again."),
        "too_many_login_attempts": _("Too many wrong codes. Wait five minutes, then try again."),
    }

    def clean_email(self, email: str) -> str:
        """Allauth would cut an endless address short and sign up somebody else's."""
        if len(email) > LONGEST_EMAIL:
            raise ValidationError(_("This address is too long."))
        return email

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Name the person before the first save: an account without a name does not exist."""
        user.name = form.cleaned_data["name"]
        try:
            with transaction.atomic():
                saved: User = super().save_user(request, user, form, commit)
        except IntegrityError as taken:
            # A second click arrived while the first was signing the same address up; its mail is on the way.
            raise ImmediateHttpResponse(self.respond_email_verification_sent(request, None)) from taken
        return saved

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Wrong passwords are counted by axes alone, where an operator sees them; allauth's own count would
        answer before axes can. It stays on for two-factor codes, which axes never sees."""

    def reauthenticate(self, user: User, password: str) -> bool:
        known: bool = super().reauthenticate(user, password)
        if known:
            forget_failures(user.email)
        return known

    def set_password(self, user: User, password: str) -> None:
        """A new password ends the lock-out that failures with the old one have brought."""
        user.set_password(password)
        user.save(update_fields=["password"])
        forget_failures(user.email)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")


class MFAAdapter(DefaultMFAAdapter):
    error_messages = DefaultMFAAdapter.error_messages | {
        "add_email_blocked": _("Turn two-factor sign-in off first, change the address, then turn it on again."),
        "incorrect_code": AccountAdapter.error_messages["incorrect_code"],
        "unverified_email": _("Confirm your e-mail address first, then turn two-factor sign-in on."),
    }

    def build_totp_svg(self, url: str) -> str:
        """Black on white whatever the theme: a camera cannot read it on dark paper."""
        picture = BytesIO()
        qrcode.make(url, image_factory=SvgPathFillImage).save(picture)
        return picture.getvalue().decode()
