"""Before the game: the page, and everything that is pressed on it."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import SignedInRequest
from campaigns.access import Place, battle_for, place_for
from campaigns.battle_forms import PlayedForm, VersionForm
from campaigns.battles import for_those_in, standing_in
from campaigns.models import Battle
from campaigns.pregame_sheet import read_pregame
from campaigns.services.play_pregame import play_pregame
from campaigns.services.skip_pregame import skip_pregame
from rules.engine.errors import RuleViolation

CONFLICT = 409


@login_required
def pregame(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    place = place_for(request.user, pk)
    shown = battle_for(place, number)
    if request.method == "POST":
        return _play(request, place, shown)
    if shown.state in (Battle.State.PROPOSED, Battle.State.SCHEDULED):
        return redirect(shown)
    return _page(request, place, shown)


def _page(request: SignedInRequest, place: Place, shown: Battle, refusal: RuleViolation | None = None) -> HttpResponse:
    standing = standing_in(shown, request.user)
    context = {
        "place": place,
        "campaign": place.campaign,
        "battle": shown,
        "standing": standing,
        "sheet": read_pregame(shown, standing),
        "may_act": standing.takes_part and place.may_change,
        "played": PlayedForm(campaign=place.campaign),
        "refusal": refusal,
        "refused_key": request.POST.get("key", ""),
        "typed_again": request.POST.getlist("face"),
    }
    return render(request, "campaigns/pregame.html", context, status=CONFLICT if refusal else 200)


def _play(request: SignedInRequest, place: Place, shown: Battle) -> HttpResponse:
    for_those_in(shown, request.user)
    warband = request.POST.get("warband", "")
    version = VersionForm(request.POST)
    try:
        played = play_pregame(
            actor=request.user,
            battle=shown,
            warband=int(warband) if warband.isdecimal() and len(warband) < 10 else 0,
            order=_order(request),
            version=version.cleaned_data["version"] if version.is_valid() else -1,
        )
    except RuleViolation as refusal:
        return _page(request, place, battle_for(place, shown.number), refusal)
    if played.state == Battle.State.PLAYING:
        messages.success(request, _("Everybody is done. The game begins."))
        return redirect("pregame", place.campaign.pk, shown.number)
    return redirect("pregame", place.campaign.pk, shown.number)


def _order(request: SignedInRequest) -> dict[str, Any]:
    sent = request.POST
    return {
        "do": sent.get("do", ""),
        "key": sent.get("key", ""),
        "die": sent.get("die", ""),
        "answer": sent.getlist("answer"),
        "faces": sent.getlist("face"),
    }


@login_required
@require_POST
def pregame_skip(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    place = place_for(request.user, pk)
    shown = battle_for(place, number)
    for_those_in(shown, request.user)
    form, version = PlayedForm(request.POST, campaign=place.campaign), VersionForm(request.POST)
    if not form.is_valid():
        return _page(request, place, shown, RuleViolation("input", _("Choose the scenario again, or leave it open.")))
    try:
        done = skip_pregame(
            actor=request.user,
            battle=shown,
            version=version.cleaned_data["version"] if version.is_valid() else -1,
            scenario=form.chosen_scenario,
        )
    except RuleViolation as refusal:
        return _page(request, place, battle_for(place, number), refusal)
    if done.state == Battle.State.PLAYING:
        messages.success(request, _("The game begins."))
        return redirect(done)
    messages.success(request, _("Noted. The game begins when the others agree."))
    return redirect("pregame", pk, number)
