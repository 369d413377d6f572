"""An operator has the mail sent that a person could ask for."""

from allauth.core import context
from django.utils.translation import gettext as _

from accounts.forms import ResetPasswordForm
from accounts.models import User
from rules.engine.errors import RuleViolation


def send_password_reset(*, actor: User, person: User) -> None:
    """By allauth's own form, which knows the request from its middleware. Nobody but the person sees the link."""
    form = ResetPasswordForm({"email": person.email})
    if not person.is_active or not form.is_valid():
        raise RuleViolation("closed_account", _("This account is closed to sign-in."))
    form.save(context.request)
