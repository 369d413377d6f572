"""The draft of a pack's next edition: written, checked, published."""

from typing import Annotated, Any, Literal

from django.utils.translation import gettext as _
from msgspec import UNSET, Meta, UnsetType

from api.call import GM, Ask, call
from api.calls.packs.editions import EditionLine, edition_line
from api.calls.packs.tags import draft_version, own_draft
from api.paging import Listed, Page, listed
from api.problems import Fault, Refused
from api.shapes import In, Key, Out
from rules.access import part_of
from rules.models import GamePack, PackEdition
from rules.pack_drafts import draft_of, problems_of
from rules.pack_files import LARGEST
from rules.services.publish_edition import PackHasMistakes, publish_edition
from rules.services.save_edition import save_edition
from rules.services.set_prices import BadPrices, Price, set_prices
from rules.services.take_over_entry import take_over_entry

MOST_TOLD = 100
"""So many mistakes are told at once."""
PackNotes = Annotated[str, Meta(max_length=2000)]
PartName = Annotated[
    str, Meta(min_length=1, max_length=40, description="As in the files: items, armies, fighters, ...")
]


class PackDraftRead(Out):
    """What the next edition would be; without a draft, the newest edition. `content` as in the files of a pack."""

    number: int
    is_saved: bool
    notes: str
    content: dict[str, Any]
    mistakes: int


class PackMistake(Out):
    part: str
    row: str
    field: str
    problem: str


class EntryPlace(Out):
    """Where an entry stands in its part of the draft, counted from 1."""

    part: str
    place: int


class PricesChanged(Out):
    changed: int


class PackDraftSave(In):
    """`content` has the form of the files of a pack; what it means is checked when it is published."""

    content: dict[str, Any]
    notes: PackNotes | UnsetType = UNSET


class Publication(In):
    notes: PackNotes | UnsetType = UNSET


class EntryTaken(In):
    """An entry of the site, by its name, or its code for an army."""

    part: PartName
    name: Key


class PriceSet(In):
    part: Literal["items", "upgrades"]
    name: Key
    price: Annotated[str, Meta(max_length=30, description="15, or 15+2MS; empty for what cannot be bought.")]
    rarity: Annotated[int, Meta(ge=0, le=30)] = 0


class PricesSet(In):
    prices: Annotated[list[PriceSet], Meta(min_length=1, max_length=500)]


def draft_read(pack: GamePack) -> PackDraftRead:
    draft = draft_of(pack)
    return PackDraftRead(
        number=draft.number,
        is_saved=draft.is_saved,
        notes=draft.notes,
        content=draft.content,
        mistakes=len(problems_of(draft)),
    )


@call("get", "own-packs/{pack}/draft", tag=own_draft, serves=("pack_part", "pack_entry", "pack_preview", "pack_prices"))
def read_pack_draft(ask: Ask, pack: int) -> PackDraftRead:
    """The draft of a pack's next edition."""
    return draft_read(ask.thing)


@call(
    "put",
    "own-packs/{pack}/draft",
    scope=GM,
    tag=own_draft,
    largest=LARGEST * 2,
    serves=("pack_entry", "pack_entry_new", "pack_entry_remove"),
    example={"content": {"items": [{"name": "Moon Blade", "category": "close_combat", "price": "40"}]}, "notes": ""},
)
def save_pack_draft(ask: Ask, pack: int, body: PackDraftSave) -> PackDraftRead:
    """Save the whole draft of a pack's next edition. It may have mistakes until it is published."""
    notes = draft_of(ask.thing).notes if isinstance(body.notes, UnsetType) else body.notes
    save_edition(actor=ask.person, pack=ask.thing, content=body.content, notes=notes, version=draft_version(ask))
    return draft_read(ask.thing)


@call("get", "own-packs/{pack}/draft/mistakes", tag=own_draft, serves=("pack_check",))
def list_pack_mistakes(ask: Ask, pack: int, query: Listed) -> Page[PackMistake]:
    """Everything that keeps a draft from being published, by part, row and field."""
    found = problems_of(draft_of(ask.thing))
    told = [PackMistake(part=each.part, row=each.row, field=each.field, problem=each.problem) for each in found]
    return listed(told, query)


@call(
    "post",
    "own-packs/{pack}/draft/entries",
    scope=GM,
    tag=own_draft,
    serves=("pack_take_over",),
    example={"part": "items", "name": "Sword"},
)
def take_over_pack_entry(ask: Ask, pack: int, body: EntryTaken) -> EntryPlace:
    """Copy an entry of the site into a draft, to change it there; a table comes whole, a fighter with its army."""
    place = take_over_entry(
        actor=ask.person, pack=ask.thing, part=part_of(body.part), key=body.name, version=draft_version(ask)
    )
    return EntryPlace(part=body.part, place=place)


@call(
    "patch",
    "own-packs/{pack}/draft/prices",
    scope=GM,
    tag=own_draft,
    serves=("pack_prices",),
    example={"prices": [{"part": "items", "name": "Sword", "price": "91", "rarity": 0}]},
)
def set_pack_prices(ask: Ask, pack: int, body: PricesSet) -> PricesChanged:
    """Set prices of items and upgrades; those that differ from what counts now become entries of the draft."""
    prices: dict[tuple[str, str], Price] = {
        (each.part, each.name): Price(each.price, each.rarity) for each in body.prices
    }
    try:
        count = set_prices(actor=ask.person, pack=ask.thing, prices=prices, version=draft_version(ask))
    except BadPrices as refusal:
        faults = [Fault(where=" ".join(where), message=problem) for where, problem in refusal.wrong.items()]
        raise Refused(422, refusal.code, refusal.message, errors=faults) from refusal
    return PricesChanged(changed=count)


@call(
    "post",
    "own-packs/{pack}/publication",
    scope=GM,
    tag=own_draft,
    serves=("pack_publish",),
    example={"notes": "Swords are dearer."},
)
def publish_pack(ask: Ask, pack: int, body: Publication) -> EditionLine:
    """Publish the draft of a pack. With a mistake in it nothing is published, and all mistakes are named."""
    row: GamePack = ask.thing
    draft = row.editions.filter(state=PackEdition.State.DRAFT).first()
    if draft is None:
        raise Refused(409, "no_draft", _("There is nothing new to publish. Change something first."))
    notes = None if isinstance(body.notes, UnsetType) else body.notes
    try:
        return edition_line(publish_edition(actor=ask.person, edition=draft, version=draft_version(ask), notes=notes))
    except PackHasMistakes as refusal:
        where = (": ".join(filter(None, (one.part, one.row, one.field))) for one in refusal.problems)
        told = zip(where, refusal.problems[:MOST_TOLD], strict=False)
        faults = [Fault(where=place or "$", message=one.problem) for place, one in told]
        raise Refused(422, refusal.code, refusal.message, errors=faults) from refusal
