"""When scheduled tasks ran last, as workers saw it: beat itself keeps that in a file of its own."""

import time
from typing import Any

import redis
from celery.signals import task_postrun
from django.conf import settings

KEY = "worker:last-runs"


def broker() -> "redis.Redis":
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)


def watch() -> None:
    task_postrun.connect(remember, dispatch_uid="panel.last_runs")


def remember(task: Any = None, state: str = "", **_more: object) -> None:
    """The name, when it ended and how."""
    name = getattr(task, "name", "")
    if name in scheduled():
        broker().hset(KEY, name, f"{int(time.time())} {state}")


def scheduled() -> set[str]:
    return {str(entry["task"]) for entry in settings.CELERY_BEAT_SCHEDULE.values()}
