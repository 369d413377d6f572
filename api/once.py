"""`Idempotency-Key`: the same request with the same key acts once and is answered twice."""

import hashlib
import re
from collections.abc import Callable

from django.db import transaction
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request

from accounts.models import User
from api.models import KEPT, KeptAnswer
from api.problems import Refused

LONGEST_KEY = 200
WELL_FORMED_KEY = re.compile(rf"[\x21-\x7e]{{1,{LONGEST_KEY}}}")
KEPT_HEADERS = ("Content-Type", "ETag", "Location", "Link")


def key_of(request: Request) -> str:
    """Nothing if there is none; letters that are neither spaces nor beyond ASCII otherwise."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return ""
    if not WELL_FORMED_KEY.fullmatch(key):
        said = _("An Idempotency-Key has 1 to %(most)s letters of ASCII and no spaces.") % {"most": LONGEST_KEY}
        raise Refused(400, "malformed", said)
    return key


def fingerprint(request: Request, body: bytes) -> str:
    head = f"{request.method} {request.get_full_path()}\n".encode()
    return hashlib.sha256(head + body).hexdigest()


@transaction.atomic
def once(person: User, key: str, print_of_it: str, act: Callable[[], HttpResponse]) -> HttpResponse:
    """Act and keep the answer in one transaction: either both are there afterwards or neither is.

    A second request with the key waits at the unique index until the first one is done. An error of ours keeps nothing,
    so that it can be tried again; a refusal is an answer like any other.
    """
    KeptAnswer.objects.filter(person=person, key=key, made__lt=timezone.now() - KEPT).delete()
    new = KeptAnswer(person=person, key=key, fingerprint=print_of_it)
    KeptAnswer.objects.bulk_create([new], ignore_conflicts=True)
    kept = KeptAnswer.objects.select_for_update().get(person=person, key=key)
    if kept.status is not None:
        return _again(kept, print_of_it)
    answer = act()
    kept.status, kept.body = answer.status_code, answer.content
    kept.headers = {name: answer[name] for name in KEPT_HEADERS if name in answer}
    kept.save(update_fields=["status", "body", "headers"])
    return answer


def _again(kept: KeptAnswer, print_of_it: str) -> HttpResponse:
    if kept.fingerprint != print_of_it:
        raise Refused(422, "key_used", _("This Idempotency-Key was used for another request. Take a new one."))
    answer = HttpResponse(bytes(kept.body), status=kept.status, headers=kept.headers)
    answer["Idempotency-Replayed"] = "true"
    return answer


def forget_old_answers() -> int:
    """By beat: answers that nobody asks for again."""
    return KeptAnswer.objects.filter(made__lt=timezone.now() - KEPT).delete()[0]
