"""Editions of a pack, and what they change."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from api.call import GM, Ask, call
from api.calls.packs.tags import own_edition
from api.paging import Listed, Page, listed
from api.shapes import Out, Time
from rules.engine.pack.diff import Difference
from rules.models import PackEdition
from rules.pack_compare import before_it, changes_in, said
from rules.services.withdraw_edition import withdraw_edition

EditionState = Literal["draft", "published", "withdrawn"]
EditionNumber = Annotated[int, Meta(ge=1, le=2**31 - 1)]


class EditionLine(Out):
    number: int
    state: EditionState
    notes: str
    published: Time | None
    withdrawn: Time | None


class EditionRead(Out):
    """An edition. `content` has the form of the files of a pack (docs/pack-files.md); a draft may have mistakes."""

    number: int
    state: EditionState
    notes: str
    content: dict[str, Any]


class EntryFieldChange(Out):
    field: str
    before: str
    after: str


class EntryChange(Out):
    """An entry of the rules that comes, goes or changes."""

    part: str
    name: str
    kind: Literal["added", "removed", "changed"]
    fields: list[EntryFieldChange]


def edition_line(edition: PackEdition) -> EditionLine:
    return EditionLine(
        number=edition.number,
        state=edition.state,  # type: ignore[arg-type]
        notes=edition.notes,
        published=edition.published,
        withdrawn=edition.withdrawn,
    )


@call("get", "own-packs/{pack}/editions/{number}", tag=own_edition, serves=("pack_edition",))
def read_edition(ask: Ask, pack: int, number: int) -> EditionRead:
    """An edition of a pack with all that it holds."""
    row: PackEdition = ask.thing
    return EditionRead(number=row.number, state=row.state, notes=row.notes, content=row.content)  # type: ignore[arg-type]


@call("get", "own-packs/{pack}/editions/{number}/changes", tag=own_edition, serves=("pack_edition", "pack_publish"))
def list_edition_changes(ask: Ask, pack: int, number: int, query: Listed) -> Page[EntryChange]:
    """What an edition changes against the one before it."""
    row: PackEdition = ask.thing
    before = before_it(row)
    found = changes_in(row.content, before.content if before is not None else {})
    return listed(list(entry_changes(found)), query)


def entry_changes(found: Sequence[Difference]) -> Iterator[EntryChange]:
    for each in found:
        fields = (
            EntryFieldChange(field=one.field, before=said(one.before), after=said(one.after)) for one in each.fields
        )
        yield EntryChange(part=each.part, name=each.name, kind=each.kind, fields=list(fields))  # type: ignore[arg-type]


@call("post", "own-packs/{pack}/editions/{number}/withdrawal", scope=GM, tag=own_edition, serves=("pack_withdraw",))
def withdraw_pack_edition(ask: Ask, pack: int, number: int) -> EditionLine:
    """Take a published edition out of use. Campaigns that play with it wait until they have another."""
    return edition_line(withdraw_edition(actor=ask.person, edition=ask.thing))
