"""A pack as files: out of any edition, and into the draft."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from rules.access import edition_of, pack_to_edit
from rules.engine.errors import RuleViolation
from rules.engine.pack.content import read_content
from rules.models import GamePack, PackEdition
from rules.pack_drafts import Draft, draft_of
from rules.pack_files import to_yaml
from rules.pack_forms import PackFileForm
from rules.pack_requests import CONFLICT, WRONG, EditorRequest, page
from rules.pack_sheets import ARMY_COLUMNS, FIGHTER_COLUMNS, ITEM_COLUMNS, armies_csv, fighters_csv, items_csv
from rules.services.import_pack import BadPackFile, import_pack
from rules.services.save_edition import StaleEdition

MOST_SHOWN = 100
SHEETS = {"items.csv": items_csv, "armies.csv": armies_csv, "fighters.csv": fighters_csv}
FILES = ("pack.yaml", *SHEETS)


def file_of(edition: PackEdition, name: str) -> tuple[str, str]:
    """The text of a file and its kind. A sheet has the entries that can be read."""
    if name in SHEETS:
        return SHEETS[name](read_content(edition.content).files), "text/csv"
    return to_yaml(edition.content), "application/yaml"


@login_required
@never_cache
def pack_export(request: EditorRequest, pk: int, number: int, name: str) -> HttpResponse:
    edition = edition_of(pack_to_edit(request.user, pk), number)
    if name not in FILES:
        raise Http404
    text, kind = file_of(edition, name)
    filename = f"{edition.pack.key}-{edition.number}-{name}"
    headers = {"Content-Disposition": f'attachment; filename="{filename}"'}
    return HttpResponse(text, content_type=f"{kind}; charset=utf-8", headers=headers)


@login_required
@never_cache
def pack_import(request: EditorRequest, pk: int) -> HttpResponse:
    found = pack_to_edit(request.user, pk)
    draft = draft_of(found)
    if request.method != "POST":
        return _page(request, found, draft, PackFileForm(initial={"version": draft.version}))
    form = PackFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, found, draft, form, WRONG)
    typed = form.cleaned_data
    try:
        import_pack(
            actor=request.user, pack=found, data=typed["file"], form=typed["form"], replaces=typed["replaces"],
            version=typed["version"],
        )  # fmt: skip
    except BadPackFile as refusal:
        problems = refusal.problems[:MOST_SHOWN]
        return _page(request, found, draft, form, WRONG, refusal=refusal, problems=problems)
    except RuleViolation as refusal:
        if isinstance(refusal, StaleEdition):
            form.data = request.POST.dict() | {"version": str(refusal.current)}
        return _page(request, found, draft_of(found), form, CONFLICT, refusal=refusal)
    messages.success(request, _("The file is in the draft. Look at it before you publish it."))
    return redirect("pack_check", found.pk)


def _page(
    request: EditorRequest, found: GamePack, draft: Draft, form: PackFileForm, status: int = 200, **more: Any
) -> HttpResponse:
    columns = {"items_sheet": ITEM_COLUMNS, "armies_sheet": ARMY_COLUMNS, "fighters_sheet": FIGHTER_COLUMNS}
    return page(request, "pack_import", found, draft, status, form=form, columns=columns, **more)
