import os
import subprocess
import sys
import time

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import Client

from config.embedded.folder import PROJECT
from config.health import HEARTBEAT, broker, record_heartbeat

NOWHERE = "redis://127.0.0.1:9/0"


@pytest.fixture(autouse=True)
def no_heartbeat() -> None:
    broker().delete(HEARTBEAT)


def test_healthz_answers_without_asking_anybody(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"alive\n")


def test_readyz_is_ready_when_all_three_answer(client: Client, db: None) -> None:
    record_heartbeat()
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"ready": True, "database": "ok", "redis": "ok", "worker": "ok"}


def test_readyz_names_a_missing_worker(client: Client, db: None) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == {"ready": False, "database": "ok", "redis": "ok", "worker": "unreachable"}


def test_readyz_names_an_unreachable_redis(client: Client, db: None, settings: LazySettings) -> None:
    settings.REDIS_URL = NOWHERE
    assert client.get("/readyz").json()["redis"] == "unreachable"


@pytest.mark.django_db(transaction=True)
def test_readyz_names_an_unreachable_database(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "PORT", "9")
    assert client.get("/readyz").json()["database"] == "unreachable"


def test_a_real_worker_runs_what_beat_sends() -> None:
    """Beat and a worker as processes of their own, over the real Redis."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings.test"}
    command = [sys.executable, "-m", "celery", "-A", "config.celery", "worker", "--beat", "--pool", "solo"]
    command += ["--schedule", os.devnull + "-never-written", "--scheduler", "celery.beat:Scheduler"]
    worker = subprocess.Popen(command, cwd=PROJECT, env=environment, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while broker().get(HEARTBEAT) is None and time.monotonic() < deadline:
            time.sleep(0.1)
        assert broker().get(HEARTBEAT) is not None
    finally:
        worker.terminate()
        worker.wait(30)
