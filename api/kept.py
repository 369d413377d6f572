"""Lists of what has a version are kept for a while under it: whoever reads one again gets it without working it out.

An ETag says all that a list rests on, so a list of another state has another name, and nothing has to be thrown away.
What one person sees is not shown to another.
"""

import hashlib
from collections.abc import Callable

from django.core.cache import cache
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import get_language

from api.call import Ask

SECONDS = 300
LARGEST = 256 * 1024


def kept(ask: Ask, make: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    key = _key(ask)
    known: tuple[bytes, str, str] | None = cache.get(key)
    if known is not None:
        body, kind, link = known
        if link:
            ask.headers["Link"] = link
        return HttpResponse(body, content_type=kind)
    made = make()
    if isinstance(made, HttpResponse) and len(made.content) <= LARGEST:
        cache.set(key, (made.content, made["Content-Type"], ask.headers.get("Link", "")), SECONDS)
    return made


def _key(ask: Ask) -> str:
    assert ask.found is not None
    about = f"{ask.person.pk} {get_language()} {ask.request.build_absolute_uri()} {ask.found.etag}"
    return f"api-list:{hashlib.sha256(about.encode()).hexdigest()}"
