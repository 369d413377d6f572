"""The description of the API, for programs and for people."""

import msgspec
from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from api.problems import TITLES
from api.schema import document

COMMON = {
    "not_authenticated": 401,
    "authentication_failed": 401,
    "scope_missing": 403,
    "permission_denied": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "stale": 412,
    "too_large": 413,
    "unsupported_media_type": 415,
    "invalid": 422,
    "key_used": 422,
    "malformed": 400,
    "no_version": 400,
    "too_many_requests": 429,
}
"""Codes of the API itself; all others are a rule's."""


@require_safe
@cache_control(public=True, max_age=300)
def schema(request: HttpRequest) -> HttpResponse:
    return HttpResponse(msgspec.json.encode(document()), content_type="application/vnd.oai.openapi+json")


@require_safe
@csp_update({"style-src": [UNSAFE_INLINE]})
def swagger(request: HttpRequest) -> HttpResponse:
    return render(request, "api/api_docs.html")


@require_safe
@csp_update({"style-src": [UNSAFE_INLINE], "worker-src": [SELF, "blob:"]})
def redoc(request: HttpRequest) -> HttpResponse:
    return render(request, "api/api_redoc.html")


@require_safe
def problem(request: HttpRequest, code: str) -> HttpResponse:
    """What `type` of a problem leads to."""
    about = TITLES[COMMON[code]] if code in COMMON else ""
    return render(request, "api/api_problem.html", {"code": code, "about": about})
