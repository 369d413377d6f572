"""Webhooks of a campaign, for those who run it: what is told elsewhere, and whether it arrives."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.requests import SignedInRequest
from campaigns.access import Place, delivery_for, place_to_run, webhook_for
from campaigns.models import Delivery, Webhook
from campaigns.services.add_webhook import add_webhook
from campaigns.services.change_webhook import change_webhook
from campaigns.services.ping_webhook import ping_webhook
from campaigns.services.redeliver import redeliver
from campaigns.services.remove_webhook import remove_webhook
from campaigns.services.resume_webhook import resume_webhook
from campaigns.webhook_forms import WebhookForm
from rules.engine.errors import RuleViolation

CONFLICT, WRONG = 409, 422
SHOWN = 50


@login_required
def webhooks(request: SignedInRequest, pk: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    return render(request, "campaigns/webhooks.html", _context(place) | {"webhooks": place.campaign.webhooks.all()})


@login_required
@never_cache
def webhook_new(request: SignedInRequest, pk: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    form = WebhookForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _form_page(request, place, form, WRONG if form.is_bound else 200)
    typed = form.cleaned_data
    try:
        made, secret = add_webhook(
            actor=request.user, campaign=place.campaign, address=typed["address"], kind_of_format=typed["format"],
            kinds=form.kinds,
        )  # fmt: skip
    except RuleViolation as refusal:
        form.add_error(_field(refusal), refusal.message)
        return _form_page(request, place, form, CONFLICT)
    return _page(request, place, made, secret=secret)


@login_required
def webhook(request: SignedInRequest, pk: int, webhook: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    return _page(request, place, webhook_for(place, webhook))


@login_required
@never_cache
def webhook_edit(request: SignedInRequest, pk: int, webhook: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    found = webhook_for(place, webhook)
    form = WebhookForm(request.POST if request.method == "POST" else None, webhook=found)
    if not form.is_valid():
        return _form_page(request, place, form, WRONG if form.is_bound else 200, found)
    typed = form.cleaned_data
    try:
        changed, secret = change_webhook(
            actor=request.user, webhook=found, address=typed["address"], kind_of_format=typed["format"],
            kinds=form.kinds, new_key="new_key" in request.POST, expected_version=_version(request),
        )  # fmt: skip
    except RuleViolation as refusal:
        form.add_error(_field(refusal), refusal.message)
        found.refresh_from_db()
        return _form_page(request, place, form, CONFLICT, found)
    if secret:
        return _page(request, place, changed, secret=secret)
    messages.success(request, _("Saved."))
    return redirect("webhook", pk, changed.pk)


@login_required
def webhook_remove(request: SignedInRequest, pk: int, webhook: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    found = webhook_for(place, webhook)
    if request.method != "POST":
        return render(request, "campaigns/webhook_remove.html", _context(place) | {"webhook": found})
    remove_webhook(actor=request.user, webhook=found)
    messages.success(request, _("The webhook is removed."))
    return redirect("webhooks", pk)


@login_required
@require_POST
def webhook_ping(request: SignedInRequest, pk: int, webhook: int) -> HttpResponse:
    found = webhook_for(place_to_run(request.user, pk), webhook)
    try:
        ping_webhook(actor=request.user, webhook=found)
    except RuleViolation as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("A test is on its way. Load the page again to see how it went."))
    return redirect("webhook", pk, found.pk)


@login_required
@require_POST
def webhook_resume(request: SignedInRequest, pk: int, webhook: int) -> HttpResponse:
    found = webhook_for(place_to_run(request.user, pk), webhook)
    resume_webhook(actor=request.user, webhook=found, leave_out="leave_out" in request.POST)
    messages.success(request, _("It goes on."))
    return redirect("webhook", pk, found.pk)


@login_required
@require_POST
def webhook_redeliver(request: SignedInRequest, pk: int, webhook: int, delivery: int) -> HttpResponse:
    found = delivery_for(webhook_for(place_to_run(request.user, pk), webhook), delivery)
    try:
        redeliver(actor=request.user, delivery=found)
    except RuleViolation as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("It is sent once more. Load the page again to see how it went."))
    return redirect("webhook", pk, webhook)


def _context(place: Place) -> dict[str, Any]:
    return {"campaign": place.campaign, "place": place}


def _page(request: SignedInRequest, place: Place, found: Webhook, *, secret: str = "") -> HttpResponse:
    """The secret is shown once, in the answer to its making."""
    deliveries = list(found.deliveries.all()[:SHOWN])
    waiting = found.deliveries.filter(status=Delivery.Status.WAITING).count()
    context = {"webhook": found, "deliveries": deliveries, "waiting": waiting, "secret": secret}
    return render(request, "campaigns/webhook.html", _context(place) | context)


def _form_page(
    request: SignedInRequest, place: Place, form: WebhookForm, status: int, found: Webhook | None = None
) -> HttpResponse:
    context = _context(place) | {"form": form, "webhook": found}
    return render(request, "campaigns/webhook_edit.html", context, status=status)


def _field(refusal: RuleViolation) -> str | None:
    return "address" if refusal.code.startswith("webhook_") and refusal.code != "webhook_gone" else None


def _version(request: SignedInRequest) -> int | None:
    given = request.POST.get("version", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 20 else None
