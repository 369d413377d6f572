"""Equipment after the market: choosing a thing, giving it to somebody, and being done."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import SignedInRequest
from campaigns.allocation_sheet import allocation_sheet, moved_orders
from campaigns.market_views import CONFLICT, version_of
from campaigns.ordering import Ordering, read_ordering, refuse_unallocated
from campaigns.postgame import ALLOCATION
from campaigns.services.finish_allocation import finish_allocation
from campaigns.services.keep_draft import keep_draft
from rules.engine.errors import RuleViolation


@login_required
@require_safe
def allocation(request: SignedInRequest, pk: int, number: int, warband: int) -> HttpResponse:
    ordering = read_ordering(request.user, pk, number, warband)
    if not ordering.is_at(ALLOCATION):
        return redirect("postgame", pk, number, warband)
    return _page(request, ordering, request.GET.get("item", ""))


def _page(
    request: SignedInRequest, ordering: Ordering, chosen: str = "", refusal: RuleViolation | None = None
) -> HttpResponse:
    context = _context(ordering) | {"sheet": allocation_sheet(ordering, chosen), "refusal": refusal}
    return render(request, "campaigns/allocation.html", context, status=CONFLICT if refusal else 200)


def _context(ordering: Ordering) -> dict[str, Any]:
    return {
        "ordering": ordering,
        "run": ordering.run,
        "battle": ordering.battle,
        "campaign": ordering.campaign,
    }


@login_required
@require_POST
def allocation_move(request: SignedInRequest, pk: int, number: int, warband: int) -> HttpResponse:
    """Something goes to somebody, into the stockpile, or is thrown away; or all is as it was."""
    ordering = read_ordering(request.user, pk, number, warband)
    sent = request.POST
    try:
        refuse_unallocated(ordering)
        orders = moved_orders(ordering, sent.get("do", ""), sent.get("item", ""), sent.get("to", ""))
        keep_draft(
            actor=request.user, run=ordering.run, key=ordering.key, orders=orders, expected_version=version_of(request)
        )
    except RuleViolation as refused:
        return _refused(request, ordering, sent.get("item", ""), refused)
    return redirect(f"{_address(ordering)}#holder-{sent.get('to', '')}")


@login_required
@require_POST
def allocation_done(request: SignedInRequest, pk: int, number: int, warband: int) -> HttpResponse:
    """The orders are given and the step is closed. What would be thrown away is said first."""
    ordering = read_ordering(request.user, pk, number, warband)
    try:
        refuse_unallocated(ordering)
        sheet = allocation_sheet(ordering)
        if sheet.destroyed and "sure" not in request.POST:
            return render(request, "campaigns/allocation_sure.html", _context(ordering) | {"sheet": sheet})
        finish_allocation(actor=request.user, ordering=ordering, expected_version=version_of(request))
    except RuleViolation as refused:
        return _refused(request, ordering, "", refused)
    return redirect("postgame", pk, number, warband)


def _refused(request: SignedInRequest, before: Ordering, chosen: str, refusal: RuleViolation) -> HttpResponse:
    ordering = read_ordering(request.user, before.campaign.pk, before.battle.number, before.run.warband_id)
    if ordering.is_at(ALLOCATION):
        return _page(request, ordering, chosen, refusal)
    return redirect("postgame", before.campaign.pk, before.battle.number, before.run.warband_id)


def _address(ordering: Ordering) -> str:
    return reverse("allocation", args=[ordering.campaign.pk, ordering.battle.number, ordering.run.warband_id])
