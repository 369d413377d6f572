"""An entry of the packs of the site is copied into a draft, to be changed there."""

from django.db import transaction
from django.utils.translation import gettext as _

from rules.engine.errors import RuleViolation
from rules.models import GamePack
from rules.pack_drafts import draft_of
from rules.pack_parts import Part, identity, rows_of, standard, with_standard
from rules.services.create_pack import Actor
from rules.services.save_edition import lock_pack, refuse_stale, save_edition


@transaction.atomic
def take_over_entry(*, actor: Actor, pack: GamePack, part: Part, key: str, version: int | None = None) -> int:
    """Where it stands now. A table comes whole, and a fighter type with its army; what is there already stays."""
    draft = draft_of(lock_pack(pack, actor))
    if key not in standard(part):
        raise RuleViolation("no_such_entry", _("The packs of the site have no such entry."))
    there = _place(draft.content, part, key)
    if there:
        return there
    refuse_stale(draft.version, version)
    if part.is_table and rows_of(draft.content, part):
        raise RuleViolation("table_is_there", _("This pack has a table of its own already."))
    content = with_standard(draft.content, part, key)
    save_edition(actor=actor, pack=pack, content=content, notes=draft.notes, version=draft.version)
    return _place(content, part, key)


def _place(content: object, part: Part, key: str) -> int:
    rows = rows_of(content, part)
    return next((row.place for row in rows if identity(part, row.entry, row.key) == key), 0)
