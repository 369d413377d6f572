"""The demo campaign for tests: played once a process, and afterwards copied back into the tables.

Playing it takes seconds and hundreds of tests want it. Primary keys are never given twice, since sequences only grow,
so the rows of the copy are in nobody's way.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from django.apps import apps
from django.core.cache import cache
from django.db import connection, models, transaction

from accounts.models import User
from campaigns import demo
from campaigns.models import Campaign

APPS = ("accounts", "account", "warbands", "market", "campaigns")


@dataclass(frozen=True)
class Copied:
    """The rows of one table, as PostgreSQL writes them."""

    table: str
    columns: str
    rows: bytes

    def write(self) -> None:
        with connection.cursor() as cursor, cursor.copy(f"COPY {self.table} ({self.columns}) FROM STDIN") as copy:
            copy.write(self.rows)


@dataclass(frozen=True)
class Snapshot:
    campaign: int
    tables: tuple[Copied, ...]

    @transaction.atomic
    def restore(self) -> Campaign:
        """In any order: what refers to what is checked when the transaction ends."""
        for table in self.tables:
            table.write()
        return Campaign.objects.get(pk=self.campaign)


_SNAPSHOTS: dict[str, Snapshot] = {}


def campaign_between_rounds() -> Campaign:
    """Two rounds of the Salt Road Winter are over, and nobody fights."""
    return _copied("between rounds", demo.campaign_between_rounds)


def campaign_in_the_middle() -> Campaign:
    """The Salt Road Winter as `make run` shows it."""
    return _copied("in the middle", lambda: demo.third_round(campaign_between_rounds()))


def _copied(name: str, play: Callable[[], Campaign]) -> Campaign:
    """What is cached goes by primary keys and versions, which come again with a copy."""
    cache.clear()
    known = _SNAPSHOTS.get(name)
    if known is not None:
        return known.restore()
    is_clean = not User.objects.exists()
    played = play()
    if is_clean:
        _SNAPSHOTS[name] = Snapshot(played.pk, tuple(_copies()))
    return played


def _copies() -> Iterator[Copied]:
    for table, columns in _tables():
        with connection.cursor() as cursor, cursor.copy(f"COPY {table} ({columns}) TO STDOUT") as copy:
            rows = b"".join(bytes(block) for block in copy)
        if rows:
            yield Copied(table, columns, rows)


@lru_cache
def _tables() -> tuple[tuple[str, str], ...]:
    """Every table of ours with the columns that can be written."""
    known = (model for label in APPS for model in apps.get_app_config(label).get_models(include_auto_created=True))
    return tuple((_quoted(model._meta.db_table), ", ".join(_columns(model))) for model in known)


def _columns(model: type[models.Model]) -> Iterator[str]:
    for field in model._meta.local_concrete_fields:
        if not isinstance(field, models.GeneratedField) and field.column:
            yield _quoted(field.column)


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
