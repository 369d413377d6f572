from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render

from accounts.requests import SignedInRequest
from warbands.access import warband_of


@login_required
def warband(request: SignedInRequest, pk: int) -> HttpResponse:
    return render(request, "warbands/warband.html", {"warband": warband_of(request.user, pk)})
