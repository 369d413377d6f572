"""`make run` as a person uses it: started, used, disturbed and stopped, in a folder of its own."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from config.embedded.folder import PROJECT
from config.embedded.processes import free_port

COMMAND = [sys.executable, "-m", "config.run"]


def environment(data: Path, port: int | str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "REDIS_URL")}
    return kept | {
        "AFTERMATH_DATA": str(data),
        "PORT": str(port),
        "DJANGO_SETTINGS_MODULE": "config.settings.development",
    }


class Site:
    def __init__(self, data: Path, port: int) -> None:
        self.data = data
        self.port = port
        self.output = data / "output.txt"
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                COMMAND, cwd=PROJECT, env=environment(data, port), stdout=output, stderr=output
            )

    def get(self, path: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def wait_until_ready(self, patience: float = 60) -> None:
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            assert self.process.poll() is None, self.output.read_text()
            try:
                if self.get("/readyz")[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.2)
        pytest.fail(f"not ready: {self.output.read_text()}")

    def note(self) -> dict[str, str]:
        found: dict[str, str] = json.loads((self.data / "site" / "services.json").read_text())
        return found

    def people(self) -> int:
        with psycopg.connect(self.note()["DATABASE_URL"]) as connection:
            row = connection.execute("select count(*) from accounts_user").fetchone()
        assert row is not None
        return int(row[0])

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(how)
        return self.process.wait(30)


def processes_of(data: Path) -> list[str]:
    """Command lines of everything that still runs on this data folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            surroundings = (entry / "environ").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if str(data) in line or f"AFTERMATH_DATA={data}" in surroundings:
            found.append(line)
    return found


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    started = Site(tmp_path, free_port())
    yield started
    if started.process.poll() is None:
        started.stop()


def refused(data: Path, port: int | str, **more: str) -> str:
    surroundings = environment(data, port) | more
    done = subprocess.run(
        COMMAND, cwd=PROJECT, env=surroundings, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr + done.stdout
    return done.stderr.strip()


@pytest.mark.skipif(sys.platform != "linux", reason="looks for orphans in /proc")
def test_a_site_from_start_to_end(site: Site) -> None:
    site.wait_until_ready()
    assert "Aftermath answers on http://localhost" in site.output.read_text()
    assert "ilse@example.com" in site.output.read_text()
    assert site.get("/")[0] == 200
    people = site.people()

    assert "already running at http://localhost" in refused(site.data, free_port())

    os.kill(redis.Redis.from_url(site.note()["REDIS_URL"]).info()["process_id"], signal.SIGKILL)
    deadline = time.monotonic() + 20
    while "Redis ended unexpectedly and is started again" not in site.output.read_text():
        assert time.monotonic() < deadline, site.output.read_text()
        time.sleep(0.1)
    site.wait_until_ready()

    assert site.stop() == 0
    assert processes_of(site.data) == []

    again = Site(site.data, site.port)
    again.wait_until_ready()
    assert again.people() == people
    assert again.stop(signal.SIGTERM) == 0
    assert processes_of(site.data) == []


def test_a_busy_port_gets_a_sentence(tmp_path: Path) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"Port {port} cannot be used" in refused(tmp_path, port)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("port", ["eight", "0", "70000"])
def test_a_port_that_is_none_gets_a_sentence(tmp_path: Path, port: str) -> None:
    assert f"PORT is '{port}', which is no port number" in refused(tmp_path, port)


def test_a_wrong_database_url_gets_a_sentence(tmp_path: Path) -> None:
    told = refused(tmp_path, free_port(), DATABASE_URL="postgres://me:hidden@127.0.0.1:9/none")
    assert "PostgreSQL at 127.0.0.1:9 (DATABASE_URL) cannot be used" in told
    assert "hidden" not in told


def test_an_unreachable_redis_gets_a_sentence(tmp_path: Path) -> None:
    told = refused(tmp_path, free_port(), REDIS_URL="redis://127.0.0.1:9/0")
    assert "Redis at 127.0.0.1:9 (REDIS_URL) cannot be used" in told


def test_a_data_folder_that_cannot_be_written_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "cannot be written" in refused(tmp_path / "file", free_port())


def test_reset_starts_over_but_not_under_a_running_site(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "old").touch()
    reset = [sys.executable, "-m", "config.reset"]
    done = subprocess.run(reset, cwd=PROJECT, env=environment(tmp_path, 1), capture_output=True, text=True, check=False)
    assert (done.returncode, folder.exists()) == (0, False)
