"""Packs of game masters: drafts, editions and their files, and which of them a campaign plays with."""

import zlib
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from django.db.models import Prefetch
from django.http import HttpResponse
from msgspec import UNSET, Meta, UnsetType

from api.call import GM, Ask, Tagged, call
from api.paging import Listed, Page, listed, page
from api.problems import Fault, Refused
from api.shapes import In, Key, Name, Out, Person, Time, person_of
from campaigns.access import Place, pack_for_campaign, place_to_run
from campaigns.pack_changes import Affected, what_changes
from campaigns.pack_sheet import PackRow, pack_rows
from campaigns.services.change_settings import stamp_of
from campaigns.services.use_edition import pins_with, use_edition
from rules.access import edition_of, pack_to_edit, packs_to_edit, part_of
from rules.engine.pack.diff import Difference
from rules.models import GamePack, PackEdition
from rules.pack_compare import before_it, changes_in, said
from rules.pack_drafts import draft_of, problems_of
from rules.pack_file_views import file_of
from rules.pack_files import LARGEST
from rules.services.create_pack import create_pack
from rules.services.edit_pack import edit_pack
from rules.services.import_pack import BadPackFile, Form, import_pack
from rules.services.publish_edition import PackHasMistakes, publish_edition
from rules.services.save_edition import save_edition
from rules.services.set_prices import BadPrices, Price, set_prices
from rules.services.take_over_entry import take_over_entry
from rules.services.withdraw_edition import withdraw_edition

MOST_TOLD = 100
"""So many mistakes are told at once."""
VERSIONS = 1_000_000
"""A draft's version begins anew with each edition; both are in its ETag."""
EditionState = Literal["draft", "published", "withdrawn"]
EditionNumber = Annotated[int, Meta(ge=1, le=2**31 - 1)]
PackNotes = Annotated[str, Meta(max_length=2000)]
PartName = Annotated[
    str, Meta(min_length=1, max_length=40, description="As in the files: items, armies, fighters, ...")
]


# What is shown ----------------------------------------------------------------------------------------


class EditionLine(Out):
    number: int
    state: EditionState
    notes: str
    published: Time | None
    withdrawn: Time | None


class OwnPack(Out):
    """A pack of yours. `key` is what campaigns know it by."""

    id: int
    key: str
    name: str
    shared: bool
    owner: Person | None
    editions: list[EditionLine]


class EditionRead(Out):
    """An edition. `content` has the form of the files of a pack (docs/pack-files.md); a draft may have mistakes."""

    number: int
    state: EditionState
    notes: str
    content: dict[str, Any]


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


class EntryPlace(Out):
    """Where an entry stands in its part of the draft, counted from 1."""

    part: str
    place: int


class PricesChanged(Out):
    changed: int


# What is sent -----------------------------------------------------------------------------------------


class PackNew(In):
    name: Name
    shared: bool = False


class PackChange(In):
    """What is left out stays."""

    name: Name | UnsetType = UNSET
    shared: bool | UnsetType = UNSET


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


class PackFileSent(In):
    replaces: bool = False
    """Whether the file may take the place of what the draft has."""


# Things with versions ---------------------------------------------------------------------------------


def own_pack(ask: Ask, pack: int) -> Tagged:
    """A pack, for its owner; its name and whether it is shared are all that changes."""
    found = pack_to_edit(ask.person, pack)
    return Tagged(found, zlib.crc32(f"{found.shared} {found.name}".encode()), f"pack-{found.pk}")


def own_draft(ask: Ask, pack: int) -> Tagged:
    found = pack_to_edit(ask.person, pack)
    draft = draft_of(found)
    return Tagged(found, draft.number * VERSIONS + draft.version, f"pack-draft-{found.pk}")


def own_edition(ask: Ask, pack: int, number: int) -> Tagged:
    found = edition_of(pack_to_edit(ask.person, pack), number)
    states = list(PackEdition.State.values)
    return Tagged(found, found.version * len(states) + states.index(found.state), f"edition-{found.pk}")


def its_packs(ask: Ask, campaign: int, pack: int = 0) -> Tagged:
    """A campaign, for those who run it; the version is that of its settings."""
    place = place_to_run(ask.person, campaign)
    return Tagged(place, int(stamp_of(place.campaign), 16), f"campaign-packs-{campaign}")


