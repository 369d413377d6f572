"""The floor of a resolved battle: the rows that it wrote, written again by plain statements, in one transaction."""

import json
from dataclasses import dataclass

from django.apps import apps
from django.db import connection, transaction

APPS = ("campaigns", "warbands", "market", "accounts")


@dataclass(frozen=True)
class Table:
    name: str
    columns: str

    @property
    def values(self) -> str:
        return ", ".join(f"new.{name}" for name in self.columns.split(", "))


@dataclass(frozen=True)
class Written:
    """What one battle left in a table: new rows as COPY writes them, and old ones as they are now."""

    table: Table
    keys: list[int]
    new: bytes
    changed: str


def tables() -> list[Table]:
    models = [model for model in apps.get_models() if model._meta.app_label in APPS]
    return [
        Table(f'"{model._meta.db_table}"', ", ".join(f'"{field.column}"' for field in model._meta.concrete_fields))
        for model in models
    ]


def last_keys() -> dict[str, int]:
    with connection.cursor() as cursor:
        found = {}
        for table in tables():
            cursor.execute(f"SELECT coalesce(max(id), 0) FROM {table.name}")
            found[table.name] = cursor.fetchone()[0]
        return found


def transaction_number() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_xact_id()::text::bigint")
        number: int = cursor.fetchone()[0]
        return number


def written_since(first: int, last: int, before: dict[str, int]) -> list[Written]:
    """Every row of ours that the transactions between two numbers left behind."""
    with connection.cursor() as cursor:
        return [found for table in tables() if (found := _written(cursor, table, first, last, before[table.name]))]


def _written(cursor: object, table: Table, first: int, last: int, known: int) -> Written | None:
    run = cursor.execute  # type: ignore[attr-defined]
    run(f"SELECT id FROM {table.name} WHERE xmin::text::bigint BETWEEN %s AND %s", [first, last])
    keys = [key for (key,) in cursor.fetchall()]  # type: ignore[attr-defined]
    if not keys:
        return None
    new = [key for key in keys if key > known]
    changed = _documents(cursor, table, sorted(set(keys) - set(new)))
    return Written(table, new, _copied(cursor, table, new), changed)


def _documents(cursor: object, table: Table, keys: list[int]) -> str:
    run = cursor.execute  # type: ignore[attr-defined]
    run(f"SELECT jsonb_agg(to_jsonb(t) ORDER BY id)::text FROM {table.name} t WHERE id = ANY(%s)", [keys])
    return cursor.fetchone()[0] or ""  # type: ignore[attr-defined]


def _copied(cursor: object, table: Table, keys: list[int]) -> bytes:
    if not keys:
        return b""
    chosen = f"SELECT {table.columns} FROM {table.name} WHERE id IN ({', '.join(map(str, keys))})"
    with cursor.copy(f"COPY ({chosen}) TO STDOUT") as copy:  # type: ignore[attr-defined]
        return b"".join(bytes(part) for part in copy)


def forget(written: list[Written]) -> None:
    """Take out the new rows, so that they can be written again."""
    with transaction.atomic(), connection.cursor() as cursor:
        for one in written:
            cursor.execute(f"DELETE FROM {one.table.name} WHERE id = ANY(%s)", [one.keys])


def write_again(written: list[Written]) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        for one in written:
            table = one.table
            if one.new:
                with cursor.copy(f"COPY {table.name} ({table.columns}) FROM STDIN") as copy:
                    copy.write(one.new)
            if one.changed:
                cursor.execute(
                    f"UPDATE {table.name} old SET ({table.columns}) = ROW ({table.values})"
                    f" FROM jsonb_populate_recordset(NULL::{table.name}, %s) new WHERE old.id = new.id",
                    [one.changed],
                )


def is_as_before(written: list[Written]) -> bool:
    """Whether the tables hold the same rows again, new and changed."""
    with connection.cursor() as cursor:
        return all(_as_before(cursor, one) for one in written)


def _as_before(cursor: object, one: Written) -> bool:
    changed = [row["id"] for row in json.loads(one.changed)] if one.changed else []
    return (
        sorted(_copied(cursor, one.table, one.keys).splitlines()) == sorted(one.new.splitlines())
        and (_documents(cursor, one.table, changed)) == one.changed
    )
