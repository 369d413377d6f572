"""The packs that somebody may change."""

from django.db.models import Prefetch
from msgspec import UNSET, UnsetType

from api.call import GM, Ask, call
from api.calls.packs.editions import EditionLine, edition_line
from api.calls.packs.tags import own_pack
from api.paging import Listed, Page, page
from api.shapes import In, Name, Out, Person, person_of
from rules.access import packs_to_edit
from rules.models import GamePack, PackEdition
from rules.services.create_pack import create_pack
from rules.services.edit_pack import edit_pack


class OwnPack(Out):
    """A pack of yours. `key` is what campaigns know it by."""

    id: int
    key: str
    name: str
    shared: bool
    owner: Person | None
    editions: list[EditionLine]


class PackNew(In):
    name: Name
    shared: bool = False


class PackChange(In):
    """What is left out stays."""

    name: Name | UnsetType = UNSET
    shared: bool | UnsetType = UNSET


def _pack(pack: GamePack) -> OwnPack:
    return OwnPack(
        id=pack.pk,
        key=pack.key,
        name=pack.name,
        shared=pack.shared,
        owner=person_of(pack.owner) if pack.owner is not None else None,
        editions=[edition_line(edition) for edition in pack.editions.all()],
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
