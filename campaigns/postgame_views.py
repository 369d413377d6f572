from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render

from accounts.requests import SignedInRequest
from campaigns.access import battle_for, place_for, run_for


@login_required
def postgame(request: SignedInRequest, pk: int, number: int, warband: int) -> HttpResponse:
    battle = battle_for(place_for(request.user, pk), number)
    return render(request, "campaigns/postgame.html", {"run": run_for(battle, warband)})
