"""Everything that is refused, as problem details (RFC 9457): one shape, with our codes."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation, ValidationError
from django.http import Http404
from django.utils.translation import gettext as _
from msgspec import UNSET, Struct, UnsetType
from rest_framework import exceptions

from rules.engine.errors import InputError, RuleViolation


class Fault(Struct, frozen=True, kw_only=True):
    """One thing that is wrong, and where: a path into what was sent."""

    where: str
    message: str


class Problem(Struct, frozen=True, kw_only=True):
    """`code` is for programs and stays what it is; `detail` is a sentence for a person."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    errors: list[Fault] | UnsetType = UNSET
    current: str | UnsetType = UNSET
    """The ETag that counts now, where a condition failed."""
    happened: list[str] | UnsetType = UNSET
    """What came in between, in sentences."""


class Refused(Exception):
    """A problem on its way to whoever asked."""

    def __init__(
        self, status: int, code: str, detail: str, *, headers: Mapping[str, str] | None = None, **more: Any
    ) -> None:
        super().__init__(detail)
        self.status, self.code, self.detail, self.more = status, code, detail, more
        self.headers = dict(headers or {})

    @property
    def problem(self) -> Problem:
        address = f"/api/problems/{self.code}/"
        title = TITLES.get(self.status, "Refused")
        return Problem(type=address, title=title, status=self.status, code=self.code, detail=self.detail, **self.more)


TITLES = {
    400: "Malformed request",
    401: "Sign in first",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    406: "Not acceptable",
    409: "Refused by the rules",
    412: "Changed meanwhile",
    413: "Too large",
    415: "Wrong content type",
    422: "Not valid",
    429: "Too many requests",
    500: "Our mistake",
}


UNREADABLE = Refused(400, "malformed", "This request cannot be read.")
OUR_MISTAKE = Refused(500, "our_mistake", "Something went wrong on our side. It is written down; try again later.")


def refused(error: Exception) -> Refused | None:
    """Any expected error as a problem; nothing for what is a bug."""
    match error:
        case Refused():
            return error
        case RuleViolation(code="stale"):
            happened = [str(said) for said in getattr(error, "happened", ())]
            return Refused(412, "stale", error.message, happened=happened)
        case RuleViolation():
            return Refused(409, error.code, error.message)
        case InputError():
            return invalid([Fault(where=error.where, message=str(error))])
        case msgspec.ValidationError():
            return invalid([fault(error)])
        case ValidationError():
            return invalid([Fault(where="$", message=said) for said in error.messages])
        case Http404():
            return Refused(404, "not_found", _("There is nothing here, or it is not yours to see."))
        case RequestDataTooBig():
            return Refused(413, "too_large", _("That is more than this address takes."))
        case BadRequest() | SuspiciousOperation():
            return Refused(400, "malformed", str(error) or _("This request cannot be read."))
        case exceptions.APIException():
            return _of_the_framework(error)
    return None


def _of_the_framework(error: exceptions.APIException) -> Refused:
    headers: dict[str, str] = {}
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    codes = error.get_codes()
    return Refused(
        error.status_code, codes if isinstance(codes, str) else "invalid", str(error.detail), headers=headers
    )


def invalid(faults: Sequence[Fault]) -> Refused:
    """Read, and not usable: what was sent names something unknown, or a value out of range."""
    said = _("%(where)s: %(message)s") % {"where": faults[0].where, "message": faults[0].message}
    return Refused(422, "invalid", said, errors=list(faults))


def fault(error: msgspec.ValidationError) -> Fault:
    """msgspec says `Expected ... - at `$.name``: the place is parted from the message."""
    message, _at, where = str(error).partition(" - at ")
    return Fault(where=where.strip("`") or "$", message=message)
