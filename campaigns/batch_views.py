"""A whole round in one action: what can be resolved, and how it gets on."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Prefetch, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import SignedInRequest
from campaigns.access import Place, place_for, place_to_run
from campaigns.batch_sheet import MOST_CALLED, called, shown
from campaigns.batches import progress_of
from campaigns.models import Batch, BatchItem, Participation
from campaigns.services.cancel_batch import cancel_batch
from campaigns.services.retry_batch import AGAIN, retry_batch
from campaigns.services.start_batch import RESOLVABLE, resolvable, start_batch
from rules.engine.errors import RuleViolation

ITEMS_A_PAGE = 50
BATTLES_A_PAGE = 100
PREVIEW = "preview"


@login_required
def batches(request: SignedInRequest, pk: int) -> HttpResponse:
    return _choose(request, place_to_run(request.user, pk))


def _choose(request: SignedInRequest, place: Place, refusal: RuleViolation | None = None) -> HttpResponse:
    turn = _turn(request)
    parts = Prefetch("participations", Participation.objects.select_related("warband"))
    waiting = resolvable(place.campaign, turn).prefetch_related(parts).select_related("round")
    page = Paginator(waiting, BATTLES_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "campaign": place.campaign,
        "place": place,
        "page": page,
        "turn": turn,
        "chosen": set(request.POST.getlist("battle")),
        "earlier": Batch.objects.filter(campaign=place.campaign).select_related("made_by")[:20],
        "refusal": refusal,
    }
    return render(request, "campaigns/batches.html", context, status=409 if refusal else 200)


def _turn(request: SignedInRequest) -> int | None:
    """The number of a round, if only its battles are meant."""
    given = request.POST.get("round") or request.GET.get("round", "")
    return int(given) if given.isdecimal() else None


@login_required
@require_POST
def batch_start(request: SignedInRequest, pk: int) -> HttpResponse:
    """Of the battles that are ticked; with none ticked, of all that wait, in a round or in all."""
    place = place_to_run(request.user, pk)
    chosen = [int(key) for key in request.POST.getlist("battle") if key.isdecimal()]
    try:
        started = start_batch(
            actor=request.user, campaign=place.campaign, battles=chosen or None, turn=_turn(request),
            is_preview=request.POST.get("do") == PREVIEW,
        )  # fmt: skip
    except RuleViolation as refusal:
        return _choose(request, place, refusal)
    return redirect(started)


def _batch_for(place: Place, pk: int) -> Batch:
    found = get_object_or_404(Batch.objects.select_related("made_by"), campaign=place.campaign, pk=pk)
    found.campaign = place.campaign
    return found


@login_required
def batch(request: SignedInRequest, pk: int, batch: int) -> HttpResponse:
    """Members read what came of it; a preview is for those who run the campaign."""
    place = place_for(request.user, pk)
    found = _batch_for(place, batch)
    if found.is_preview:
        place = place_to_run(request.user, pk)
    return render(request, "campaigns/batch.html", _context(request, place, found))


@login_required
def batch_progress(request: SignedInRequest, pk: int, batch: int) -> HttpResponse:
    """The part of the page that moves; it asks again by itself while the batch runs."""
    place = place_for(request.user, pk)
    found = _batch_for(place, batch)
    if found.is_preview:
        place = place_to_run(request.user, pk)
    return render(request, "campaigns/partials/_batch.html", _context(request, place, found))


def _context(request: SignedInRequest, place: Place, found: Batch) -> dict[str, Any]:
    state = request.GET.get("state", "")
    items = found.items.select_related("battle").order_by("pk")
    if state in BatchItem.State.values:
        items = items.filter(state=state)
    page = Paginator(items, ITEMS_A_PAGE).get_page(request.GET.get("page"))
    progress = progress_of(found)
    return {
        "campaign": place.campaign,
        "place": place,
        "batch": found,
        "progress": progress,
        "page": page,
        "lines": [shown(item, place.campaign.pk) for item in page],
        "called": called(found),
        "most_called": MOST_CALLED,
        "state": state,
        "states": BatchItem.State.choices,
        "is_running": found.state == Batch.State.RUNNING,
        "may_retry": found.state != Batch.State.RUNNING and _has_more(found),
    }


def _has_more(found: Batch) -> bool:
    open_yet = Q(battle=None) | Q(battle__state__in=RESOLVABLE)
    return found.items.filter(open_yet, state__in=AGAIN).exists()


@login_required
@require_POST
def batch_cancel(request: SignedInRequest, pk: int, batch: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    found = _batch_for(place, batch)
    try:
        cancel_batch(actor=request.user, batch=found)
        messages.info(request, _("Stopped. What was resolved stays resolved."))
    except RuleViolation as refusal:
        messages.warning(request, refusal.message)
    return redirect(found)


@login_required
@require_POST
def batch_retry(request: SignedInRequest, pk: int, batch: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    found = _batch_for(place, batch)
    try:
        retry_batch(actor=request.user, batch=found)
    except RuleViolation as refusal:
        messages.warning(request, refusal.message)
    return redirect(found)
