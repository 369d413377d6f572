"""Parts of pages that change only with the standings: drawn once, and read from the cache until then."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from zlib import crc32

from django.core.cache import cache
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from campaigns.models import Campaign
from campaigns.standings import KEPT, Line, cache_key


def drawn(
    campaign: Campaign, template: str, lines: Sequence[Line], context: Callable[[], Mapping[str, Any]]
) -> SafeString:
    """`lines` are what it shows: names change without the standings, and everybody has others of their own."""
    shows = "|".join(f"{line.row.warband} {line.name} {_owner(line)} {line.mine}" for line in lines)
    key = cache_key(campaign, f"{template}:{get_language()}:{crc32(shows.encode())}")
    found: str | None = cache.get(key)
    if found is None:
        found = str(render_to_string(template, dict(context())))
        cache.set(key, found, KEPT)
    return SafeString(found)


def _owner(line: Line) -> str:
    return line.warband.owner.name if line.warband else ""