def _version(ask: Ask) -> int | None:
    return None if ask.expected_version is None else ask.expected_version % VERSIONS


def _stamp(ask: Ask) -> str:
    return "" if ask.expected_version is None else f"{ask.expected_version:016x}"


# Packs ------------------------------------------------------------------------------------------------


def _line(edition: PackEdition) -> EditionLine:
    return EditionLine(
        number=edition.number,
        state=edition.state,  # type: ignore[arg-type]
        notes=edition.notes,
        published=edition.published,
        withdrawn=edition.withdrawn,
    )


def _pack(pack: GamePack) -> OwnPack:
    return OwnPack(
        id=pack.pk,
        key=pack.key,
        name=pack.name,
        shared=pack.shared,
        owner=person_of(pack.owner) if pack.owner is not None else None,
        editions=[_line(edition) for edition in pack.editions.all()],
    )


@call("get", "own-packs", serves=("packs",))
def list_own_packs(ask: Ask, query: Listed) -> Page[OwnPack]:
    """The packs that you may change, with their editions, the newest first."""
    editions = Prefetch("editions", PackEdition.objects.defer("content"))
    rows = packs_to_edit(ask.person).select_related("owner").prefetch_related(editions)
    return page(rows, query, _pack)


@call("post", "own-packs", scope=GM, status=201, serves=("pack_new",), example={"name": "House rules", "shared": False})
def begin_pack(ask: Ask, body: PackNew) -> OwnPack:
    """Begin a pack, with an empty draft of its first edition."""
    made = create_pack(actor=ask.person, name=body.name, shared=body.shared)
    ask.headers["Location"] = f"/api/v1/own-packs/{made.pk}"
    return _pack(made)


@call("get", "own-packs/{pack}", tag=own_pack, serves=("pack",))
def read_pack(ask: Ask, pack: int) -> OwnPack:
    """A pack with its editions, the newest first."""
    return _pack(ask.thing)


@call("patch", "own-packs/{pack}", scope=GM, tag=own_pack, serves=("pack_edit",), example={"shared": True})
def change_pack(ask: Ask, pack: int, body: PackChange) -> OwnPack:
    """Change the name of a pack, or share it with every game master of the site."""
    row: GamePack = ask.thing
    name = row.name if isinstance(body.name, UnsetType) else body.name
    shared = row.shared if isinstance(body.shared, UnsetType) else body.shared
    was = None if ask.expected_version is None else (row.name, row.shared)
    return _pack(edit_pack(actor=ask.person, pack=row, name=name, shared=shared, was=was))


# Drafts -----------------------------------------------------------------------------------------------


def _draft(pack: GamePack) -> PackDraftRead:
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
    return _draft(ask.thing)


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
    save_edition(actor=ask.person, pack=ask.thing, content=body.content, notes=notes, version=_version(ask))
    return _draft(ask.thing)


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
        actor=ask.person, pack=ask.thing, part=part_of(body.part), key=body.name, version=_version(ask)
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
        count = set_prices(actor=ask.person, pack=ask.thing, prices=prices, version=_version(ask))
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
        raise Refused(409, "no_draft", "There is nothing new to publish. Change something first.")
    notes = None if isinstance(body.notes, UnsetType) else body.notes
    try:
        return _line(publish_edition(actor=ask.person, edition=draft, version=_version(ask), notes=notes))
    except PackHasMistakes as refusal:
        where = (": ".join(filter(None, (one.part, one.row, one.field))) for one in refusal.problems)
        told = zip(where, refusal.problems[:MOST_TOLD], strict=False)
        faults = [Fault(where=place or "$", message=one.problem) for place, one in told]
        raise Refused(422, refusal.code, refusal.message, errors=faults) from refusal


# Editions ---------------------------------------------------------------------------------------------


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
    return listed(list(_changes(found)), query)


def _changes(found: Sequence[Difference]) -> Iterator[EntryChange]:
    for each in found:
        fields = (
            EntryFieldChange(field=one.field, before=said(one.before), after=said(one.after)) for one in each.fields
        )
        yield EntryChange(part=each.part, name=each.name, kind=each.kind, fields=list(fields))  # type: ignore[arg-type]


