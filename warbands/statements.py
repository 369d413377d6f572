"""Statements that are written out by hand, for where a whole post-game is read and written at once.

The ORM makes its text anew each time, and PostgreSQL its plan; together that was half of the time. Here both are made
once a connection, and statements can be sent without waiting for what the one before has come to.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import islice
from typing import Any, TypeVar

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


def columns(model: type[Model], table: str = "") -> str:
    """All of a model, in its order; `table` is what it is called in the statement."""
    prefix = f'"{table or model._meta.db_table}"'
    return ", ".join(f'{prefix}."{field.column}"' for field in model._meta.concrete_fields)


def width(model: type[Model]) -> int:
    return len(model._meta.concrete_fields)


def loaded(model: type[M], row: Sequence[Any]) -> M:
    """An object of what `columns` has read."""
    names, documents = _shape(model)
    values = list(row)
    for place in documents:
        if values[place] is not None:
            values[place] = msgspec.json.decode(values[place])
    return model.from_db(connection.alias, names, values)


def parted(row: Sequence[Any], *models: type[Model]) -> list[Any]:
    """An object of each of these, whose `columns` the row begins with in this order; what comes after them is last."""
    rest = iter(row)
    found: list[Any] = [loaded(model, list(islice(rest, width(model)))) for model in models]
    return [*found, *rest]


@cache
def _shape(model: type[Model]) -> tuple[list[str], list[int]]:
    fields = model._meta.concrete_fields
    documents = [place for place, field in enumerate(fields) if isinstance(field, JSONField)]
    return [field.attname for field in fields], documents
