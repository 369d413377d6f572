"""Taking a warband along as a file, bringing one back, and founding one again."""

from typing import Annotated

import msgspec
from django.http import StreamingHttpResponse
from django.utils.text import slugify
from msgspec import Meta

from api.call import Ask, call
from api.calls.warbands.lists import WarbandRow, row_of
from api.calls.warbands.tags import its_owners
from api.shapes import In, Out
from warbands import portable
from warbands.access import warband_to_copy
from warbands.models import Warband
from warbands.services.copy_warband import copied, copy_name, copy_warband
from warbands.services.import_warband import import_warband

EXAMPLE = {
    "format": "aftermath-warband",
    "version": 1,
    "packs": [{"id": "t9a-sc", "version": "0.9.97"}],
    "status": "draft",
    "founded": "2026-01-03T18:00:00Z",
    "order": [],
    "lore": "",
    "notes": "",
    "portrait": None,
    "state": {"id": "self", "name": "The Grey Lanterns", "army": "EoS", "treasury": 500, "fighters": {}},
    "roster": [],
    "ledger": [],
}


class ExportChoice(In):
    portrait: bool = True


@call("get", "warbands/{warband}/export", tag=its_owners, serves=("warband_export",))
def export_warband(ask: Ask, warband: int, query: ExportChoice) -> StreamingHttpResponse:
    """Everything about a warband as one file, without loss; `import_warband_file` takes it back."""
    parts = portable.export_parts(ask.thing, with_portrait=query.portrait)
    answer = StreamingHttpResponse(parts, content_type="application/json")
    name = slugify(ask.thing.name) or "warband"
    answer["Content-Disposition"] = f'attachment; filename="{name}.aftermath.json"'
    return answer


class FilePack(portable.PackUsed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A pack that the warband was played with."""


class FileEntry(portable.Entry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ledger entry; `change`, `inverse` and `rolls` are those of the ledger, and checked when they are folded."""


class WarbandFile(portable.File, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file that `export_warband` gave. `state` is open here: it is checked as a whole, against the ledger."""

    packs: list[FilePack]  # type: ignore[assignment]
    ledger: Annotated[list[FileEntry], Meta(max_length=portable.MOST_ENTRIES)]  # type: ignore[assignment]


@call(
    "post",
    "warbands/imports",
    status=201,
    largest=portable.LARGEST_FILE,
    serves=("warband_import",),
    example=EXAMPLE,
)
def import_warband_file(ask: Ask, body: WarbandFile) -> WarbandRow:
    """Bring a warband back from a file, with its whole ledger, as your own; all of it is checked first."""
    made = import_warband(actor=ask.person, content=msgspec.json.encode(body))
    ask.headers["Location"] = f"/api/v1/warbands/{made.pk}"
    return row_of(made)


# Copies -----------------------------------------------------------------------------------------------

ShareToken = Annotated[str, Meta(max_length=64, description="Of the share link, for a warband that is not yours.")]


class CopyPreview(Out):
    """The draft that a copy would be, and a sentence for everything that could not be had."""

    name: str
    army: str
    treasury: int
    rating: float
    models: int
    fighters: list[str]
    missing: list[str]


class CopyOf(In):
    token: ShareToken = ""


@call("get", "warbands/{warband}/copy", serves=("warband_copy",))
def preview_copy(ask: Ask, warband: int, query: CopyOf) -> CopyPreview:
    """What a copy of a warband would be, if it were founded again today."""
    found = warband_to_copy(ask.person, warband, query.token)
    copy = copied(found, portable.SELF, copy_name(found.name))
    draft = copy.draft
    return CopyPreview(
        name=draft.name,
        army=draft.army,
        treasury=draft.treasury,
        rating=draft.rating,
        models=draft.model_count,
        fighters=[fighter.name for fighter in draft.fighters.values()],
        missing=copy.missing,
    )


class CopyMade(Out):
    warband: WarbandRow
    missing: list[str]


@call("post", "warbands/{warband}/copy", status=201, serves=("warband_copy",), example={"token": ""})
def copy_roster(ask: Ask, warband: int, body: CopyOf) -> CopyMade:
    """Make a draft of your own with the people and things of a warband, as far as a new one can have them."""
    found: Warband = warband_to_copy(ask.person, warband, body.token)
    made, missing = copy_warband(actor=ask.person, warband=found)
    ask.headers["Location"] = f"/api/v1/warbands/{made.pk}"
    return CopyMade(warband=row_of(made), missing=missing)