@call("post", "own-packs/{pack}/editions/{number}/withdrawal", scope=GM, tag=own_edition, serves=("pack_withdraw",))
def withdraw_pack_edition(ask: Ask, pack: int, number: int) -> EditionLine:
    """Take a published edition out of use. Campaigns that play with it wait until they have another."""
    return _line(withdraw_edition(actor=ask.person, edition=ask.thing))


# Files ------------------------------------------------------------------------------------------------


def _file(edition: PackEdition, name: str) -> HttpResponse:
    text, kind = file_of(edition, name)
    filename = f"{edition.pack.key}-{edition.number}-{name}"
    return HttpResponse(text, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{filename}"'})


@call(
    "get",
    "own-packs/{pack}/editions/{number}/yaml",
    tag=own_edition,
    gives="application/yaml",
    serves=("pack_export",),
)
def export_pack(ask: Ask, pack: int, number: int) -> HttpResponse:
    """An edition as one document, YAML."""
    return _file(ask.thing, "pack.yaml")


@call("get", "own-packs/{pack}/editions/{number}/items", tag=own_edition, gives="text/csv", serves=("pack_export",))
def export_pack_items(ask: Ask, pack: int, number: int) -> HttpResponse:
    """The items of an edition as a sheet, CSV."""
    return _file(ask.thing, "items.csv")


@call("get", "own-packs/{pack}/editions/{number}/armies", tag=own_edition, gives="text/csv", serves=("pack_export",))
def export_pack_armies(ask: Ask, pack: int, number: int) -> HttpResponse:
    """The armies of an edition as a sheet, CSV: limits and names."""
    return _file(ask.thing, "armies.csv")


@call("get", "own-packs/{pack}/editions/{number}/fighters", tag=own_edition, gives="text/csv", serves=("pack_export",))
def export_pack_fighters(ask: Ask, pack: int, number: int) -> HttpResponse:
    """The fighter types of an edition as a sheet, CSV."""
    return _file(ask.thing, "fighters.csv")


def _imported(ask: Ask, form: Form, body: bytes, *, replaces: bool = False) -> PackDraftRead:
    try:
        import_pack(actor=ask.person, pack=ask.thing, data=body, form=form, replaces=replaces, version=_version(ask))
    except BadPackFile as refusal:
        faults = [_fault(str(one)) for one in refusal.problems[:MOST_TOLD]]
        raise Refused(422, refusal.code, refusal.message, errors=faults) from refusal
    return _draft(ask.thing)


def _fault(text: str) -> Fault:
    where, _colon, problem = text.rpartition(": ")
    return Fault(where=where or "$", message=problem)


@call(
    "put",
    "own-packs/{pack}/draft/yaml",
    scope=GM,
    tag=own_draft,
    takes=("application/yaml",),
    largest=LARGEST,
    serves=("pack_import",),
)
def import_pack_document(ask: Ask, pack: int, query: PackFileSent, body: bytes) -> PackDraftRead:
    """Make a document in YAML the draft of a pack. With a mistake in it, nothing is taken over."""
    return _imported(ask, "yaml", body, replaces=query.replaces)


@call(
    "put",
    "own-packs/{pack}/draft/items",
    scope=GM,
    tag=own_draft,
    takes=("text/csv",),
    largest=LARGEST,
    serves=("pack_import",),
)
def import_pack_items(ask: Ask, pack: int, body: bytes) -> PackDraftRead:
    """Change or add items of a draft by a sheet in CSV. With a mistake in it, nothing is taken over."""
    return _imported(ask, "items", body)


@call(
    "put",
    "own-packs/{pack}/draft/armies",
    scope=GM,
    tag=own_draft,
    takes=("text/csv",),
    largest=LARGEST,
    serves=("pack_import",),
)
def import_pack_armies(ask: Ask, pack: int, body: bytes) -> PackDraftRead:
    """Change or add armies of a draft by a sheet in CSV. With a mistake in it, nothing is taken over."""
    return _imported(ask, "armies", body)


@call(
    "put",
    "own-packs/{pack}/draft/fighters",
    scope=GM,
    tag=own_draft,
    takes=("text/csv",),
    largest=LARGEST,
    serves=("pack_import",),
)
def import_pack_fighters(ask: Ask, pack: int, body: bytes) -> PackDraftRead:
    """Change or add fighter types of a draft by a sheet in CSV. With a mistake in it, nothing is taken over."""
    return _imported(ask, "fighters", body)


# Packs of a campaign ----------------------------------------------------------------------------------


class CampaignPack(Out):
    """A pack as a campaign sees it. `edition` is what it plays with, null for a pack that it could use."""

    id: int
    name: str
    owner: Person | None
    edition: int | None
    withdrawn: bool
    published: list[int]
    """Editions to choose from, the newest first."""


class AffectedWarband(Out):
    """What would be different for a warband. `lost` are names that it uses: with one of them, it cannot be done."""

    warband: int
    name: str
    entries: list[str]
    lost: list[str]
    breaches: list[str]
    rating_before: float
    rating_after: float
    advancements_due: dict[str, int]
    """By the names of fighters: so many more by other thresholds, or fewer."""


class CampaignPackPreview(Out):
    """What another edition would change, or going without the pack. Nothing is done yet."""

    entries: list[EntryChange]
    warbands: list[AffectedWarband]
    possible: bool


class CampaignPackUsed(In):
    edition: EditionNumber


class EditionWanted(In):
    """Without an edition: going without the pack."""

    edition: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0


def _row(row: PackRow) -> CampaignPack:
    return CampaignPack(
        id=row.pack.pk,
        name=row.pack.name,
        owner=person_of(row.pack.owner) if row.pack.owner is not None else None,
        edition=row.now.number if row.now is not None else None,
        withdrawn=row.is_withdrawn,
        published=[edition.number for edition in row.published],
    )


def _affected(each: Affected) -> AffectedWarband:
    return AffectedWarband(
        warband=each.warband.pk,
        name=each.warband.name,
        entries=[one.difference.name for one in each.touched],
        lost=[used.name for used in each.lost],
        breaches=[breach.sentence for breach in each.breaches],
        rating_before=each.rating[0],
        rating_after=each.rating[1],
        advancements_due=dict(each.due),
    )


@call("get", "campaigns/{campaign}/packs", scope=GM, tag=its_packs, serves=("campaign_packs",))
def list_campaign_packs(ask: Ask, campaign: int, query: Listed) -> Page[CampaignPack]:
    """The packs that a campaign plays with, and those that it could use."""
    place: Place = ask.thing
    return listed([_row(row) for row in pack_rows(place.campaign, ask.person)], query)


def _published(place: Place, pack: int, number: int) -> tuple[GamePack, PackEdition | None]:
    found = pack_for_campaign(place, pack)
    return found, edition_of(found, number, state=PackEdition.State.PUBLISHED) if number else None


@call("get", "campaigns/{campaign}/packs/{pack}/changes", scope=GM, tag=its_packs, serves=("campaign_pack",))
def preview_campaign_pack(ask: Ask, campaign: int, pack: int, query: EditionWanted) -> CampaignPackPreview:
    """What an edition would change for a campaign and its warbands, or going without the pack."""
    found, edition = _published(ask.thing, pack, query.edition)
    campaign_row = ask.thing.campaign
    changes = what_changes(campaign_row, pins_with(campaign_row, found, edition))
    return CampaignPackPreview(
        entries=list(_changes(changes.entries)),
        warbands=[_affected(each) for each in changes.warbands],
        possible=not changes.lost,
    )


@call(
    "put",
    "campaigns/{campaign}/packs/{pack}",
    scope=GM,
    tag=its_packs,
    serves=("campaign_pack",),
    example={"edition": 1},
)
def use_campaign_pack(ask: Ask, campaign: int, pack: int, body: CampaignPackUsed) -> CampaignPack:
    """Have a campaign play with a published edition of a pack, in place of the one that it had."""
    place: Place = ask.thing
    found, edition = _published(place, pack, body.edition)
    use_edition(actor=ask.person, campaign=place.campaign, pack=found, edition=edition, stamp=_stamp(ask))
    place.campaign.refresh_from_db()
    return next(_row(row) for row in pack_rows(place.campaign, ask.person) if row.pack.pk == found.pk)


@call("delete", "campaigns/{campaign}/packs/{pack}", scope=GM, tag=its_packs, serves=("campaign_pack",))
def remove_campaign_pack(ask: Ask, campaign: int, pack: int) -> None:
    """Have a campaign go without a pack."""
    place: Place = ask.thing
    found, _none = _published(place, pack, 0)
    use_edition(actor=ask.person, campaign=place.campaign, pack=found, edition=None, stamp=_stamp(ask))
