"""A list as CSV: the same columns, the same rows, a row at a time."""

import csv
import html
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django.contrib.admin.utils import label_for_field, lookup_field
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Model, QuerySet
from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone
from django.utils.html import strip_tags
from django.utils.safestring import SafeString

CHUNK = 500
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would calculate."""


class Echo:
    """What the writer of CSV writes to: it hands each line back."""

    def write(self, line: str) -> str:
        return line


def export(admin: Any, request: HttpRequest, rows: QuerySet[Any]) -> StreamingHttpResponse:
    columns = [name for name in admin.get_list_display(request) if name != "action_checkbox"]
    return as_csv(f"{admin.opts.model_name}-{timezone.now():%Y-%m-%d}.csv", _lines(admin, columns, rows))


def as_csv(name: str, rows: Iterable[Iterable[str]]) -> StreamingHttpResponse:
    writer = csv.writer(Echo())
    lines = (writer.writerow(row) for row in rows)
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8", headers=headers)


def _lines(admin: Any, columns: list[str], rows: QuerySet[Any]) -> Iterator[Iterable[str]]:
    yield [safe_cell(str(label_for_field(name, admin.model, admin))) for name in columns]
    for row in rows.iterator(chunk_size=CHUNK):
        yield [_cell(admin, name, row) for name in columns]


def _cell(admin: Any, name: str, row: Model) -> str:
    try:
        field, _attribute, value = lookup_field(name, row, admin)
    except ObjectDoesNotExist:
        return ""
    if field is not None and getattr(field, "flatchoices", None):
        value = row._get_FIELD_display(field)  # type: ignore[attr-defined]
    return _text(value)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, bool | int | float):
        return str(value)
    if isinstance(value, SafeString):
        value = html.unescape(strip_tags(value))
    return safe_cell(str(value))


def safe_cell(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA) else text
