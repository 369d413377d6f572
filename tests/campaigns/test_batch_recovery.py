"""Workers killed, servers restarted, messages doubled: every battle is resolved once. Real processes, real servers."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from config.embedded.folder import PROJECT, DataFolder
from config.embedded.postgres import Postgres
from config.embedded.redis_server import Redis

BATTLES = 6
PATIENCE = 240
"""Seconds; nothing waits that long unless it is broken."""


@dataclass
class Stand:
    """Servers of one's own, and what is done with them."""

    postgres: Postgres
    redis: Redis
    workers: list[subprocess.Popen[bytes]]

    @property
    def environment(self) -> dict[str, str]:
        ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")}
        return ours | {
            "DATABASE_URL": self.postgres.url,
            "REDIS_URL": self.redis.url,
            "DJANGO_SETTINGS_MODULE": "config.settings.test",
            "BATCH_QUIET_SECONDS": "0",
        }

    def do(self, *words: str) -> str:
        command = [sys.executable, "-m", "tests.campaigns.batch_stage", *words]
        done = subprocess.run(command, cwd=PROJECT, env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ""

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.do("state"))
        return found

    def work(self) -> subprocess.Popen[bytes]:
        """A worker in a session of its own, so that it can be killed with its children."""
        command = [
            str(Path(sys.prefix) / "bin" / "celery"), "-A", "config.celery", "worker", "--concurrency", "1",
            "--queues", "celery,batches", "--without-gossip", "--without-mingle", "--loglevel", "ERROR",
        ]  # fmt: skip
        worker = subprocess.Popen(
            command, cwd=PROJECT, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        self.workers.append(worker)
        return worker

    def ended(self) -> int:
        with psycopg.connect(self.postgres.url) as connection:
            row = connection.execute(
                "select count(*) from campaigns_batchitem where state <> 'waiting' and batch_id in "
                "(select id from campaigns_batch where campaign_id = (select max(id) from campaigns_campaign))"
            ).fetchone()
        return int(row[0]) if row else 0

    @contextmanager
    def blocked(self, statement: str) -> Iterator[None]:
        """A worker is at a battle, and stands still in the middle of it: somebody holds what it needs next."""
        holding = psycopg.connect(self.postgres.url)
        holding.execute(statement)
        self.work()
        self.wait(self._waits_for_a_lock)
        yield
        holding.close()

    def _waits_for_a_lock(self) -> bool:
        with psycopg.connect(self.postgres.url) as connection:
            row = connection.execute("select count(*) from pg_stat_activity where wait_event_type = 'Lock'").fetchone()
        return bool(row and row[0])

    def wait(self, until: Callable[[], bool], tend: bool = False) -> None:
        deadline = time.monotonic() + PATIENCE
        while not until():
            assert time.monotonic() < deadline, "nothing moves any more"
            time.sleep(0.02)
            if tend:
                self.do("tend")


def kill(worker: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Postgres, Redis]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AFTERMATH_DATA", str(tmp_path_factory.mktemp("recovery")))
        folder = DataFolder("site")
        folder.prepare()
        postgres, redis = Postgres(folder), Redis(folder)
    postgres.start()
    redis.start()
    yield postgres, redis
    redis.stop()
    postgres.stop()


@pytest.fixture
def stand(servers: tuple[Postgres, Redis]) -> Iterator[Stand]:
    found = Stand(*servers, [])
    found.do("prepare", str(BATTLES))
    yield found
    for worker in found.workers:
        kill(worker)


def assert_resolved_once(stand: Stand, expected: str) -> None:
    stand.wait(lambda: stand.ended() == BATTLES, tend=True)
    told = stand.state()
    assert told["battles"] == ["closed"] * BATTLES
    assert told["items"] == ["done"] * BATTLES
    assert told["reports"] == json.loads(expected)
    assert all(steps >= 20 for steps in told["steps"])
    assert told["differences"] == 0


LATEST = "(select max(id) from campaigns_campaign)"
READING = f"select from campaigns_battle where campaign_id = {LATEST} and number = 3 for update"
COMMITTING = f"select from campaigns_campaign where id = {LATEST} for update"
"""Foreign keys are looked at when a transaction is committed, and every event of a battle names its campaign."""


@pytest.mark.parametrize("moment", [READING, COMMITTING], ids=["reading", "committing"])
def test_a_worker_that_is_killed_loses_and_doubles_nothing(stand: Stand, moment: str) -> None:
    expected = stand.do("expected")
    assert stand.do("start") == "nothing_to_resolve"
    with stand.blocked(moment):
        assert stand.ended() < BATTLES
        kill(stand.workers[-1])
    stand.work()
    assert_resolved_once(stand, expected)


def test_a_redis_that_is_restarted_empty_loses_nothing(stand: Stand) -> None:
    expected = stand.do("expected")
    stand.do("start")
    stand.redis.stop()
    for file in stand.redis.home.glob("*.aof"):
        file.unlink()
    for file in stand.redis.home.glob("*.rdb"):
        file.unlink()
    stand.redis.start()
    stand.work()
    assert_resolved_once(stand, expected)


def test_a_postgres_that_is_restarted_loses_and_doubles_nothing(stand: Stand) -> None:
    expected = stand.do("expected")
    stand.do("start")
    with stand.blocked(READING):
        assert stand.ended() == 2
        stand.postgres.stop()
    stand.postgres.start()
    assert_resolved_once(stand, expected)


def test_messages_that_come_twice_to_two_workers_change_nothing(stand: Stand) -> None:
    expected = stand.do("expected")
    stand.do("start")
    stand.do("twice")
    stand.work()
    stand.work()
    assert_resolved_once(stand, expected)
