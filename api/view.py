"""One address of the API: finds the call for the method, and lets it happen."""

from typing import Any, ClassVar
from urllib.parse import quote

import msgspec
import structlog
from django.db import transaction
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.request import Request
from rest_framework.views import APIView

from api.authentication import BearerToken, Session
from api.call import Ask, Call
from api.conditions import is_known, refuse_other
from api.kept import kept
from api.limits import count
from api.models import Token
from api.once import fingerprint, key_of, once
from api.paging import Page, chosen_fields
from api.problems import Refused, refused
from api.reading import read_body, read_places, read_query
from rules.engine.errors import RuleViolation

PROBLEM = "application/problem+json"
CHANGED = 412
log = structlog.get_logger(__name__)


class CallView(APIView):
    """Who asks is found out by REST framework; the rest is what the call declares."""

    calls: ClassVar[dict[str, Call]] = {}
    authentication_classes = (BearerToken, Session)
    permission_classes = ()
    parser_classes = ()
    metadata_class = None

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """There is one representation of each thing, so `Accept` is not asked."""
        return None, None

    def answer(self, request: Request, **places: Any) -> HttpResponseBase:
        method = "get" if request.method == "HEAD" else (request.method or "").lower()
        call = self.calls[method]
        self.allowance = count(_who(request), reads=method == "get")
        ask = _let_in(call, request)
        return _answered(call, ask, request, places)

    def handle_exception(self, exc: Exception) -> HttpResponseBase:  # type: ignore[override]
        if isinstance(exc, MethodNotAllowed):
            exc = Refused(
                405, "method_not_allowed", str(exc.detail), headers={"Allow": ", ".join(self.allowed_methods)}
            )
        challenge = self.get_authenticate_header(self.request)
        return problem_response(exc, challenge)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response.headers.setdefault("Cache-Control", "private, no-cache")
        response.headers.setdefault("Vary", "Authorization, Cookie")
        allowance = getattr(self, "allowance", None)
        if allowance is not None:
            for name, value in allowance.headers.items():
                response.headers.setdefault(name, value)
        return response


def problem_response(error: Exception, challenge: str = "") -> HttpResponse:
    """A refusal as problem details; what is nobody's refusal is ours to mend, and goes on to be a 500."""
    known = refused(error)
    if known is None:
        raise error
    answer = HttpResponse(
        msgspec.json.encode(known.problem), status=known.status, content_type=PROBLEM, headers=known.headers
    )
    if known.status == 401 and challenge:
        answer["WWW-Authenticate"] = challenge
    return answer


def _who(request: Request) -> str:
    if isinstance(request.auth, Token):
        return f"t{request.auth.pk}"
    if request.user.is_authenticated:
        return f"p{request.user.pk}"
    return f"a{request.META.get('REMOTE_ADDR', '')}"


def _let_in(call: Call, request: Request) -> Ask:
    token = request.auth if isinstance(request.auth, Token) else None
    if not request.user.is_authenticated and not call.open:
        raise Refused(401, "not_authenticated", _("Sign in, or send a token."))
    ask = Ask(request=request, person=request.user, token=token)  # type: ignore[arg-type]
    if not call.open:
        ask.needs(call.scope)
    return ask


def _answered(call: Call, ask: Ask, request: Request, places: dict[str, Any]) -> HttpResponseBase:
    read_places(places)
    query = read_query(call, request.query_params)
    body = read_body(call, request) if call.method != "get" else None
    key = key_of(request) if call.acts else ""
    if key and not ask.person.is_authenticated:
        raise Refused(401, "not_authenticated", _("An Idempotency-Key is kept for a person: sign in, or send a token."))
    if key:
        return once(ask.person, key, _print(call, request, body), lambda: _refusable(call, ask, places, query, body))
    return _happen(call, ask, places, query, body)


def _print(call: Call, request: Request, body: Any) -> str:
    return fingerprint(request, body if isinstance(body, bytes) else msgspec.json.encode(body))


