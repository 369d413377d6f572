import re
import time
import uuid
from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponse

from config.refusal import refusal_response
from rules.engine.errors import RuleViolation

log = structlog.get_logger("aftermath.request")

Handler = Callable[[HttpRequest], HttpResponse]
QUIET = {"/healthz", "/readyz"}
GIVEN_ID = re.compile(r"[A-Za-z0-9-]{8,64}")


class RequestLogMiddleware:
    """Give every request an id, put it on each log line and on the answer, and log the answer."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if GIVEN_ID.fullmatch(given) else uuid.uuid4().hex
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        began = time.perf_counter()
        response = self.get_response(request)
        response["X-Request-ID"] = request_id
        if request.path not in QUIET:
            log.info("request", **self._facts(request, response, began))
        return response

    def _facts(self, request: HttpRequest, response: HttpResponse, began: float) -> dict[str, object]:
        """The route instead of the path: an address may hold a secret link or a person's e-mail."""
        match = request.resolver_match
        return {
            "method": request.method,
            "route": match.view_name or match.route if match else "unknown",
            "status": response.status_code,
            "milliseconds": round((time.perf_counter() - began) * 1000, 1),
        }


class RefusalMiddleware:
    """A `RuleViolation` is a sentence for the player; anything else stays a bug."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return refusal_response(request, error) if isinstance(error, RuleViolation) else None
