"""The tokens of a person's devices, on the account pages."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.requests import SignedInRequest
from api.forms import TokenForm
from api.models import Token
from api.tokens import make_token, revoke_token
from rules.engine.errors import RuleViolation

CONFLICT = 409


@login_required
@never_cache
def tokens(request: SignedInRequest) -> HttpResponse:
    form = TokenForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return _page(request, form)
    try:
        _made, secret = make_token(actor=request.user, **form.cleaned_data)
    except RuleViolation as refusal:
        form.add_error(None, refusal.message)
        return _page(request, form, status=CONFLICT)
    return _page(request, TokenForm(), secret=secret)


def _page(request: SignedInRequest, form: TokenForm, *, secret: str = "", status: int = 200) -> HttpResponse:
    """The secret is shown once, in the answer to its making, and kept nowhere."""
    context = {"form": form, "secret": secret, "tokens": Token.objects.filter(person=request.user)[:50]}
    return render(request, "api/tokens.html", context, status=status)


@login_required
@require_POST
def token_revoke(request: SignedInRequest, pk: int) -> HttpResponse:
    token = get_object_or_404(Token, pk=pk, person=request.user)
    revoke_token(actor=request.user, token=token)
    messages.success(request, _("“%(name)s” is revoked.") % {"name": token.name})
    return redirect("tokens")
