"""One act of a ledger: what it did, and taking it back."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import SignedInRequest
from rules.engine.errors import RuleViolation
from warbands.access import warband_for_reading, warband_of
from warbands.act_sheet import read_act
from warbands.forms import VoidForm
from warbands.models import Warband
from warbands.services.apply_changes import Stale
from warbands.services.undo import undo
from warbands.services.void import void_act

CONFLICT = 409


@login_required
def act(request: SignedInRequest, pk: int, act: UUID) -> HttpResponse:
    warband = warband_for_reading(request.user, pk)
    if request.method != "POST":
        return _page(request, warband, act, VoidForm(initial={"version": warband.version}))
    form = VoidForm(request.POST)
    if not form.is_valid():
        return _page(request, warband, act, form)
    try:
        gone = void_act(actor=request.user, warband=warband, act=act, **form.orders())
    except RuleViolation as refusal:
        if isinstance(refusal, Stale):
            form.accept_version(refusal.current)
        return _page(request, warband, act, form, refusal=refusal)
    messages.success(request, _("Voided. Acts taken back: %(count)s.") % {"count": len(gone)})
    return redirect("act", warband.pk, act)


def _page(
    request: SignedInRequest, warband: Warband, act: UUID, form: VoidForm, refusal: RuleViolation | None = None
) -> HttpResponse:
    """After a refusal what was typed stays, and what came in between is told."""
    context = {
        "warband": warband,
        "sheet": read_act(warband, act, request.user),
        "mine": warband.owner_id == request.user.pk,
        "form": form,
        "refusal": refusal,
    }
    return render(request, "warbands/act.html", context, status=CONFLICT if refusal else 200)


@login_required
@require_POST
def warband_undo(request: SignedInRequest, pk: int) -> HttpResponse:
    warband = warband_of(request.user, pk)
    chosen, version = _chosen(request)
    try:
        undo(actor=request.user, warband=warband, act=chosen, expected_version=version)
    except RuleViolation as refusal:
        warband.refresh_from_db()
        return _page(request, warband, chosen, VoidForm(initial={"version": warband.version}), refusal=refusal)
    messages.success(request, _("Taken back. It can be done again from here."))
    return redirect("act", warband.pk, chosen)


def _chosen(request: SignedInRequest) -> tuple[UUID, int]:
    try:
        return UUID(request.POST["act"]), int(request.POST["version"])
    except (KeyError, ValueError) as error:
        raise BadRequest from error
