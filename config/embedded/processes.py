"""Child processes that end with us, even when we are killed."""

import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from typing import IO

from config.embedded.errors import ServiceError

NOBODY = 65534
"""The account that PostgreSQL runs under when we are root, because it refuses to be root."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def is_root() -> bool:
    return os.geteuid() == 0


def leashed(command: list[str], ending: signal.Signals, as_nobody: bool = False) -> list[str]:
    """The command, arranged to receive `ending` when its parent dies.

    As nobody it keeps the right to walk through folders that only root may enter: a project below
    a private home would otherwise be out of its reach. The secure bit makes the kernel count that right
    also where a program first asks whether it may, as initdb does.
    """
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        if as_nobody:
            raise ServiceError(
                "PostgreSQL does not run as root and this machine has no setpriv to change the user. "
                "Run Aftermath as an ordinary user, or set DATABASE_URL to a server of your own."
            )
        return command
    leash = [setpriv, "--pdeathsig", ending.name.removeprefix("SIG")]
    if as_nobody:
        leash += [f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        leash += ["--inh-caps=-all,+dac_override", "--ambient-caps=-all,+dac_override"]
        leash += ["--securebits=+no_setuid_fixup"]
    return [*leash, *command]


def start(command: list[str], log: IO[bytes] | None, env: dict[str, str] | None = None) -> "subprocess.Popen[bytes]":
    """Start a child in a session of its own, so that Ctrl-C reaches us alone and we end it in order."""
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=env, start_new_session=True)


def end(process: "subprocess.Popen[bytes]", ending: signal.Signals, patience: float = 15) -> None:
    if process.poll() is not None:
        return
    process.send_signal(ending)
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines() if log.exists() else []
    return lines[-1] if lines else "it wrote no log"
