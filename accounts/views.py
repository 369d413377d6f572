from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.forms import NameForm
from accounts.lockout import TOO_MANY
from accounts.models import User
from accounts.requests import SignedInRequest
from rules.engine.errors import RuleViolation


@login_required
def account(request: SignedInRequest) -> HttpResponse:
    person = request.user
    form = NameForm(request.POST if request.method == "POST" else None, initial={"name": person.name})
    if form.is_valid():
        rename(person, form.cleaned_data["name"])
        messages.success(request, _("The others now see you as %(name)s.") % form.cleaned_data)
        return redirect("account")
    context = {
        "form": form,
        "confirmed_address": EmailAddress.objects.get_verified(person),
        "waiting_address": EmailAddress.objects.get_new(person),
    }
    return render(request, "accounts/account.html", context)


def rename(person: User, name: str, was: str | None = None) -> None:
    """By query, not by `save`: a save would bring an account back that another tab has just deleted.

    `was` is the name that somebody knew; the database compares it when it writes.
    """
    mine = User.objects.filter(pk=person.pk)
    if not (mine if was is None else mine.filter(name=was)).update(name=name) and was is not None:
        raise RuleViolation("stale", _("Your name has changed since you looked at it. Look at it again first."))


def too_many_requests(request: HttpRequest) -> HttpResponse:
    return render(request, "account/too_many_requests.html", status=TOO_MANY)
