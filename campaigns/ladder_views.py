"""The ladder of a campaign: looked at, and laid."""

from collections.abc import Sequence
from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.requests import SignedInRequest
from campaigns.access import Place, place_for, place_to_run
from campaigns.ladder import read_ladder, stamp, view_ladder, warbands_at
from campaigns.ladder_form import LadderForm, form_of, read_form, with_spare
from campaigns.ladder_layout import Ladder, lay_out
from campaigns.models import Campaign
from campaigns.services.lay_ladder import Homeless, lay_ladder
from rules.engine.errors import RuleViolation

CONFLICT = 409


def with_ladder(place: Place) -> Place:
    if place.campaign.kind != Campaign.Kind.LADDER:
        raise Http404
    return place


@login_required
def ladder(request: SignedInRequest, pk: int) -> HttpResponse:
    place = with_ladder(place_for(request.user, pk))
    view = view_ladder(place.campaign, place.own_warbands)
    return render(request, "campaigns/ladder.html", {"place": place, "campaign": place.campaign, "view": view})


@login_required
def ladder_edit(request: SignedInRequest, pk: int) -> HttpResponse:
    """`look` shows what was typed as a picture, and brings empty rows; nothing is saved by it."""
    place = with_ladder(place_to_run(request.user, pk))
    if request.method != "POST":
        placed = read_ladder(place.campaign)
        return _page(request, place, form_of(placed, stamp(placed)))
    form = read_form(request.POST.dict())
    try:
        stages, ways, moves = form.orders()
        if request.POST.get("do") == "look":
            return _page(request, place, form, preview=lay_out(stages, ways, title=_("As it would be")))
        lay_ladder(
            actor=request.user, campaign=place.campaign, stages=stages, ways=ways, moves=moves, seen=form.seen
        )  # fmt: skip
    except Homeless as refusal:
        return _page(request, place, form, refusal, homeless=refusal.stages)
    except RuleViolation as refusal:
        return _page(request, place, _renewed(place, form, refusal), refusal)
    messages.success(request, _("The ladder is saved."))
    return redirect("ladder", pk)


def _renewed(place: Place, form: LadderForm, refusal: RuleViolation) -> LadderForm:
    """Who has seen that the ladder changed may save over it."""
    return replace(form, seen=stamp(read_ladder(place.campaign))) if refusal.code == "stale" else form


def _page(
    request: SignedInRequest,
    place: Place,
    form: LadderForm,
    refusal: RuleViolation | None = None,
    *,
    homeless: Sequence[str] = (),
    preview: Ladder | None = None,
) -> HttpResponse:
    asked = dict.fromkeys([*form.moves, *homeless])
    there = warbands_at(place.campaign) if asked else {}
    names = {stage.key: stage.name for stage in read_ladder(place.campaign)[0]} if asked else {}
    context = {
        "place": place,
        "campaign": place.campaign,
        "form": replace(form, rows=with_spare(form.rows)),
        "homeless": [(key, names[key], there.get(key, []), form.moves.get(key, "")) for key in asked if key in names],
        "ladder": preview,
        "refusal": refusal,
    }
    return render(request, "campaigns/ladder_edit.html", context, status=CONFLICT if refusal else 200)
