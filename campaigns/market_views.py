"""The market: looking around, putting a basket together, paying for it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import SignedInRequest
from campaigns.battle_forms import VersionForm
from campaigns.market_sheet import Looking, looking, market_sheet
from campaigns.ordering import Ordering, read_ordering, refuse_shut
from campaigns.postgame import MARKET
from campaigns.services.answer_question import answer_question
from campaigns.services.close_step import close_step
from campaigns.services.keep_draft import keep_draft
from market.edits import edited
from rules.engine.errors import RuleViolation

CONFLICT = 409


@login_required
@require_safe
def market(request: SignedInRequest, pk: int, number: int, warband: int) -> HttpResponse:
    ordering = read_ordering(request.user, pk, number, warband)
    if not ordering.is_at(MARKET):
        return redirect("postgame", pk, number, warband)
    return _page(request, ordering, looking(request.GET))


def _page(
    request: SignedInRequest, ordering: Ordering, looks: Looking, refusal: RuleViolation | None = None
) -> HttpResponse:
    is_asked = ordering.question is not None
    context = {
        "ordering": ordering,
        "run": ordering.run,
        "battle": ordering.battle,
        "campaign": ordering.campaign,
        "address": [ordering.campaign.pk, ordering.battle.number, ordering.run.warband_id],
        "sheet": market_sheet(ordering, looks) if is_asked else None,
        "refusal": refusal,
    }
    return render(request, "campaigns/market.html", context, status=CONFLICT if refusal else 200)


@login_required
@require_POST
def market_basket(request: SignedInRequest, pk: int, number: int, warband: int) -> HttpResponse:
    """One press: something goes into the basket, out of it, or changes in it."""
    ordering = read_ordering(request.user, pk, number, warband)
    looks = looking(QueryDict(request.POST.get("back", "").removeprefix("?")))
    try:
        refuse_shut(ordering)
        orders = edited(ordering.draft, request.POST.get("do", ""), request.POST.get("name", ""))
        keep_draft(
            actor=request.user, run=ordering.run, key=ordering.key, orders=orders, expected_version=version_of(request)
        )
    except RuleViolation as refused:
        return _refused(request, ordering, looks, refused)
    return redirect(_address(ordering, looks))


@login_required
@require_POST
def market_pay(request: SignedInRequest, pk: int, number: int, warband: int) -> HttpResponse:
    """The orders are given; or, with nothing left open, the market is left."""
    ordering = read_ordering(request.user, pk, number, warband)
    looks = looking(QueryDict(request.POST.get("back", "").removeprefix("?")))
    try:
        if request.POST.get("do") == "close":
            close_step(actor=request.user, run=ordering.run, step=MARKET, expected_version=version_of(request))
            return redirect("postgame", pk, number, warband)
        refuse_shut(ordering)
        answer_question(
            actor=request.user, run=ordering.run, key=ordering.key, answer=ordering.draft,
            expected_version=version_of(request),
        )  # fmt: skip
    except RuleViolation as refused:
        return _refused(request, ordering, looks, refused)
    return _paid(request, read_ordering(request.user, pk, number, warband), looks)


def _paid(request: SignedInRequest, ordering: Ordering, looks: Looking) -> HttpResponse:
    if not ordering.is_at(MARKET) or ordering.now.complete:
        messages.success(request, _("Paid. You can still change the basket until you leave the market."))
        return redirect(_address(ordering, looks))
    messages.success(request, _("Paid. Something about it is still to be rolled or chosen."))
    return redirect("postgame", *_arguments(ordering))


def _refused(request: SignedInRequest, before: Ordering, looks: Looking, refusal: RuleViolation) -> HttpResponse:
    """The page as it is now, with the sentence; somebody else may have left the market meanwhile."""
    ordering = read_ordering(request.user, *_arguments(before))
    if ordering.is_at(MARKET):
        return _page(request, ordering, looks, refusal)
    messages.error(request, refusal.message)
    return redirect("postgame", *_arguments(ordering))


def _arguments(ordering: Ordering) -> tuple[int, int, int]:
    return ordering.campaign.pk, ordering.battle.number, ordering.run.warband_id


def _address(ordering: Ordering, looks: Looking) -> str:
    page = reverse("market", args=_arguments(ordering))
    return f"{page}?{looks.query}" if looks.query else page


def version_of(request: SignedInRequest) -> int:
    """A form without one is as stale as can be."""
    form = VersionForm(request.POST)
    return form.cleaned_data["version"] if form.is_valid() else -1
