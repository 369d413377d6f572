"""How much room things take."""

from pathlib import Path
from typing import Any, NamedTuple

import redis
from django.conf import settings
from django.db import connection

from panel.comparing import comparing
from panel.last_runs import broker
from warbands.models import ReconcileRun

TABLES = """
select relname, pg_total_relation_size(relid), pg_indexes_size(relid), n_live_tup
from pg_stat_user_tables order by 2 desc, 1 limit 100
"""


class Table(NamedTuple):
    name: str
    size: int
    indexes: int
    rows: int


def storage_facts() -> dict[str, Any]:
    return {
        "database": database_size(),
        "tables": tables(),
        "media": folder_size(Path(settings.MEDIA_ROOT)),
        "memory": redis_memory(),
        "reconciled": ReconcileRun.objects.first(),
        "comparing": comparing(),
    }


def database_size() -> int:
    with connection.cursor() as cursor:
        cursor.execute("select pg_database_size(current_database())")
        (size,) = cursor.fetchone()
    return int(size)


def tables() -> list[Table]:
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        return [Table(*row) for row in cursor.fetchall()]


def folder_size(folder: Path) -> int:
    """A file that goes away meanwhile counts for nothing."""
    size = 0
    for path in folder.rglob("*"):
        try:
            size += path.stat().st_size if path.is_file() else 0
        except OSError:
            continue
    return size


def redis_memory() -> dict[str, Any] | None:
    try:
        known: dict[str, Any] = broker().info("memory")
    except redis.RedisError:
        return None
    return {"used": known["used_memory"], "peak": known["used_memory_peak"], "most": known.get("maxmemory", 0)}
