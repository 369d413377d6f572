"""The one place where a `RuleViolation` becomes an HTTP answer."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from rules.engine.errors import RuleViolation

CONFLICT = 409


def refusal_response(request: HttpRequest, refusal: RuleViolation) -> HttpResponse:
    return render(request, "refusal.html", {"refusal": refusal}, status=CONFLICT)
