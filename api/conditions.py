"""`If-Match` and `If-None-Match`: what somebody knows of a thing, compared with what it is."""

import re

from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework.request import Request

from api.call import Ask, Tagged
from api.problems import Refused

_TAG = r'(W/)?"[\x21\x23-\x7e]*"'
WELL_FORMED_TAGS = re.compile(rf"(\*|{_TAG}( ?, ?{_TAG})*)")


def tags_in(request: Request, header: str) -> list[str]:
    """The ETags that were sent. They name versions and not bytes, so one that a proxy has weakened says as much."""
    sent = request.headers.get(header)
    if sent is None:
        return []
    if not WELL_FORMED_TAGS.fullmatch(sent.strip()):
        raise Refused(400, "malformed", _("%(header)s holds ETags as they were answered, or *.") % {"header": header})
    return [tag.strip().removeprefix("W/") for tag in sent.split(",")]


def is_known(ask: Ask, found: Tagged) -> HttpResponse | None:
    """The answer to somebody who has it already."""
    known = tags_in(ask.request, "If-None-Match")
    if found.etag in known or "*" in known:
        return HttpResponse(status=304, headers={"ETag": found.etag})
    return None


def refuse_other(ask: Ask, found: Tagged) -> None:
    """Refuse to change what is not what they know. Services compare the version once more, under their lock."""
    wanted = tags_in(ask.request, "If-Match")
    if not wanted or "*" in wanted:
        return
    if found.etag not in wanted:
        said = _("This has changed since you read it. Read it again first.")
        raise Refused(412, "stale", said, current=found.etag, headers={"ETag": found.etag})
    ask.expected_version = found.version
