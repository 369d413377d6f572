"""Statements that are written out by hand: for a whole post-game at once, and for what nearly every request reads.

The ORM makes its text anew each time, and PostgreSQL its plan; together that was half of the time. Here both are made
once a connection, and statements can be sent without waiting for what the one before has come to.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import msgspec
from django.db import connection
from django.db.backends.postgresql.base import ServerBindingCursor
from django.db.backends.utils import CursorWrapper
from django.db.models import JSONField, Model
from psycopg.pq import PipelineStatus

M = TypeVar("M", bound=Model)


@contextmanager
def together() -> Iterator[None]:
    """What is sent inside waits for no answer until one is asked for, and so does a refusal of the database.

    How many rows an update has found is not known inside.
    """
    _connect()
    if connection.connection.pgconn.pipeline_status != PipelineStatus.OFF:
        yield
        return
    with connection.wrap_database_errors, connection.connection.pipeline():
        yield


def send(statement: str, *parameters: Any) -> CursorWrapper:
    """Its rows can be fetched."""
    _connect()
    cursor: Any = ServerBindingCursor(connection.connection)  # type: ignore[call-arg]
    found = connection.make_debug_cursor(cursor) if connection.queries_logged else connection.make_cursor(cursor)
    found.execute(statement, parameters)
    return found


def _connect() -> None:
    """As a cursor of Django does: one that was lost meanwhile is opened anew, unless a transaction was lost with it."""
    connection.close_if_health_check_failed()
    connection.ensure_connection()


def as_json(cells: object) -> str:
    return msgspec.json.encode(cells).decode()


# Rows as models ---------------------------------------------------------------------------------------


class Some(NamedTuple):
    """A model without what nobody asks for."""

    model: type[Model]
    names: frozenset[str]
    """Of the columns that are read, the key among them."""


Read = type[Model] | Some


def some(model: type[Model], *names: str) -> Some:
    return Some(model, frozenset(["id", *names]))


def columns(read: Read, table: str = "") -> str:
    """All that is read of a model, in its order; `table` is what it is called in the statement."""
    prefix = f'"{table or _shape(read).model._meta.db_table}"'
    return ", ".join(f'{prefix}."{name}"' for name in _shape(read).columns)


def width(read: Read) -> int:
    return len(_shape(read).columns)


def loaded(model: type[M], row: Sequence[Any]) -> M:
    """An object of what `columns` has read."""
    found: M = _loaded(model, row)
    return found


def parted(row: Sequence[Any], *reads: Read) -> list[Any]:
    """An object of each of these, whose `columns` the row begins with in this order; what comes after them is last.

    What an outer join has not found is nothing.
    """
    rest = iter(row)
    parts = [(read, list(islice(rest, width(read)))) for read in reads]
    found: list[Any] = [None if cells[0] is None else _loaded(read, cells) for read, cells in parts]
    return [*found, *rest]


def _loaded(read: Read, row: Sequence[Any]) -> Any:
    shape = _shape(read)
    values = list(row)
    for place in shape.documents:
        if values[place] is not None:
            values[place] = msgspec.json.decode(values[place])
    return shape.model.from_db(connection.alias, shape.names, values)


class _Shape(NamedTuple):
    model: type[Model]
    columns: list[str]
    names: list[str]
    documents: list[int]


@cache
def _shape(read: Read) -> _Shape:
    model, names = read if isinstance(read, Some) else (read, None)
    fields = [field for field in model._meta.concrete_fields if names is None or field.column in names]
    documents = [place for place, field in enumerate(fields) if isinstance(field, JSONField)]
    return _Shape(model, [str(field.column) for field in fields], [field.attname for field in fields], documents)
