"""Pages of the panel that are no list of a model."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models import User
from panel.audit import PAGE, AuditForm, rows, search
from panel.exports import as_csv
from panel.queues import queue_facts, troubled_batches
from panel.scope import is_operator
from panel.services.compare_ledgers import compare_ledgers
from panel.site import panel
from panel.storage import storage_facts
from rules.engine.errors import RuleViolation

View = Callable[[HttpRequest], HttpResponse]


def operators_only(view: View) -> View:
    @wraps(view)
    def shown(request: HttpRequest) -> HttpResponse:
        if not is_operator(request.user):
            raise Http404
        return view(request)

    return shown


def _page(request: HttpRequest, name: str, title: str, facts: dict[str, Any], status: int = 200) -> HttpResponse:
    context = {**panel.each_context(request), "title": title, **facts}
    return TemplateResponse(request, f"panel/{name}.html", context, status=status)


def audit(request: HttpRequest) -> HttpResponseBase:
    assert isinstance(request.user, User)
    form = AuditForm(request.GET)
    if form.is_valid() and request.GET.get("as") == "csv":
        return as_csv(f"audit-{timezone.now():%Y-%m-%d}.csv", rows(request.user, form.cleaned_data))
    found = search(request.user, form.cleaned_data, PAGE) if form.is_valid() else None
    query = request.GET.copy()
    if found and found.older:
        query["before"] = str(found.older)
    everything = request.GET.copy()
    everything.pop("before", None)
    everything["as"] = "csv"
    facts = {
        "form": form, "found": found, "older": query.urlencode() if found and found.older else "",
        "everything": everything.urlencode(),
    }  # fmt: skip
    return _page(request, "audit", _("Audit search"), facts, status=200 if form.is_valid() else 422)


@operators_only
def queues(request: HttpRequest) -> HttpResponse:
    facts = {**queue_facts(), "batches": troubled_batches()}
    return _page(request, "queues", _("Queues and workers"), facts)


@operators_only
@require_POST
def compare(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    try:
        compare_ledgers(actor=request.user)
    except RuleViolation as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("Ledgers and rosters are being compared."))
    return redirect("admin:storage")


@operators_only
def storage(request: HttpRequest) -> HttpResponse:
    return _page(request, "storage", _("Storage"), storage_facts())
