"""What the lists of the reference have in common."""

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from django.utils.translation import get_language
from msgspec import Meta

from api.paging import Listed, Page, listed
from rules.codex.listing import Listed as Entry
from rules.codex.listing import codex
from rules.codex.origin import origin, rulings
from rules.codex.reading import reading

Shown = TypeVar("Shown")


class CodexList(Listed):
    """Only those whose name holds a text, or who are in a group: an army, a category, a skill list, a path."""

    name: Annotated[str, Meta(max_length=80)] = ""
    group: Annotated[str, Meta(max_length=80)] = ""


def entries_of(kind: str, query: CodexList, shown: Callable[[Entry], Shown]) -> "Page[Shown]":
    wanted = query.name.casefold()
    found = [
        entry
        for entry in codex()[kind].values()
        if wanted in entry.name.casefold() and query.group in ("", entry.group)
    ]
    part = listed(found, query)
    return Page(items=[once(kind, entry, shown) for entry in part.items], next=part.next)


def once(kind: str, entry: Entry, shown: Callable[[Entry], Shown]) -> Shown:
    """Packs of the site never change while it runs, so what is told of an entry is worked out once."""
    known: dict[tuple[str, str], Any] = reading().made.setdefault(f"told in {get_language()}", {})
    key = (kind, entry.slug)
    if key not in known:
        known[key] = shown(entry)
    told_before: Shown = known[key]
    return told_before


def told(entry: Entry) -> dict[str, Any]:
    """The fields of a pack's entry, and what every entry here has besides; `heading` is the group it is listed in."""
    own = {field: getattr(entry.content, field) for field in entry.content.__struct_fields__}
    return own | {
        "slug": entry.slug,
        "heading": entry.group,
        "pack": origin(entry).id,
        "rulings": tuple(cited.ruling.number for cited in rulings(entry)),
    }
