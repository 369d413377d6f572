"""A file becomes the draft of a pack, or a sheet changes it."""

from collections.abc import Sequence
from typing import Literal

from django.db import transaction
from django.utils.translation import gettext as _

from rules.engine.errors import RuleViolation
from rules.engine.pack.content import Problem, read_content
from rules.library import pack as standard_pack
from rules.models import GamePack, PackEdition
from rules.pack_drafts import Draft, draft_of
from rules.pack_files import LARGEST, from_yaml
from rules.pack_sheets import Plain, SheetProblem, with_armies, with_fighters, with_items
from rules.services.create_pack import Actor
from rules.services.save_edition import lock_pack, refuse_stale, save_edition

Form = Literal["yaml", "items", "armies", "fighters"]
SHEETS = {"items": with_items, "armies": with_armies, "fighters": with_fighters}


class BadPackFile(RuleViolation):
    """`problems` are all of them: by part, row and field of a document, by line and column of a sheet."""

    def __init__(self, problems: Sequence[Problem | SheetProblem]) -> None:
        super().__init__("bad_pack_file", _("The file has mistakes, and nothing was taken over."))
        self.problems = list(problems)


@transaction.atomic
def import_pack(
    *, actor: Actor, pack: GamePack, data: bytes, form: Form, replaces: bool = False, version: int | None = None
) -> PackEdition:
    """A document takes the place of a draft that has something in it only where `replaces` says so."""
    draft = draft_of(lock_pack(pack, actor))
    refuse_stale(draft.version, version)
    if len(data) > LARGEST:
        raise RuleViolation("too_large", _("The file is larger than 1 MB."))
    content = _document(draft, data, replaces=replaces) if form == "yaml" else _sheet(draft, data, form)
    return save_edition(actor=actor, pack=pack, content=content, notes=draft.notes, version=draft.version)


def _document(draft: Draft, data: bytes, *, replaces: bool) -> Plain:
    content, problems = from_yaml(data)
    problems = problems or read_content(content).problems
    if problems:
        raise BadPackFile(problems)
    if draft.content and not replaces:
        raise RuleViolation("draft_is_there", _("The draft is not empty. Say that the file may replace it."))
    return content


def _sheet(draft: Draft, data: bytes, form: Form) -> Plain:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadPackFile([SheetProblem(1, "", _("is no text in UTF-8"))]) from error
    sheet = SHEETS[form](draft.content, text, standard_pack())
    if sheet.problems:
        raise BadPackFile(sheet.problems)
    return sheet.content
