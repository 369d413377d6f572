"""Many rows written by one statement, as JSON that the database takes apart.

`bulk_create` and `bulk_update` make an expression or a quoted text of each cell, and that takes several times as long
as the statement itself. Where a whole post-game is written at once, it was most of the time.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from django.db.models import Model

from warbands.statements import as_json, send

ROWS = 500


def insert(rows: Iterable[Model]) -> None:
    """Rows of one model. Keys that they have are kept; those that they get are not asked for."""
    listed = list(rows)
    for start in range(0, len(listed), ROWS):
        some = listed[start : start + ROWS]
        fields: list[Any] = [f for f in some[0]._meta.local_concrete_fields if _is_given(f, some[0])]
        insert_cells(type(some[0]), [{field.column: field.pre_save(row, True) for field in fields} for row in some])


def _is_given(field: Any, row: Model) -> bool:
    return not field.generated and (not field.primary_key or row.pk is not None)


def insert_cells(model: type[Model], cells: Sequence[dict[str, Any]], **worked_out: str) -> None:
    """Rows by column, all in one statement. `worked_out` are columns that the database makes of the row `new`."""
    if cells:
        send(_inserting(model, tuple(cells[0]), tuple(worked_out.items())), as_json(cells))


def rewrite(rows: Sequence[Model], names: Sequence[str]) -> None:
    """These columns of rows of one model."""
    for start in range(0, len(rows), ROWS):
        some = rows[start : start + ROWS]
        meta = some[0]._meta
        written: list[Any] = [meta.pk, *map(meta.get_field, names)]
        cells = [{field.column: getattr(row, field.attname) for field in written} for row in some]
        send(_rewriting(type(some[0]), tuple(names)), as_json(cells))


@cache
def _inserting(model: type[Model], names: tuple[str, ...], worked_out: tuple[tuple[str, str], ...]) -> str:
    table = f'"{model._meta.db_table}"'
    columns = ", ".join(f'"{name}"' for name in names)
    values = ", ".join(dict(worked_out).get(name, f'new."{name}"') for name in names)
    return f"INSERT INTO {table} ({columns}) SELECT {values} FROM jsonb_populate_recordset(NULL::{table}, %s) new"  # noqa: S608


@cache
def _rewriting(model: type[Model], names: tuple[str, ...]) -> str:
    meta: Any = model._meta
    columns = [f'"{meta.get_field(name).column}"' for name in names]
    table, key = f'"{meta.db_table}"', f'"{meta.pk.column}"'
    return (
        f"UPDATE {table} old SET ({', '.join(columns)}) = ROW ({', '.join(f'new.{name}' for name in columns)})"  # noqa: S608
        f" FROM jsonb_populate_recordset(NULL::{table}, %s) new WHERE old.{key} = new.{key}"
    )
