"""The data folder: where it is, whether it can be used, and who uses it now."""

import fcntl
import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.embedded.errors import ServiceError

PROJECT = Path(__file__).resolve().parents[2]
NEEDED_MEGABYTES = 300


def data_root() -> Path:
    return Path(os.environ.get("AFTERMATH_DATA") or PROJECT / ".local").resolve()


class InUse(ServiceError):
    """Another process of ours holds the folder."""


class DataFolder:
    def __init__(self, name: str) -> None:
        self.path = data_root() / name
        self.logs = self.path / "logs"
        self.note = self.path / "services.json"

    def prepare(self) -> None:
        """Create the folder, and refuse one that a server would only break in."""
        try:
            self.logs.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.path) as probe:
                probe.write(b"can write")
        except OSError as error:
            raise ServiceError(
                f"The data folder {self.path} cannot be written ({error.strerror}). "
                "Make it writable, or set AFTERMATH_DATA to another folder."
            ) from error
        free = shutil.disk_usage(self.path).free // 2**20
        if free < NEEDED_MEGABYTES:
            raise ServiceError(
                f"The disk that holds {self.path} has {free} MB left and the embedded servers need "
                f"{NEEDED_MEGABYTES}. Free some space, or set AFTERMATH_DATA to a folder on another disk."
            )

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the folder until the end; a process that dies lets go of it by dying."""
        self.prepare()
        with (self.path / "lock").open("a+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise InUse(self._who_holds_it()) from error
            try:
                yield
            finally:
                self.note.unlink(missing_ok=True)

    def _who_holds_it(self) -> str:
        address = self.read_note().get("site")
        where = f" at {address}" if address else ""
        return (
            f"Aftermath is already running{where} on the data folder {self.path}. "
            "Use that one, stop it with Ctrl-C, or set AFTERMATH_DATA to another folder."
        )

    def write_note(self, **facts: str) -> None:
        """Tell other processes of this project how to reach what runs here."""
        draft = self.note.with_suffix(".new")
        draft.touch(mode=0o600)
        draft.write_text(json.dumps(self.read_note() | facts))
        draft.replace(self.note)

    def read_note(self) -> dict[str, str]:
        try:
            facts: dict[str, str] = json.loads(self.note.read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return {}
        return facts

    def secret(self, name: str) -> str:
        """A password made once for this folder."""
        file = self.path / f"{name}.secret"
        if not file.exists():
            file.touch(mode=0o600)
            file.write_text(secrets.token_urlsafe(24))
        return file.read_text()
