"""Lists: pages by cursor, in an order, with chosen fields."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Generic, NoReturn, TypeVar

import msgspec
from django.core import signing
from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _
from msgspec import Meta, Struct

from api.problems import Fault, invalid

SALT = "api-cursor"

Row = TypeVar("Row", bound=Model)
Item = TypeVar("Item")

Limit = Annotated[int, Meta(ge=1, le=100)]
Cursor = Annotated[str, Meta(max_length=400)]
Fields = Annotated[str, Meta(max_length=400, description="Names of fields, with commas between; all if left out.")]


class Listed(Struct, kw_only=True, forbid_unknown_fields=True):
    """What every list takes."""

    limit: Limit = 25
    cursor: Cursor = ""
    fields: Fields = ""


class Page(Struct, Generic[Item], frozen=True, kw_only=True):
    """A part of a list; `next` is the cursor of the part after it, nothing at the end."""

    items: Sequence[Item]
    next: str | None = None


def page(
    rows: "QuerySet[Row]", query: Listed, shown: Callable[[Row], Item], order: Sequence[str] = ("pk",)
) -> "Page[Item]":
    """One part of a query, in one statement. `order` ends with what is unique; a minus turns a field round."""
    names = [name.lstrip("-") for name in order]
    ordered = rows.order_by(*order)
    if query.cursor:
        ordered = ordered.filter(_after(order, _read_cursor(query.cursor, order)))
    found = list(ordered[: query.limit + 1])
    more = len(found) > query.limit
    kept = found[: query.limit]
    following = _cursor(order, [_value(kept[-1], name) for name in names]) if more else None
    return Page(items=[shown(row) for row in kept], next=following)


def listed(things: Sequence[Item], query: Listed) -> "Page[Item]":
    """One part of what is in memory anyway; the cursor is a place in it."""
    start = 0
    if query.cursor:
        start = _read_cursor(query.cursor, ("place",))[0]
    stop = start + query.limit
    following = _cursor(("place",), [stop]) if stop < len(things) else None
    return Page(items=things[start:stop], next=following)


def chosen_order(orders: Mapping[str, Sequence[str]], wanted: str, usual: str) -> Sequence[str]:
    """The order that a list was asked for; only those are there that an index serves."""
    name = wanted or usual
    if name not in orders:
        raise invalid([Fault(where="order", message=_("one of %(names)s") % {"names": ", ".join(sorted(orders))})])
    return orders[name]


def chosen_fields(part: "Page[Any]", query: Any) -> "Page[Any]":
    """Only the fields that were asked for."""
    wanted = [name.strip() for name in getattr(query, "fields", "").split(",") if name.strip()]
    if not wanted or not part.items:
        return part
    known = type(part.items[0]).__struct_fields__
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise invalid([Fault(where="fields", message=_("“%(name)s” is no field") % {"name": name}) for name in unknown])
    return Page(items=[{name: getattr(item, name) for name in wanted} for item in part.items], next=part.next)


def _value(row: Model, name: str) -> Any:
    value: Any = row
    for part in name.split("__"):
        value = getattr(value, part)
    return value


def _cursor(order: Sequence[str], values: Sequence[Any]) -> str:
    """Signed, because what is in it goes into a query."""
    plain = [_Time(value) if isinstance(value, datetime) else value for value in values]
    return signing.dumps([",".join(order), *msgspec.to_builtins(plain)], salt=SALT)


class _Time(Struct, frozen=True):
    time: datetime


def _read_cursor(cursor: str, order: Sequence[str]) -> list[Any]:
    try:
        made_for, *values = signing.loads(cursor, salt=SALT)
    except signing.BadSignature:
        _bad_cursor()
    if made_for != ",".join(order):
        _bad_cursor()
    return [msgspec.convert(value, _Time).time if isinstance(value, dict) else value for value in values]


def _bad_cursor() -> NoReturn:
    raise invalid([Fault(where="cursor", message=_("is not one that this list gave in this order"))])


def _after(order: Sequence[str], values: Sequence[Any]) -> Q:
    """Rows after these values: greater in the first field, or equal there and greater in the next, and so on."""
    found, equal = Q(), Q()
    for name, value in zip(order, values, strict=True):
        field = name.lstrip("-")
        beyond = "lt" if name.startswith("-") else "gt"
        found |= equal & Q(**{f"{field}__{beyond}": value})
        equal &= Q(**{field: value})
    return found
