"""Packs as files."""

from django.http import HttpResponse

from api.call import GM, Ask, call
from api.calls.packs.drafts import MOST_TOLD, PackDraftRead, draft_read
from api.calls.packs.tags import draft_version, own_draft, own_edition
from api.problems import Fault, Refused
from api.shapes import In
from rules.models import PackEdition
from rules.pack_file_views import file_of
from rules.pack_files import LARGEST
from rules.services.import_pack import BadPackFile, Form, import_pack


class PackFileSent(In):
    replaces: bool = False
    """Whether the file may take the place of what the draft has."""


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
        import_pack(
            actor=ask.person, pack=ask.thing, data=body, form=form, replaces=replaces, version=draft_version(ask)
        )
    except BadPackFile as refusal:
        faults = [_fault(str(one)) for one in refusal.problems[:MOST_TOLD]]
        raise Refused(422, refusal.code, refusal.message, errors=faults) from refusal
    return draft_read(ask.thing)


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
