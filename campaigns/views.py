from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render

from accounts.requests import SignedInRequest
from campaigns.access import place_for
from campaigns.overview import overview


@login_required
def campaign(request: SignedInRequest, pk: int) -> HttpResponse:
    place = place_for(request.user, pk)
    view = overview(place, request.user)
    context = {"place": place, "campaign": place.campaign, "view": view, "announcement": view.announcement}
    return render(request, "campaigns/campaign.html", context)
