"""What might become of a campaign, for those who run it."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from accounts.requests import SignedInRequest
from campaigns.access import Place, place_to_run
from campaigns.models import Simulation
from campaigns.services.cancel_simulation import cancel_simulation
from campaigns.services.start_simulation import MOST_ROUNDS, MOST_SEASONS, start_simulation
from campaigns.simulation_sheet import sheet_of
from rules.engine.errors import RuleViolation

EARLIER = 20


class SimulationForm(forms.Form):
    seasons = forms.IntegerField(
        label=gettext_lazy("Seasons"), min_value=1, max_value=MOST_SEASONS, initial=100,
        help_text=gettext_lazy("How often the campaign is played. 1 to 500; more of them say more."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )  # fmt: skip
    rounds = forms.IntegerField(
        label=gettext_lazy("Rounds"), min_value=1, max_value=MOST_ROUNDS, initial=5,
        help_text=gettext_lazy("Of each season. In a round every warband fights once."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )  # fmt: skip


@login_required
def simulations(request: SignedInRequest, pk: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    rounds = {"rounds": min(place.campaign.house_rules.rounds, MOST_ROUNDS)}
    form = SimulationForm(request.POST) if request.method == "POST" else SimulationForm(initial=rounds)
    status = 200
    if form.is_bound and form.is_valid():
        try:
            return redirect(start_simulation(actor=request.user, campaign=place.campaign, **form.cleaned_data))
        except RuleViolation as refusal:
            form.add_error(None, refusal.message)
            status = 409
    elif form.is_bound:
        status = 422
    return render(request, "campaigns/simulations.html", _all(place, form), status=status)


def _all(place: Place, form: SimulationForm) -> dict[str, Any]:
    earlier = Simulation.objects.filter(campaign=place.campaign).select_related("made_by").defer("start", "result")
    return {"campaign": place.campaign, "place": place, "form": form, "earlier": earlier[:EARLIER]}


def _simulation_for(place: Place, pk: int) -> Simulation:
    found = get_object_or_404(Simulation.objects.select_related("made_by"), campaign=place.campaign, pk=pk)
    found.campaign = place.campaign
    return found


def _one(place: Place, simulation: int) -> dict[str, Any]:
    found = _simulation_for(place, simulation)
    return {"campaign": place.campaign, "place": place, "simulation": found, "sheet": sheet_of(found)}


@login_required
def simulation(request: SignedInRequest, pk: int, simulation: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    return render(request, "campaigns/simulation.html", _one(place, simulation))


@login_required
def simulation_progress(request: SignedInRequest, pk: int, simulation: int) -> HttpResponse:
    """The part of the page that moves; it asks again by itself while the simulation runs."""
    place = place_to_run(request.user, pk)
    return render(request, "campaigns/partials/_simulation.html", _one(place, simulation))


@login_required
@require_POST
def simulation_cancel(request: SignedInRequest, pk: int, simulation: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    found = _simulation_for(place, simulation)
    try:
        cancel_simulation(actor=request.user, simulation=found)
        messages.info(request, _("Stopped. The seasons that were played are shown."))
    except RuleViolation as refusal:
        messages.warning(request, refusal.message)
    return redirect(found)
