"""Many rows written by one statement, as JSON that the database takes apart.

`bulk_create` and `bulk_update` make an expression or a quoted text of each cell, and that takes several times as long
as the statement itself. Where a whole post-game is written at once, it was most of the time.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from django.db import connection
from django.db.models import Model

ROWS = 500


def insert(rows: Iterable[Model]) -> None:
    """Rows of one model; their keys are not asked for."""
    _write(list(rows), _insert)


def rewrite(rows: Sequence[Model], names: Sequence[str]) -> None:
    """These columns of rows of one model."""
    _write(rows, lambda some: _rewrite(some, names))


def _write(rows: Sequence[Model], write: Callable[[Sequence[Model]], tuple[str, list[Any]]]) -> None:
    for start in range(0, len(rows), ROWS):
        with connection.cursor() as cursor:
            cursor.execute(*write(rows[start : start + ROWS]))


def _insert(rows: Sequence[Model]) -> tuple[str, list[Any]]:
    meta = rows[0]._meta
    fields = [field for field in meta.local_concrete_fields if not field.primary_key and not field.generated]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    cells = [{field.column: field.pre_save(row, True) for field in fields} for row in rows]
    table = f'"{meta.db_table}"'
    sql = f"INSERT INTO {table} ({columns}) SELECT {columns} FROM jsonb_populate_recordset(NULL::{table}, %s)"  # noqa: S608
    return sql, [_json(cells)]


def _rewrite(rows: Sequence[Model], names: Sequence[str]) -> tuple[str, list[Any]]:
    meta = rows[0]._meta
    fields: list[Any] = [meta.get_field(name) for name in names]
    columns = [f'"{field.column}"' for field in fields]
    written = [meta.pk, *fields]
    cells = [{field.column: getattr(row, field.attname) for field in written} for row in rows]
    table, key = f'"{meta.db_table}"', f'"{meta.pk.column}"'
    sql = (
        f"UPDATE {table} old SET ({', '.join(columns)}) = ROW ({', '.join(f'new.{name}' for name in columns)})"  # noqa: S608
        f" FROM jsonb_populate_recordset(NULL::{table}, %s) new WHERE old.{key} = new.{key}"
    )
    return sql, [_json(cells)]


def _json(cells: Sequence[object]) -> str:
    return msgspec.json.encode(cells).decode()
