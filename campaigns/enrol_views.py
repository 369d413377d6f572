"""Warbands come into a campaign, and it begins."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from accounts.requests import SignedInRequest
from campaigns.access import Place, place_for, place_to_run
from campaigns.confirming import CONFLICT, confirm
from campaigns.models import Campaign
from campaigns.people import enrolled
from campaigns.services.begin_campaign import begin_campaign, missing
from campaigns.services.enrol_warband import candidates, enrol_warband, no_room
from campaigns.services.withdraw_warband import withdraw_warband
from campaigns.terms import terms_of
from rules.engine.errors import RuleViolation
from warbands.founding_views import begin_founding


@login_required
def campaign_enrol(request: SignedInRequest, pk: int) -> HttpResponse:
    place = place_for(request.user, pk)
    if request.method != "POST":
        return _enrol_page(request, place)
    chosen = request.POST.get("warband", "")
    warband = request.user.warbands.filter(pk=int(chosen)).first() if chosen.isdecimal() and len(chosen) < 19 else None
    try:
        if warband is None:
            raise RuleViolation("not_yours", _("Choose one of your warbands."))
        enrol_warband(actor=request.user, campaign=place.campaign, warband=warband)
    except RuleViolation as refusal:
        return _enrol_page(request, place, refusal)
    words = {"warband": warband.name, "campaign": place.campaign.name}
    messages.success(request, _("%(warband)s is in %(campaign)s.") % words)
    return redirect("campaign", pk)


def _enrol_page(request: SignedInRequest, place: Place, refusal: RuleViolation | None = None) -> HttpResponse:
    found = candidates(place.campaign, list(request.user.warbands.order_by("name", "pk")))
    over = _("%(name)s has ended. It stays as it is.") % {"name": place.campaign.name}
    context = {
        "place": place,
        "campaign": place.campaign,
        "mine": [each for each in found if each.is_in],
        "others": sorted((each for each in found if not each.is_in), key=lambda each: bool(each.refusal)),
        "full": over if place.campaign.is_over else no_room(place.campaign, request.user),
        "refusal": refusal,
    }
    return render(request, "campaigns/campaign_enrol.html", context, status=CONFLICT if refusal else 200)


@login_required
def campaign_found(request: SignedInRequest, pk: int) -> HttpResponse:
    """The first page of a warband that is to be in this campaign, with the points that it gives."""
    place = place_for(request.user, pk)
    if not place.plays or place.campaign.is_over:
        return redirect("campaign_enrol", pk)
    return begin_founding(request, "campaigns/campaign_found.html", founded_for=terms_of(place.campaign))


@login_required
def campaign_withdraw(request: SignedInRequest, pk: int, warband: int) -> HttpResponse:
    place = place_for(request.user, pk)
    found = get_object_or_404(enrolled(place.campaign).select_related("warband"), warband_id=warband).warband
    if found.owner_id != request.user.pk and not place.runs_it:
        raise Http404
    return confirm(
        request,
        "campaigns/campaign_withdraw.html",
        lambda: withdraw_warband(actor=request.user, campaign=place.campaign, warband=found),
        said=_("%(warband)s is out of the campaign.") % {"warband": found.name},
        to=("campaign", pk),
        context=lambda: {"campaign": place.campaign, "warband": found},
    )


@login_required
def campaign_begin(request: SignedInRequest, pk: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    return confirm(
        request,
        "campaigns/campaign_begin.html",
        lambda: begin_campaign(actor=request.user, campaign=place.campaign),
        said=_("%(campaign)s has begun.") % {"campaign": place.campaign.name},
        to=("campaign", pk),
        context=lambda: _before_the_beginning(place.campaign),
    )


def _before_the_beginning(campaign: Campaign) -> dict[str, object]:
    """Who is there, and who has no warband yet."""
    places = list(enrolled(campaign).select_related("warband__owner").order_by("warband__name"))
    owners = {each.warband.owner_id for each in places}
    players = campaign.memberships.filter(role="player").exclude(person__in=owners).select_related("person")
    return {
        "campaign": campaign,
        "warbands": [each.warband for each in places],
        "without": [each.person for each in players.order_by("person__name")],
        "missing": missing(campaign),
    }
