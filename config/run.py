"""`make run`: everything the site needs, in one terminal, until Ctrl-C."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import deque
from contextlib import ExitStack
from pathlib import Path
from types import FrameType

from config.embedded import processes
from config.embedded.errors import ServiceError
from config.embedded.folder import DataFolder
from config.embedded.postgres import Postgres
from config.embedded.reachable import check_postgres, check_redis
from config.embedded.redis_server import Redis
from config.embedded.services import SITE, servers

RESTARTS_A_MINUTE = 3
BIN = Path(sys.prefix) / "bin"


class Stopped(Exception):
    """Ctrl-C or a polite kill."""


class Program:
    """One of our own processes: the web server, the worker, beat."""

    def __init__(self, name: str, log: Path, *command: str) -> None:
        self.name = name
        self.log = log
        self.command = processes.leashed([str(BIN / command[0]), *command[1:]], signal.SIGTERM)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = processes.start(self.command, log)

    def stop(self) -> None:
        if self.process is not None:
            processes.end(self.process, signal.SIGTERM)


Child = Program | Postgres | Redis


def chosen_port() -> int:
    given = os.environ.get("PORT") or "8000"
    if not given.isdecimal() or not 0 < int(given) < 65536:
        raise ServiceError(f"PORT is {given!r}, which is no port number. Choose one from 1 to 65535, as in PORT=8001.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", int(given)))  # noqa: S104
        except OSError as error:
            raise ServiceError(
                f"Port {given} cannot be used ({error.strerror}). Choose another one: PORT={int(given) + 1} make run"
            ) from error
    return int(given)


def programs(folder: DataFolder, port: int) -> list[Program]:
    celery = ("celery", "-A", "config.celery")
    schedule = str(folder.path / "beat-schedule")
    return [
        Program("web server", folder.logs / "web.log", "gunicorn", "config.wsgi", "--bind", f"0.0.0.0:{port}",
                "--workers", "1", "--threads", "8", "--graceful-timeout", "5", "--no-control-socket"),
        Program("worker", folder.logs / "worker.log", *celery, "worker", "--concurrency", "2", "--loglevel", "INFO",
                "--queues", "celery,batches"),
        Program("beat", folder.logs / "beat.log", *celery, "beat", "--schedule", schedule, "--pidfile", ""),
    ]  # fmt: skip


def prepare_database() -> None:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("check_packs", verbosity=0)
    call_command("load_packs", verbosity=0)
    call_command("seed_demo", if_empty=True)


def wait_for_answer(web: Program, port: int) -> None:
    assert web.process is not None
    while web.process.poll() is None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise ServiceError(f"The web server did not start: {processes.last_line(web.log)}. Its log is {web.log}.")


def keep_running(children: list[Child]) -> None:
    """Restart what dies, and give up on what keeps dying."""
    deaths: dict[str, deque[float]] = {child.name: deque(maxlen=RESTARTS_A_MINUTE) for child in children}
    while True:
        time.sleep(0.5)
        for child in children:
            if child.process is None or child.process.poll() is None:
                continue
            times = deaths[child.name]
            if len(times) == RESTARTS_A_MINUTE and time.monotonic() - times[0] < 60:
                raise ServiceError(
                    f"The {child.name} keeps ending: {processes.last_line(child.log)}. Its log is {child.log}."
                )
            times.append(time.monotonic())
            print(f"The {child.name} ended unexpectedly and is started again. Its log is {child.log}.", flush=True)
            child.start()


def announce(port: int, folder: DataFolder) -> None:
    from accounts.demo import LOGINS, PASSWORD

    print(f"\nAftermath answers on http://localhost:{port}\n\nDemo logins, all with the password {PASSWORD}:")
    for login in LOGINS:
        print(f"  {login.email:<24} {login.role}")
    print(f"\nLogs and mail are in {folder.path}. Ctrl-C ends everything; the data stays.", flush=True)


def stop_politely(signum: int, frame: FrameType | None) -> None:
    raise Stopped


def run() -> None:
    port = chosen_port()
    folder = DataFolder(SITE)
    check_postgres(os.environ.get("DATABASE_URL"))
    check_redis(os.environ.get("REDIS_URL"))
    with ExitStack() as ending:
        ending.enter_context(folder.held())
        embedded = ending.enter_context(servers(folder))
        prepare_database()
        ours = programs(folder, port)
        for program in ours:
            program.start()
            ending.callback(program.stop)
        wait_for_answer(ours[0], port)
        folder.write_note(site=f"http://localhost:{port}")
        announce(port, folder)
        keep_running([*embedded, *ours])


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.development")
    for polite in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(polite, stop_politely)
    try:
        run()
    except Stopped:
        print("\nStopped. The data stays for the next start.", flush=True)
    except ServiceError as error:
        print(f"\n{error}", file=sys.stderr, flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