def _refusable(call: Call, ask: Ask, places: dict[str, Any], query: Any, body: Any) -> HttpResponse:
    """Inside the transaction of a kept answer: a refusal takes back what was done, and is kept."""
    try:
        with transaction.atomic():
            done = _happen(call, ask, places, query, body)
    except Exception as error:
        done = problem_response(error)
    assert isinstance(done, HttpResponse), "an answer that streams cannot be kept"
    return done


def _happen(call: Call, ask: Ask, places: dict[str, Any], query: Any, body: Any) -> HttpResponseBase:
    unchanged = _conditions(call, ask, places)
    if unchanged is not None:
        return unchanged
    given = places | ({"query": query} if call.query else {}) | ({"body": body} if call.body else {})
    is_kept = call.is_list and ask.found is not None
    try:
        answer = kept(ask, lambda: _made(call, ask, query, given)) if is_kept else _made(call, ask, query, given)
    except RuleViolation as late:
        raise _with_current(late, call, ask, places) from late
    _head(call, ask, places, answer)
    return answer


def _with_current(late: RuleViolation, call: Call, ask: Ask, places: dict[str, Any]) -> Exception:
    """Whoever was second under the lock is told the version that counts now, as one who came later is."""
    known = refused(late)
    if known is None or known.status != CHANGED or call.tag is None:
        return late
    try:
        now = call.tag(ask, **places).etag
    except Http404:
        return known  # what has changed is no longer theirs to see
    known.more["current"] = known.headers["ETag"] = now
    return known


def _made(call: Call, ask: Ask, query: Any, given: dict[str, Any]) -> HttpResponseBase:
    result = call.run(ask, **given)
    return result if isinstance(result, HttpResponseBase) else _rendered(call, ask, query, result)


def _conditions(call: Call, ask: Ask, places: dict[str, Any]) -> HttpResponse | None:
    """`If-None-Match` saves reading what is known; `If-Match` refuses to change what is not."""
    if call.tag is None:
        if "If-Match" in ask.request.headers:
            raise Refused(400, "no_version", _("This call has no version to match."))
        return None
    ask.found = call.tag(ask, **places)
    if call.method == "get":
        return is_known(ask, ask.found)
    refuse_other(ask, ask.found)
    return None


def plain_text(value: object) -> str:
    """Texts that Django marks as safe, and those that wait for a language, are texts."""
    if isinstance(value, str | Promise):
        return str.__str__(str(value))
    raise NotImplementedError(type(value))


def _rendered(call: Call, ask: Ask, query: Any, result: Any) -> HttpResponse:
    if result is None:
        return HttpResponse(status=204)
    if isinstance(result, Page):
        if result.next:
            address = ask.request.build_absolute_uri(ask.request.path)
            rest = "&".join(
                f"{quote(name)}={quote(str(value))}"
                for name, value in ask.request.query_params.items() if name != "cursor"
            )  # fmt: skip
            ask.headers["Link"] = f'<{address}?cursor={quote(result.next)}{"&" + rest if rest else ""}>; rel="next"'
        result = chosen_fields(result, query)
    return HttpResponse(msgspec.json.encode(result, enc_hook=plain_text), status=call.status, content_type=call.gives)


def _head(call: Call, ask: Ask, places: dict[str, Any], answer: HttpResponseBase) -> None:
    if call.tag is not None and call.method != "delete":
        if call.method != "get":
            try:
                ask.found = call.tag(ask, **places)
            except Http404:
                ask.found = None  # what was changed is no longer theirs to see
        if ask.found is not None:
            answer.headers["ETag"] = ask.found.etag
    for name, value in ask.headers.items():
        answer.headers[name] = value


def view_of(calls: dict[str, Call]) -> type[CallView]:
    """A view class with one handler a method."""
    handlers = dict.fromkeys(calls, CallView.answer)
    return type("ApiView", (CallView,), {"calls": calls, **handlers})


class Nothing(CallView):
    """An address that no call has."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Http404
