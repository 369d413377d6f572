"""What waits in Redis, who works it off, what beat has sent."""

from datetime import UTC, datetime
from typing import Any, NamedTuple

import redis
from celery import current_app
from django.conf import settings
from django.db.models import Count, Q
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError

from campaigns.models import Batch, BatchItem
from panel import last_runs

QUEUES = ("celery", "batches")
HEARTBEAT = "worker:heartbeat"
"""As `config.health` writes it."""
PATIENCE = 1.0


class Scheduled(NamedTuple):
    name: str
    when: str
    last: datetime | None
    ended: str


def queue_facts() -> dict[str, Any]:
    """Without Redis there is nothing to know but that."""
    try:
        return {"redis": True, **_asked(last_runs.broker())}
    except redis.RedisError:
        return {"redis": False, "queues": [], "schedule": [], "workers": [], "heartbeat": None}


def _asked(broker: "redis.Redis") -> dict[str, Any]:
    pipe = broker.pipeline(transaction=False)
    for queue in QUEUES:
        pipe.llen(queue)
    pipe.hlen("unacked")
    pipe.get(HEARTBEAT)
    pipe.hgetall(last_runs.KEY)
    *lengths, in_hand, heartbeat, ran = pipe.execute()
    return {
        "queues": list(zip(QUEUES, lengths, strict=True)),
        "in_hand": in_hand,
        "heartbeat": datetime.fromtimestamp(int(heartbeat), UTC) if heartbeat else None,
        "schedule": [_scheduled(name, entry, ran) for name, entry in settings.CELERY_BEAT_SCHEDULE.items()],
        "workers": workers(),
    }


def workers() -> list[str]:
    """Those that answer within a second."""
    try:
        answers = current_app.control.inspect(timeout=PATIENCE).ping() or {}
    except (OSError, redis.RedisError, OperationalError):
        return []
    return sorted(answers)


def _scheduled(name: str, entry: dict[str, Any], ran: dict[bytes, bytes]) -> Scheduled:
    time, _space, ended = ran.get(str(entry["task"]).encode(), b"").decode().partition(" ")
    last = datetime.fromtimestamp(int(time), UTC) if time else None
    return Scheduled(name, _when(entry["schedule"]), last, ended)


def _when(schedule: object) -> str:
    """In words; what has none as in a crontab."""
    if isinstance(schedule, int | float):
        return _("every %(seconds)s seconds") % {"seconds": f"{schedule:g}"}
    text = str(schedule).removeprefix("<crontab: ").partition(" (")[0]
    minute, hour, *days = text.split()
    if days != ["*", "*", "*"]:
        return text
    if hour.isdecimal() and minute.isdecimal():
        return _("every day at %(time)s") % {"time": f"{int(hour):02}:{int(minute):02}"}
    if hour == "*" and minute.isdecimal():
        return _("every hour at minute %(minute)s") % {"minute": minute}
    if hour == "*":
        return _("every minute") if minute == "*" else _("every %(count)s minutes") % {"count": minute[2:]}
    return text


def troubled_batches() -> list[Any]:
    """Batches with something that failed or needs somebody, and those that stand still."""
    state = BatchItem.State
    counted = Batch.objects.select_related("campaign").annotate(
        failed=Count("items", filter=Q(items__state=state.FAILED)),
        needs=Count("items", filter=Q(items__state=state.NEEDS)),
        left=Count("items", filter=Q(items__state=state.WAITING)),
    )
    return list(counted.filter(Q(state=Batch.State.RUNNING) | Q(failed__gt=0) | Q(needs__gt=0))[:50])
