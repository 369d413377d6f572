"""PostgreSQL and Redis for whoever needs them: the servers named in the environment, or our own."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from config.embedded.folder import DataFolder, InUse
from config.embedded.postgres import Postgres
from config.embedded.redis_server import Redis

SITE = "site"
TEST = "test"


@contextmanager
def servers(folder: DataFolder, durable: bool = True) -> Iterator[list[Postgres | Redis]]:
    """Start what the environment does not name and put its address there; end it afterwards."""
    wanted: list[tuple[str, Postgres | Redis]] = []
    if not os.environ.get("DATABASE_URL"):
        wanted.append(("DATABASE_URL", Postgres(folder, durable)))
    if not os.environ.get("REDIS_URL"):
        wanted.append(("REDIS_URL", Redis(folder)))
    with ExitStack() as ending:
        for variable, server in wanted:
            server.start()
            ending.callback(server.stop)
            ending.enter_context(_in_environment(variable, server.url))
            folder.write_note(**{variable: server.url})
        yield [server for _, server in wanted]


@contextmanager
def _in_environment(variable: str, address: str) -> Iterator[None]:
    os.environ[variable] = address
    try:
        yield
    finally:
        del os.environ[variable]


def _missing() -> set[str]:
    return {variable for variable in ("DATABASE_URL", "REDIS_URL") if not os.environ.get(variable)}


@contextmanager
def available(name: str = SITE, durable: bool = True) -> Iterator[None]:
    """For one command: the named servers, those of a running site, or our own while it lasts."""
    missing = _missing()
    with ExitStack() as ending:
        if missing:
            folder = DataFolder(name)
            try:
                ending.enter_context(folder.held())
                ending.enter_context(servers(folder, durable))
            except InUse:
                note = folder.read_note()
                if not missing <= note.keys():
                    raise
                for variable in missing:
                    ending.enter_context(_in_environment(variable, note[variable]))
        yield
