"""Whether the process lives, and whether everything it needs answers."""

import time
from collections.abc import Callable

import redis
from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse

HEARTBEAT = "worker:heartbeat"
HEARTBEAT_SECONDS = 45


def broker() -> "redis.Redis":
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)


def database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("select 1")
    except DatabaseError:
        return False
    return True


def redis_answers() -> bool:
    try:
        return bool(broker().ping())
    except redis.RedisError:
        return False


def worker_answers() -> bool:
    """True while a worker ran the heartbeat that beat sends, and so while beat and worker both live."""
    try:
        return broker().get(HEARTBEAT) is not None
    except redis.RedisError:
        return False


def record_heartbeat() -> None:
    broker().set(HEARTBEAT, int(time.time()), ex=HEARTBEAT_SECONDS)


CHECKS: dict[str, Callable[[], bool]] = {
    "database": database_answers,
    "redis": redis_answers,
    "worker": worker_answers,
}


def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("alive\n", content_type="text/plain")


def readyz(request: HttpRequest) -> HttpResponse:
    found = {name: check() for name, check in CHECKS.items()}
    ready = all(found.values())
    answer = {"ready": ready} | {name: "ok" if ok else "unreachable" for name, ok in found.items()}
    return JsonResponse(answer, status=200 if ready else 503)
