"""Which Chromium the browser tests drive. As a program it installs one where that is possible.

An installed browser is used; as root on Debian the package is installed; anywhere else the browser tests
are left out and the run says so in its closing line.
"""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
ARGUMENTS = [
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@cache
def executable() -> str | None:
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    return found or (str(MAC) if MAC.exists() else None)


def arguments() -> list[str]:
    """Chromium refuses its sandbox to root."""
    return [*ARGUMENTS, "--no-sandbox"] if os.geteuid() == 0 else ARGUMENTS


def install() -> None:
    if executable() or os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    print("Installing Chromium for the browser tests ...", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
        subprocess.run(["apt-get", "-qq", *command], env=environment, stdout=subprocess.DEVNULL, check=False)
    executable.cache_clear()


if __name__ == "__main__":
    install()
    if executable() is None:
        print("There is no Chromium here. Install one, or name one with CHROMIUM=/path/to/chromium.", file=sys.stderr)
        sys.exit(1)
