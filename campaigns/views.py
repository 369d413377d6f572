from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render

from accounts.requests import SignedInRequest
from campaigns.access import campaign_for


@login_required
def campaign(request: SignedInRequest, pk: int) -> HttpResponse:
    found = campaign_for(request.user, pk)
    context = {
        "campaign": found,
        "memberships": found.memberships.select_related("person").order_by("role", "person__name"),
        "enrolments": found.enrolments.select_related("warband__owner").order_by("warband__name"),
    }
    return render(request, "campaigns/campaign.html", context)
