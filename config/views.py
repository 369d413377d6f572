from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import render

from api.problems import OUR_MISTAKE, UNREADABLE
from api.view import problem_response
from campaigns.models import Campaign
from campaigns.waiting import waiting_for
from warbands.models import Warband


def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return render(request, "welcome.html")
    context = {
        "matters": waiting_for(request.user),
        "campaigns": Campaign.objects.filter(memberships__person=request.user),
        "warbands": Warband.objects.filter(owner=request.user),
    }
    return render(request, "home.html", context)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Also for what no view has seen, such as a host that is none."""
    if request.path.startswith("/api/v1/"):
        return problem_response(UNREADABLE)
    return render(request, "400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "403.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    if request.path.startswith("/api/v1/"):
        return problem_response(OUR_MISTAKE)
    return HttpResponseServerError(render(request, "500.html").content)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render(request, "csrf_failure.html", status=403)
