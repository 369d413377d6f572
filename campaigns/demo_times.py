"""The demo is written in seconds and happened over weeks: its times are spread afterwards, and nothing but times."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.apps import apps
from django.db import connection
from django.db.models import DateTimeField
from django.utils import timezone

APPS = ("accounts", "warbands", "market", "campaigns")


@dataclass(frozen=True)
class Span:
    """What was written between two moments, and when it is to have happened."""

    begun: datetime
    ended: datetime
    start: datetime
    length: timedelta

    @property
    def values(self) -> tuple[datetime | float, ...]:
        factor = self.length / (self.ended - self.begun)
        return self.begun, self.ended, self.start, self.begun, factor


def midnight() -> datetime:
    """The last one, in the site's time zone."""
    return timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)


def evening(days: int, hour: float = 19) -> datetime:
    """So many days from now; before today if it is less than nothing."""
    return midnight() + timedelta(days=days, hours=hour)


@dataclass
class Calendar:
    spans: list[Span] = field(default_factory=list)

    @contextmanager
    def on(self, start: datetime, hours: float = 0.25) -> Iterator[None]:
        """What is written in the block happened from `start` on, in its order."""
        begun = timezone.now()
        yield
        self.spans.append(Span(begun, timezone.now(), start, timedelta(hours=hours)))

    def write(self) -> None:
        """A statement a column, whatever the number of rows. Dates that lie ahead are in no span."""
        when = " ".join("WHEN {column} BETWEEN %s AND %s THEN %s + ({column} - %s) * %s" for _span in self.spans)
        values = [value for span in self.spans for value in span.values]
        whole = [self.spans[0].begun, self.spans[-1].ended]
        with connection.cursor() as cursor:
            for table, column in _columns():
                case = when.format(column=column)
                cursor.execute(
                    f"UPDATE {table} SET {column} = CASE {case} ELSE {column} END "  # noqa: S608
                    f"WHERE {column} BETWEEN %s AND %s",
                    [*values, *whole],
                )


def _columns() -> Iterator[tuple[str, str]]:
    quote = connection.ops.quote_name
    for label in APPS:
        for model in apps.get_app_config(label).get_models():
            for found in model._meta.local_fields:
                if isinstance(found, DateTimeField) and found.column:
                    yield quote(model._meta.db_table), quote(found.column)
