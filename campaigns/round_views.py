"""Rounds: drafted, changed by hand, published, played and closed."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import SignedInRequest
from campaigns.access import Place, place_for, place_to_run, round_for
from campaigns.battle_forms import VersionForm
from campaigns.models import Campaign, Round, Seat
from campaigns.round_forms import ChangeForm, DeadlineForm
from campaigns.round_sheet import RoundSheet
from campaigns.rounds import champion, counted_rounds, knockout_name, next_kind, refuse_unknown_results, rounds_of
from campaigns.services.change_pairing import change_pairing
from campaigns.services.close_round import close_round
from campaigns.services.discard_round import discard_round
from campaigns.services.draft_round import draft_round
from campaigns.services.publish_round import publish_round
from campaigns.services.set_deadline import set_deadline
from rules.engine.errors import RuleViolation
from warbands.models import Warband

CONFLICT, WRONG = 409, 422


def with_rounds(place: Place) -> Place:
    """A ladder has none."""
    if place.campaign.kind == Campaign.Kind.LADDER:
        raise Http404
    return place


# The list ---------------------------------------------------------------------------------------------


@login_required
def rounds(request: SignedInRequest, pk: int) -> HttpResponse:
    return _list(request, with_rounds(place_for(request.user, pk)))


def _list(request: SignedInRequest, place: Place, refusal: RuleViolation | None = None) -> HttpResponse:
    campaign = place.campaign
    found = list(counted_rounds(campaign).order_by("-number"))
    shown = [one for one in found if place.runs_it or one.state != Round.State.DRAFT]
    for one in shown:
        one.title = _title(one)  # type: ignore[attr-defined]
    context = {
        "place": place,
        "campaign": campaign,
        "rounds": shown,
        "house": campaign.house_rules,
        "champion": champion(campaign, found[::-1]),
        "coming": _coming(place) if place.runs_it and place.may_change else {},
        "refusal": refusal,
    }
    return render(request, "campaigns/rounds.html", context, status=CONFLICT if refusal else 200)


def _title(one: Any) -> str:
    if one.kind == Round.Kind.KNOCKOUT:
        return knockout_name(one.tables)
    return _("Round %(number)s") % {"number": one.number}


def _coming(place: Place) -> dict[str, str]:
    """The kind of the next round, or why there is none now."""
    if not place.campaign.is_running:
        return {"refused": _("The campaign has not begun yet.")}
    try:
        kind = next_kind(place.campaign, rounds_of(place.campaign))
        refuse_unknown_results(place.campaign)
    except RuleViolation as refusal:
        return {"refused": refusal.message}
    return {"kind": kind}


@login_required
@require_POST
def round_draft(request: SignedInRequest, pk: int) -> HttpResponse:
    place = with_rounds(place_to_run(request.user, pk))
    try:
        made = draft_round(actor=request.user, campaign=place.campaign)
    except RuleViolation as refusal:
        return _list(request, place, refusal)
    messages.success(request, _("The pairings are a draft. Only those who run the campaign see it."))
    return redirect(made)


# One of them ------------------------------------------------------------------------------------------


@login_required
def round_page(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    place = with_rounds(place_for(request.user, pk))
    return _page(request, place, round_for(place, number), change=request.GET.get("change", ""))


def _page(
    request: SignedInRequest,
    place: Place,
    shown: Round,
    refusal: RuleViolation | None = None,
    *,
    form: DeadlineForm | None = None,
    change: str = "",
    page: object = None,
    status: int = CONFLICT,
) -> HttpResponse:
    sheet = RoundSheet(place, shown, str(page or request.GET.get("page", "1")))
    may_run = place.runs_it and place.may_change
    context = {
        "place": place,
        "campaign": place.campaign,
        "round": shown,
        "sheet": sheet,
        "may_run": may_run,
        "form": form or DeadlineForm(initial={"version": shown.version, "deadline": shown.deadline}),
        "refusal": refusal,
    }
    if may_run and sheet.is_draft:
        context["changing"] = _changing(shown, sheet, change)
    return render(request, "campaigns/round_page.html", context, status=status if refusal else 200)


def _changing(shown: Round, sheet: RoundSheet, key: str) -> dict[str, Any] | None:
    """The one warband that is being moved, with where it could go."""
    if not (key.isdecimal() and len(key) < 10):
        return None
    seats = list(Seat.objects.filter(round=shown).select_related("warband", "pairing").order_by("warband__name", "pk"))
    own = next((seat for seat in seats if seat.warband_id == int(key)), None)
    free = [one for one in sheet.left_out if one.pk == int(key)]
    if own is None and not free:
        return None
    warband: Warband = own.warband if own else free[0]
    others = [(seat.warband, seat.pairing.table) for seat in seats if seat != own]
    if own:
        others += [(one, 0) for one in sheet.left_out]
    tables = list(shown.pairings.order_by("table").values_list("table", flat=True))
    return {"warband": warband, "table": own.pairing.table if own else 0, "others": others, "tables": tables}


@login_required
@require_POST
def round_change(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    place = with_rounds(place_to_run(request.user, pk))
    shown = round_for(place, number)
    form = ChangeForm(request.POST)
    key = request.POST.get("warband", "")
    if not form.is_valid():
        said = RuleViolation("input", _("Choose what should change."))
        return _page(request, place, shown, said, change=key, status=WRONG)
    page = form.cleaned_data["page"]
    try:
        change_pairing(actor=request.user, turn=shown, **form.orders())
    except RuleViolation as refusal:
        return _page(request, place, round_for(place, number), refusal, change=key, page=page)
    messages.success(request, _("The draft is changed."))
    return redirect(f"{shown.get_absolute_url()}?page={page or 1}")


def _dated(
    request: SignedInRequest, pk: int, number: int, act: Callable[[Round, dict[str, Any]], Round], said: str
) -> HttpResponse:
    """A form with a deadline; what is refused is said beside it, and what was typed stays."""
    place = with_rounds(place_to_run(request.user, pk))
    shown = round_for(place, number)
    form = DeadlineForm(request.POST)
    if not form.is_valid():
        wrong = RuleViolation("input", _("Look at the date again."))
        return _page(request, place, shown, wrong, form=form, status=WRONG)
    try:
        done = act(shown, form.cleaned_data)
    except RuleViolation as refusal:
        shown = round_for(place, number)
        form.data = {**request.POST.dict(), "version": str(shown.version)}
        return _page(request, place, shown, refusal, form=form)
    messages.success(request, said)
    return redirect(done)


@login_required
@require_POST
def round_publish(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    def act(shown: Round, values: dict[str, Any]) -> Round:
        return publish_round(actor=request.user, turn=shown, **values)

    return _dated(request, pk, number, act, _("The round is published, and its players are told."))


@login_required
@require_POST
def round_deadline(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    def act(shown: Round, values: dict[str, Any]) -> Round:
        return set_deadline(actor=request.user, turn=shown, **values)

    return _dated(request, pk, number, act, _("The date is set."))


@login_required
@require_POST
def round_close(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    place = with_rounds(place_to_run(request.user, pk))
    shown = round_for(place, number)
    form = VersionForm(request.POST)
    version = form.cleaned_data["version"] if form.is_valid() else -1
    try:
        close_round(actor=request.user, turn=shown, version=version)
    except RuleViolation as refusal:
        return _page(request, place, round_for(place, number), refusal)
    messages.success(request, _("The round is closed."))
    return redirect("rounds", pk)


@login_required
def round_discard(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    place = with_rounds(place_to_run(request.user, pk))
    shown = round_for(place, number)
    refusal: RuleViolation | None = None
    if request.method == "POST":
        form = VersionForm(request.POST)
        version = form.cleaned_data["version"] if form.is_valid() else -1
        try:
            discard_round(actor=request.user, turn=shown, version=version)
        except RuleViolation as refused:
            refusal = refused
        else:
            messages.success(request, _("The draft is gone."))
            return redirect(reverse("rounds", args=[pk]))
    elif shown.state != Round.State.DRAFT:
        return redirect(shown)
    context = {"campaign": place.campaign, "round": shown, "refusal": refusal}
    return render(request, "campaigns/round_discard.html", context, status=CONFLICT if refusal else 200)
