"""Leaving the site. It lives here because what becomes of a person's warbands is a matter of campaigns."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.forms import FarewellForm
from accounts.requests import SignedInRequest
from campaigns.services.close_account import close_account, what_happens


@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def account_delete(request: SignedInRequest) -> HttpResponse:
    form = FarewellForm(request.POST if request.method == "POST" else None, person=request.user)
    if form.is_valid():
        close_account(actor=request.user)
        logout(request)
        messages.success(request, _("Your account is deleted. Thank you for playing."))
        return redirect("home")
    return render(request, "accounts/delete.html", {"form": form, "closing": what_happens(request.user)})
