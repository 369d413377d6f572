"""The console of those who run a campaign, reminders, and acting for a player."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.requests import SignedInRequest
from campaigns.access import Place, place_to_run
from campaigns.acting import acting_in, begin, end
from campaigns.console import QUIET_DAYS
from campaigns.console import console as read_console
from campaigns.intervene_forms import ReasonForm
from campaigns.models import Membership
from campaigns.services.begin_acting import begin_acting, end_acting
from campaigns.services.remind import remind
from rules.engine.errors import RuleViolation

CONFLICT, WRONG = 409, 422


@login_required
@require_GET
def console(request: SignedInRequest, pk: int) -> HttpResponse:
    return _page(request, place_to_run(request.user, pk))


def _page(request: SignedInRequest, place: Place, refusal: RuleViolation | None = None) -> HttpResponse:
    context = {
        "place": place, "campaign": place.campaign, "console": read_console(place.campaign), "refusal": refusal,
        "quiet_days": QUIET_DAYS,
    }  # fmt: skip
    return render(request, "campaigns/console.html", context, status=CONFLICT if refusal else 200)


def _member(place: Place, person: int) -> Membership:
    return get_object_or_404(place.campaign.memberships.select_related("person"), person_id=person)


@login_required
@require_POST
def remind_person(request: SignedInRequest, pk: int, person: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    there = _member(place, person)
    try:
        remind(actor=request.user, campaign=place.campaign, person=there.person, matter=request.POST.get("matter", ""))
    except RuleViolation as refusal:
        return _page(request, place, refusal)
    messages.success(request, _("%(name)s is reminded.") % {"name": there.person.name})
    return redirect("console", pk)


@login_required
def act_as(request: SignedInRequest, pk: int, person: int) -> HttpResponse:
    """What it means is said first; from then on a banner says so on every page."""
    place = place_to_run(request.user, pk)
    there = _member(place, person)
    if there.role != Membership.Role.PLAYER:
        raise Http404
    form, refusal = ReasonForm(request.POST or None), None
    if request.method == "POST" and form.is_valid():
        try:
            begin_acting(
                actor=request.user, campaign=place.campaign, person=there.person, reason=form.cleaned_data["reason"]
            )
        except RuleViolation as refused:
            refusal = refused
        else:
            begin(request, there)
            return redirect(place.campaign)
    context = {"place": place, "campaign": place.campaign, "there": there, "form": form, "refusal": refusal}
    status = CONFLICT if refusal else WRONG if form.is_bound else 200
    return render(request, "campaigns/act_as.html", context, status=status)


@login_required
@require_POST
def act_end(request: SignedInRequest, pk: int) -> HttpResponse:
    """One click; a second one finds nothing to end and says the same."""
    found = acting_in(request)
    end(request)
    if found is not None:
        end_acting(actor=found.hand, campaign=found.campaign, person=found.person)
        messages.success(request, _("You are yourself again."))
        return redirect("console", found.campaign.pk)
    return redirect("home")
