"""Versions of what has no column for one."""

from typing import Any
from zlib import crc32

import msgspec


def content_version(told: Any) -> int:
    """A checksum of what is told: it differs when that does, which is all that an ETag has to do."""
    return crc32(msgspec.json.encode(told))
