"""Campaigns as readers from outside see them: nothing to press, no notes, no addresses of people."""

from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from campaigns import access
from campaigns.chronicle import sentence
from campaigns.models import Campaign, Event, JoinRequest, Membership
from campaigns.standings import METHODS, lines, standings

PAGE = 30
EXCERPT = 8
INSIDE = ("setting_changed", "role_changed", "person_removed")
"""What is nobody's business outside."""


def campaigns_open(request: HttpRequest) -> HttpResponse:
    public = Campaign.objects.filter(visibility=Campaign.Visibility.PUBLIC)
    counted = public.annotate(size=Count("enrolments", filter=Q(enrolments__left=None)))
    page = Paginator(counted.order_by("-created", "-pk"), PAGE).get_page(request.GET.get("page"))
    gms = Membership.objects.filter(campaign__in=list(page.object_list), role=Membership.Role.GM)
    names = dict(gms.values_list("campaign_id", "person__name"))
    rows = [(each, names.get(each.pk, "")) for each in page.object_list]
    return render(request, "campaigns/campaigns_open.html", {"page": page, "rows": rows})


@never_cache
def open_campaign(request: HttpRequest, pk: int = 0, token: str = "") -> HttpResponse:
    place = access.open_campaign(token or pk)
    campaign = place.campaign
    found = standings(campaign)
    gm = campaign.memberships.filter(role=Membership.Role.GM).select_related("person").first()
    context = {
        "place": place,
        "campaign": campaign,
        "gm": gm.person if gm else None,
        "found": found,
        "method": METHODS[found.winner],
        "lines": lines(found.rows, None, found.winner),
        "events": _told(campaign),
        "own": _own(request, campaign),
    }
    response = render(request, "campaigns/open_campaign.html", context)
    if campaign.visibility != Campaign.Visibility.PUBLIC:
        response["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _told(campaign: Campaign) -> list[tuple[Event, str]]:
    newest = campaign.events.exclude(kind__in=INSIDE)[:EXCERPT]
    return [(event, sentence(event, linked=False)) for event in newest]


def _own(request: HttpRequest, campaign: Campaign) -> str:
    """What the reader is here: in it, waiting to be let in, or neither."""
    if not request.user.is_authenticated:
        return ""
    if campaign.memberships.filter(person=request.user).exists():
        return "member"
    asked = campaign.join_requests.filter(person=request.user, state=JoinRequest.State.WAITING)
    return "waiting" if asked.exists() else ""
