"""Too many wrong passwords. Axes counts them; here is for whom, from where, and what the person reads."""

import math
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from allauth.account.adapter import get_adapter
from axes.models import AccessAttempt
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

TOO_MANY = 429
LONGEST_NAME = 255
NAMES = ("email", "login", "username")
"""What allauth, axes and other callers of `authenticate` call the address."""


def counted_name(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> str:
    given = credentials or request.POST
    name = next((given[key] for key in NAMES if given.get(key)), "")
    return str(name).strip().lower()[:LONGEST_NAME]


def client_ip(request: HttpRequest) -> str | None:
    """The address that allauth's rate limits count too, behind a proxy or not; a request made by hand has none."""
    try:
        address: str = get_adapter(request).get_client_ip(request)
    except PermissionDenied:
        return None
    return address


def locked_out(
    request: HttpRequest, response: HttpResponse | None = None, credentials: Mapping[str, Any] | None = None
) -> HttpResponse:
    wait = _wait(counted_name(request, credentials), client_ip(request))
    minutes = math.ceil(wait / timedelta(minutes=1))
    answer = render(request, "account/locked_out.html", {"minutes": minutes}, status=TOO_MANY)
    answer["Retry-After"] = str(math.ceil(wait.total_seconds()))
    return answer


def _wait(name: str, ip_address: str | None) -> timedelta:
    failures = AccessAttempt.objects.filter(username=name, ip_address=ip_address)
    last = failures.aggregate(last=Max("attempt_time"))["last"] or timezone.now()
    wait: timedelta = last + settings.AXES_COOLOFF_TIME - timezone.now()
    return max(wait, timedelta(seconds=1))


def forget_failures(email: str) -> None:
    AccessAttempt.objects.filter(username=email.lower()).delete()
