"""Processes that share the work of the suite do not share a Redis database."""

import os
import subprocess
import sys

import pytest

SHOW = (
    "import config.settings.test as settings;"
    "print(settings.REDIS_URL, settings.CACHES['default']['LOCATION'], settings.CELERY_BROKER_URL)"
)


def addresses(worker: str) -> list[str]:
    environment = {**os.environ, "REDIS_URL": "redis://:secret@127.0.0.1:1/0", "PYTEST_XDIST_WORKER": worker}
    shown = subprocess.run([sys.executable, "-c", SHOW], env=environment, capture_output=True, text=True, check=True)
    return shown.stdout.split()


@pytest.mark.parametrize(("worker", "number"), [("", 0), ("gw0", 8), ("gw1", 9), ("gw7", 15), ("gw8", 8)])
def test_each_worker_has_a_database_of_its_own(worker: str, number: int) -> None:
    assert addresses(worker) == [f"redis://:secret@127.0.0.1:1/{number}"] * 3
