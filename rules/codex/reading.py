"""Which packs the reference is read from: those of the site, unless a page shows others for a moment."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from rules import library
from rules.engine.pack.schema import Pack


class Reading:
    """A pack, and what the reference has made of it once, by the name of what it made."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.made: dict[str, Any] = {}


_shown: ContextVar[Reading | None] = ContextVar("shown", default=None)


@cache
def _usual() -> Reading:
    return Reading(library.pack())


def reading() -> Reading:
    return _shown.get() or _usual()


def pack() -> Pack:
    return reading().pack


@contextmanager
def showing(other: Pack) -> Iterator[None]:
    """Inside it, pages are made of this pack. Addresses stay those of the site."""
    token = _shown.set(Reading(other))
    try:
        yield
    finally:
        _shown.reset(token)
