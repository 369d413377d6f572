"""Many rows written by one statement, as JSON that the database takes apart.

`bulk_create` and `bulk_update` make an expression or a quoted text of each cell, and that takes several times as long
as the statement itself. Where a whole post-game is written at once, it was most of the time.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from django.db import connection
from django.db.models import Model

ROWS = 500


def insert(rows: Iterable[Model]) -> None:
    """Rows of one model; their keys are not asked for."""
    _write(list(rows), _insert)


def insert_keyed(rows: Sequence[Model]) -> None:
    """Rows of one model, which have their keys afterwards."""
    if rows:
        sql, cells = _insert(rows)
        with connection.cursor() as cursor:
            cursor.execute(f'{sql} RETURNING old."{rows[0]._meta.pk.column}"', cells)
            for row, (key,) in zip(rows, cursor.fetchall(), strict=True):
                row.pk = key


def insert_cells(model: type[Model], cells: Sequence[dict[str, Any]], worked_out: Mapping[str, str]) -> None:
    """Rows by column, all in one statement. `worked_out` are columns that the database makes of the row `new`."""
    if cells:
        with connection.cursor() as cursor:
            cursor.execute(_inserting(model, list(cells[0]), worked_out), [_json(cells)])


def rewrite(rows: Sequence[Model], names: Sequence[str]) -> None:
    """These columns of rows of one model."""
    _write(rows, lambda some: _rewrite(some, names))


def _write(rows: Sequence[Model], write: Callable[[Sequence[Model]], tuple[str, list[Any]]]) -> None:
    for start in range(0, len(rows), ROWS):
        with connection.cursor() as cursor:
            cursor.execute(*write(rows[start : start + ROWS]))


def _insert(rows: Sequence[Model]) -> tuple[str, list[Any]]:
    fields: list[Any] = [f for f in rows[0]._meta.local_concrete_fields if not f.primary_key and not f.generated]
    cells = [{field.column: field.pre_save(row, True) for field in fields} for row in rows]
    return _inserting(type(rows[0]), [field.column for field in fields]), [_json(cells)]


def _inserting(model: type[Model], names: Sequence[str], worked_out: Mapping[str, str] | None = None) -> str:
    table = f'"{model._meta.db_table}"'
    columns = ", ".join(f'"{name}"' for name in names)
    values = ", ".join((worked_out or {}).get(name, f'new."{name}"') for name in names)
    return (
        f"INSERT INTO {table} AS old ({columns}) SELECT {values} FROM jsonb_populate_recordset(NULL::{table}, %s) new"  # noqa: S608
    )


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
