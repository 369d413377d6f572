"""An entry goes out of a draft; what the packs of the site have in its place counts again."""

from django.db import transaction
from django.utils.translation import gettext as _

from rules.engine.errors import RuleViolation
from rules.models import GamePack, PackEdition
from rules.pack_drafts import draft_of
from rules.pack_parts import Part, row_at, without_entry
from rules.services.create_pack import Actor
from rules.services.save_edition import lock_pack, refuse_stale, save_edition


@transaction.atomic
def remove_entry(*, actor: Actor, pack: GamePack, part: Part, place: int, version: int | None = None) -> PackEdition:
    draft = draft_of(lock_pack(pack, actor))
    refuse_stale(draft.version, version)
    if row_at(draft.content, part, place) is None:
        raise RuleViolation("no_such_entry", _("This entry is not there any more."))
    content = without_entry(draft.content, part, place)
    return save_edition(actor=actor, pack=pack, content=content, notes=draft.notes, version=draft.version)
