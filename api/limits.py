"""How often a token may ask: so many calls a minute, reading and acting counted apart."""

import time
from dataclasses import dataclass
from functools import cache

import redis
from django.conf import settings
from django.utils.translation import gettext as _

from api.problems import Refused

WINDOW = 60


@dataclass(frozen=True)
class Allowance:
    """What is left of this minute."""

    name: str
    most: int
    left: int
    reset: int

    @property
    def headers(self) -> dict[str, str]:
        """As the IETF's draft has them."""
        return {
            "RateLimit-Policy": f'"{self.name}";q={self.most};w={WINDOW}',
            "RateLimit": f'"{self.name}";r={max(self.left, 0)};t={self.reset}',
        }


def count(who: str, *, reads: bool) -> Allowance:
    """Count one call; refuse it when there were too many."""
    name = "read" if reads else "act"
    most = settings.API_RATES[name]
    now = int(time.time())
    minute, gone = divmod(now, WINDOW)
    used = _one_more(f"api-rate:{name}:{who}:{minute}")
    allowance = Allowance(name, most, most - used, WINDOW - gone)
    if used > most:
        headers = allowance.headers | {"Retry-After": str(allowance.reset)}
        said = _("Too many requests. Try again in %(seconds)s seconds.") % {"seconds": allowance.reset}
        raise Refused(429, "too_many_requests", said, headers=headers)
    return allowance


def _one_more(key: str) -> int:
    """In one exchange; Django's cache would take three."""
    with _counters(settings.REDIS_URL).pipeline(transaction=False) as pipe:
        pipe.incr(key)
        pipe.expire(key, 2 * WINDOW)
        used: int = pipe.execute()[0]
    return used


@cache
def _counters(address: str) -> "redis.Redis":
    return redis.Redis.from_url(address, socket_timeout=5, socket_connect_timeout=5)
