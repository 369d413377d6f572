"""`python -m tests.check_production`: Django's deployment checks on the production settings, without any server."""

import os
import secrets
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]


def environment(**changes: str | None) -> dict[str, str]:
    """Nothing of the caller's environment but PATH, and throw-away values; None takes one away."""
    values = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
        "SECRET_KEY": secrets.token_urlsafe(64),
        "ALLOWED_HOSTS": "aftermath.example",
        "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none",
        "REDIS_URL": "redis://127.0.0.1:1/0",
    } | changes
    return {name: value for name, value in values.items() if value is not None}


def run(*command: str, **changes: str | None) -> "subprocess.CompletedProcess[str]":
    """Run Python in the project under the production settings."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=PROJECT,
        env=environment(**changes),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def main() -> int:
    done = run("manage.py", "check", "--deploy", "--fail-level", "WARNING")
    if done.returncode:
        print(done.stdout, file=sys.stderr)
        return 1
    print("The production settings pass Django's deployment checks.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
