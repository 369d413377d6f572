"""When a campaign meets: its calendar, the dates of a battle, and calendars that other programs read."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.requests import SignedInRequest
from campaigns.access import Place, battle_for, campaign_for, place_for
from campaigns.battles import Standing, standing_in
from campaigns.calendars import OPEN, read_month, sides
from campaigns.chronicle_forms import DatesForm
from campaigns.dates import dates_of
from campaigns.feeds import calendar_text, feed_of
from campaigns.models import Battle, CalendarFeed, DateProposal, Membership
from campaigns.services.accept_date import accept_date
from campaigns.services.answer_date import answer_date
from campaigns.services.propose_dates import propose_dates
from campaigns.services.renew_feed import renew_feed
from campaigns.services.revoke_feed import revoke_feed
from campaigns.services.withdraw_date import withdraw_date
from rules.engine.errors import RuleViolation

CONFLICT, UNPROCESSABLE = 409, 422


@login_required
def calendar(request: SignedInRequest, pk: int) -> HttpResponse:
    place = place_for(request.user, pk)
    month = read_month(place, request.GET.get("month", ""))
    return render(request, "campaigns/calendar.html", {"place": place, "campaign": place.campaign, "month": month})


# The dates of a battle ------------------------------------------------------------------------------


@login_required
def dates(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    """Members read who can when; those who fight it, and its game masters, act."""
    place = place_for(request.user, pk)
    battle = battle_for(place, number)
    standing = standing_in(battle, request.user)
    if request.method != "POST":
        return _dates_page(request, place, battle, standing, DatesForm())
    if not standing.takes_part:
        raise Http404
    if request.POST.get("do") == "propose":
        return _propose(request, place, battle, standing)
    try:
        messages.success(request, _act(request, battle))
    except RuleViolation as refusal:
        battle.refresh_from_db()
        return _dates_page(request, place, battle, standing, DatesForm(), refusal)
    return redirect("dates", pk, number)


def _propose(request: SignedInRequest, place: Place, battle: Battle, standing: Standing) -> HttpResponse:
    form = DatesForm(request.POST)
    if not form.is_valid():
        return _dates_page(request, place, battle, standing, form)
    try:
        propose_dates(actor=request.user, battle=battle, dates=form.dates(), place=form.cleaned_data["place"])
    except RuleViolation as refusal:
        return _dates_page(request, place, battle, standing, form, refusal)
    messages.success(request, _("Proposed. The others get a notice."))
    return redirect("dates", place.campaign.pk, battle.number)


def _act(request: SignedInRequest, battle: Battle) -> str:
    """What was done, in words."""
    date = _date(battle, request.POST.get("date", ""))
    do = request.POST.get("do")
    if do in ("can", "cannot"):
        answer_date(actor=request.user, proposal=date, can=do == "can")
        return _("Noted.")
    if do == "withdraw":
        withdraw_date(actor=request.user, proposal=date)
        return _("The date is not on offer any more.")
    if do == "accept":
        version = request.POST.get("version", "")
        accept_date(actor=request.user, proposal=date, expected_version=int(version) if version.isdecimal() else -1)
        return _("The battle has its date.")
    raise Http404


def _date(battle: Battle, key: str) -> DateProposal:
    """One that was taken back meanwhile is refused in words, and not by an empty page."""
    found = battle.dates.filter(pk=int(key)).first() if key.isdecimal() and len(key) < 19 else None
    if found is None:
        raise RuleViolation("date_gone", _("This date is not on offer any more."))
    found.battle = battle
    return found


def _dates_page(
    request: SignedInRequest,
    place: Place,
    battle: Battle,
    standing: Standing,
    form: DatesForm,
    refusal: RuleViolation | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {
        "place": place,
        "campaign": place.campaign,
        "battle": battle,
        "sides": sides(battle),
        "dates": dates_of(battle, request.user, runs_it=standing.runs_it),
        "standing": standing,
        "is_open": battle.state in OPEN and place.may_change,
        "form": form,
        "refusal": refusal,
    }
    status = CONFLICT if refusal else UNPROCESSABLE if form.errors else 200
    return render(request, "campaigns/dates.html", context, status=status)


# Calendars for other programs -----------------------------------------------------------------------


@require_safe
@never_cache
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """For whoever knows the address: programs do not sign in."""
    found = feed_of(token)
    text = calendar_text(found, f"{request.scheme}://{request.get_host()}")
    response = HttpResponse(text, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = 'inline; filename="aftermath.ics"'
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


@never_cache
@login_required
def calendar_feeds(request: SignedInRequest) -> HttpResponse:
    """The addresses of one's own calendars: of everything, and of each campaign."""
    if request.method == "POST":
        return _change_feed(request)
    feeds = {feed.campaign_id: feed for feed in CalendarFeed.objects.filter(person=request.user)}
    memberships = Membership.objects.filter(person=request.user).select_related("campaign").order_by("campaign__name")
    rows = [(None, feeds.get(None)), *((one.campaign, feeds.get(one.campaign_id)) for one in memberships)]
    site = f"{request.scheme}://{request.get_host()}"
    return render(request, "campaigns/calendar_feeds.html", {"rows": rows, "site": site})


def _change_feed(request: SignedInRequest) -> HttpResponse:
    key = request.POST.get("campaign", "")
    if key and not (key.isdecimal() and len(key) < 19):
        raise Http404
    campaign = campaign_for(request.user, int(key)) if key else None
    if request.POST.get("do") == "revoke":
        revoke_feed(actor=request.user, campaign=campaign)
        messages.success(request, _("The address leads nowhere now."))
    else:
        renew_feed(actor=request.user, campaign=campaign)
        messages.success(request, _("The address is made."))
    return redirect("calendar_feeds")
