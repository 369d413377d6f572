"""What a game master does to a warband by hand: an order, what would come of it, and once confirmed, the act."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.requests import SignedInRequest
from campaigns.access import Place, place_to_run
from campaigns.foreseen import do_sealed, seal
from campaigns.intervene_forms import KINDS, OrderForm, OwnerForm, ReasonForm, UndoForm, subject_of
from campaigns.interventions import beside_in, beside_of, done_in, one_done, told_of
from campaigns.models import Membership
from campaigns.people import enrolled
from campaigns.services.change_owner import change_owner
from campaigns.services.intervene import undo_intervention
from campaigns.services.undo_by_hand import undo_by_hand
from campaigns.walk.changed import compare
from rules.engine.errors import InputError, RuleViolation
from warbands.models import Warband
from warbands.names import names_of
from warbands.services.apply_changes import Stale

CONFLICT, WRONG = 409, 422
A_PAGE = 50


def _warband(place: Place, warband: int) -> Warband:
    """One that plays in this campaign; others are none of its game master's business."""
    found = get_object_or_404(enrolled(place.campaign).select_related("warband__owner"), warband_id=warband)
    return found.warband


@login_required
def intervene(request: SignedInRequest, pk: int, warband: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    row = _warband(place, warband)
    if request.method == "POST" and "token" in request.POST:
        return _do(request, place, row)
    if request.method == "POST":
        return _preview(request, place, row)
    return _choose(request, place, row)


def _choose(
    request: SignedInRequest, place: Place, row: Warband, form: OrderForm | None = None,
    refusal: RuleViolation | None = None,
) -> HttpResponse:  # fmt: skip
    """The kinds, and the form of the one that was chosen, with what was typed before."""
    subject = subject_of(place.campaign, row)
    kind = KINDS.get(request.GET.get("do", "")) if form is None else form.kind
    if form is None and kind is not None:
        form = OrderForm(kind, subject, initial=request.GET.dict())
    context = {
        "place": place, "campaign": place.campaign, "warband": row, "kind": kind, "form": form, "refusal": refusal,
        "kinds": [(one, one.is_possible(subject)) for one in KINDS.values()],
    }  # fmt: skip
    sent = request.method == "POST"
    status = CONFLICT if refusal else WRONG if sent else 200
    return render(request, "campaigns/intervene.html", context, status=status)


def _preview(request: SignedInRequest, place: Place, row: Warband) -> HttpResponse:
    """Nothing happens yet. What is confirmed is just this: order, seed and version are signed."""
    kind = KINDS.get(request.POST.get("do", ""))
    if kind is None:
        return _choose(request, place, row, refusal=RuleViolation("input", _("Choose what to do.")))
    form = OrderForm(kind, subject_of(place.campaign, row), request.POST)
    if not form.is_valid():
        return _choose(request, place, row, form)
    try:
        sealed = seal(place.campaign, row, form.order, form.cleaned_data["reason"])
    except (RuleViolation, InputError) as refused:
        return _choose(request, place, row, form, _said(refused))
    names = names_of(row, ())
    typed = {name: request.POST.get(name, "") for name in ("do", *form.fields)}
    context = {
        "place": place, "campaign": place.campaign, "warband": row, "kind": kind, "reason": sealed.reason,
        "changed": compare(sealed.seen.before, sealed.seen.after, names), "typed": typed, "token": sealed.token,
    }  # fmt: skip
    return render(request, "campaigns/intervene_sure.html", context)


def _said(refused: RuleViolation | InputError) -> RuleViolation:
    """Nonsense has a sentence too."""
    if isinstance(refused, RuleViolation):
        return refused
    return RuleViolation("input", _("That is not possible: %(why)s.") % {"why": refused})


def _do(request: SignedInRequest, place: Place, row: Warband) -> HttpResponse:
    """What is refused goes back to the form, with what was typed in it."""
    try:
        act = do_sealed(actor=request.user, campaign=place.campaign, warband=row, token=request.POST["token"])
    except (RuleViolation, InputError) as refused:
        said = _said(refused)
        if isinstance(refused, Stale):
            said = RuleViolation("stale", _("The warband has changed since this was shown. Look at it again first."))
        kind = KINDS.get(request.POST.get("do", ""))
        form = OrderForm(kind, subject_of(place.campaign, row), request.POST) if kind else None
        return _choose(request, place, row, form, said)
    messages.success(request, _("Done. %(name)s is told.") % {"name": row.owner.name})
    return redirect("act", row.pk, act)


# What was done ----------------------------------------------------------------------------------------


@login_required
@require_GET
def interventions(request: SignedInRequest, pk: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    page = Paginator(done_in(place.campaign), A_PAGE).get_page(request.GET.get("page"))
    shown = told_of(place.campaign, page)
    beside = [beside_of(event) for event in beside_in(place.campaign)[:A_PAGE]]
    warbands = enrolled(place.campaign).select_related("warband__owner").order_by("warband__name")
    context = {"place": place, "campaign": place.campaign, "page": page, "shown": shown, "warbands": warbands}
    return render(request, "campaigns/interventions.html", context | {"beside": beside})


@login_required
def intervention_undo(request: SignedInRequest, pk: int, act: UUID) -> HttpResponse:
    place = place_to_run(request.user, pk)
    done = one_done(place.campaign, act)
    if done is None:
        raise Http404
    row = done.entry.warband
    form, refusal = UndoForm(request.POST or None, initial={"version": row.version}), None
    if request.method == "POST" and form.is_valid():
        try:
            undo_intervention(
                actor=request.user, campaign=place.campaign, warband=row, act=act,
                reason=form.cleaned_data["reason"], expected_version=form.cleaned_data["version"],
            )  # fmt: skip
        except RuleViolation as refused:
            refusal = refused
            row.refresh_from_db()
            form.data = {**form.cleaned_data, "version": str(row.version)}
        else:
            messages.success(request, _("Taken back."))
            return redirect("interventions", pk)
    context = {
        "place": place, "campaign": place.campaign, "warband": row, "done": done, "form": form, "refusal": refusal,
    }  # fmt: skip
    status = CONFLICT if refusal else WRONG if form.is_bound else 200
    return render(request, "campaigns/intervention_undo.html", context, status=status)


@login_required
def by_hand_undo(request: SignedInRequest, pk: int, event: int) -> HttpResponse:
    """What was done beside the ledgers: to a battle, a post-game, or to whose a warband is."""
    place = place_to_run(request.user, pk)
    found = beside_of(get_object_or_404(beside_in(place.campaign), pk=event))
    form, refusal = ReasonForm(request.POST or None), None
    if request.method == "POST" and form.is_valid():
        try:
            why = form.cleaned_data["reason"]
            undo_by_hand(actor=request.user, campaign=place.campaign, event=found.event, reason=why)
        except RuleViolation as refused:
            refusal = refused
        else:
            messages.success(request, _("Taken back."))
            return redirect("interventions", pk)
    context = {"place": place, "campaign": place.campaign, "found": found, "form": form, "refusal": refusal}
    status = CONFLICT if refusal else WRONG if form.is_bound else 200
    return render(request, "campaigns/by_hand_undo.html", context, status=status)


# Whose it is ------------------------------------------------------------------------------------------


@login_required
def warband_owner(request: SignedInRequest, pk: int, warband: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    row = _warband(place, warband)
    members = place.campaign.memberships.exclude(role=Membership.Role.SPECTATOR).exclude(person=row.owner)
    people = {one.person_id: one.person for one in members.select_related("person").order_by("person__name")}
    choices = [(str(key), person.name) for key, person in people.items()]
    form, refusal = OwnerForm(choices, request.POST or None, initial={"was": row.owner_id}), None
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            change_owner(
                actor=request.user, campaign=place.campaign, warband=row, person=people[typed["person"]],
                reason=typed["reason"], was=typed["was"],
            )  # fmt: skip
        except RuleViolation as refused:
            refusal = refused
            row.refresh_from_db()
            form.data = {**form.cleaned_data, "was": str(row.owner_id)}
        else:
            words = {"name": people[typed["person"]].name, "warband": row.name}
            messages.success(request, _("%(name)s leads %(warband)s now.") % words)
            return redirect(row)
    context = {"place": place, "campaign": place.campaign, "warband": row, "form": form, "refusal": refusal}
    status = CONFLICT if refusal else WRONG if form.is_bound else 200
    return render(request, "campaigns/warband_owner.html", context, status=status)
