"""What was sent, read strictly: an unknown field is an error, and nothing is ever silently ignored."""

import json
from typing import Any

import msgspec
from django.http import QueryDict
from django.utils.translation import gettext as _
from rest_framework.request import Request

from api.call import Call
from api.problems import Fault, Refused, invalid
from rules.texts import hidden_in

USUAL_BODY = 256 * 1024


def read_query(call: Call, given: QueryDict) -> Any:
    """The part of the address after `?`, as the struct of the call."""
    doubled = [name for name, values in given.lists() if len(values) > 1]
    if doubled:
        raise invalid([Fault(where=name, message=_("is given more than once")) for name in doubled])
    plain = given.dict()
    _refuse_controls(plain, "?")
    if call.query is None:
        if plain:
            raise invalid([Fault(where=name, message=_("is not known here")) for name in plain])
        return None
    return msgspec.convert(plain, call.query, strict=False)


def read_places(places: dict[str, Any]) -> dict[str, Any]:
    """The names in an address, as its route has converted them."""
    _refuse_controls(places, "/")
    return places


def read_body(call: Call, request: Request) -> Any:
    """The body of a request, as the struct of the call, or its bytes for a call that takes a file."""
    sent = request.content_type.partition(";")[0].strip().lower() if request.content_type else ""
    raw = _bytes_of(call, request)
    if call.body is None:
        if raw.strip() not in (b"", b"{}"):
            raise Refused(422, "invalid", _("This call takes no content."))
        return None
    if sent not in call.takes:
        said = _("This call takes %(kinds)s.") % {"kinds": ", ".join(call.takes)}
        raise Refused(415, "unsupported_media_type", said)
    if call.body is bytes:
        return raw
    return _decoded(raw, call.body)


def _bytes_of(call: Call, request: Request) -> bytes:
    largest = call.largest or USUAL_BODY
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not str(length).isdecimal() or int(length) > largest:
        raise Refused(413, "too_large", _("At most %(bytes)s bytes go here.") % {"bytes": largest})
    return bytes(request._request.read(largest + 1))


def _decoded(raw: bytes, kind: type) -> Any:
    try:
        plain = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused(400, "malformed", _("This is not JSON: %(why)s.") % {"why": error}) from error
    except RecursionError as error:
        raise Refused(400, "malformed", _("This JSON is nested too deeply.")) from error
    json.loads(raw, object_pairs_hook=_once_each)
    _refuse_controls(plain, "$")
    return msgspec.convert(plain, kind)


def _once_each(pairs: list[tuple[str, Any]]) -> None:
    """Of two values of one field one would be ignored."""
    names = [name for name, _value in pairs]
    if len(set(names)) < len(names):
        doubled = sorted(name for name in set(names) if names.count(name) > 1)
        raise invalid([Fault(where=name, message=_("is given more than once")) for name in doubled])


def _refuse_controls(value: Any, where: str) -> None:
    """Control characters have no place in a name or a text, and the database keeps no NUL."""
    for place in hidden_in(value, where):
        raise invalid([Fault(where=place, message=_("holds a control character"))])
