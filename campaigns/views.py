from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render

from accounts.requests import SignedInRequest
from campaigns.access import place_for
from campaigns.announcements import latest_announcement
from campaigns.overview import overview


@login_required
def campaign(request: SignedInRequest, pk: int) -> HttpResponse:
    place = place_for(request.user, pk)
    context = {
        "place": place,
        "campaign": place.campaign,
        "view": overview(place, request.user),
        "announcement": latest_announcement(place.campaign),
    }
    return render(request, "campaigns/campaign.html", context)
