"""How far the comparison of ledgers and rosters is that an operator asked for, kept in the cache for all to see."""

from typing import Any, NamedTuple

from django.core.cache import cache

from warbands.models import Warband

KEY = "comparing-ledgers"
LONGEST = 3600
"""Seconds after which one that was never heard of again counts as lost."""


class Comparing(NamedTuple):
    done: int
    of: int


def begin() -> bool:
    """Whether it may begin: one at a time."""
    of = Warband.objects.exclude(status=Warband.Status.DRAFT).count()
    return bool(cache.add(KEY, (0, of), LONGEST))


def tell(done: int) -> None:
    known: Any = cache.get(KEY)
    if known is not None:
        cache.set(KEY, (done, max(done, known[1])), LONGEST)


def end() -> None:
    cache.delete(KEY)


def comparing() -> Comparing | None:
    known: Any = cache.get(KEY)
    return Comparing(*known) if known is not None else None
