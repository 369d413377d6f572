"""What the operators tell everybody. Pages read it from the cache and never ask the database."""

from datetime import datetime

from django.core.cache import cache
from django.db.models import Q
from django.utils import timezone

from panel.models import SiteNotice

KEY = "site-notices"

Shown = tuple[str, str, datetime, datetime | None]
"""Level, text, from, until."""


def publish_notices() -> None:
    """After each change, and by beat every minute: so a cache that was lost is whole again soon."""
    to_come = SiteNotice.objects.filter(Q(ends=None) | Q(ends__gt=timezone.now()))
    cache.set(KEY, list(to_come.values_list("level", "text", "begins", "ends")), timeout=None)


def site_notices() -> list[dict[str, str]]:
    """Those of this moment."""
    known: list[Shown] = cache.get(KEY) or []
    now = timezone.now()
    return [
        {"level": level, "text": text}
        for level, text, begins, ends in known
        if begins <= now and (ends is None or now < ends)
    ]
