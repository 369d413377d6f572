"""An entry of a draft is written: a new one, or one in the place of another."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from rules.engine.errors import RuleViolation
from rules.models import GamePack, PackEdition
from rules.pack_drafts import draft_of
from rules.pack_parts import ARMIES, FIGHTERS, PARTS, Part, row_at, rows_of, standard, with_entry
from rules.services.create_pack import Actor
from rules.services.save_edition import lock_pack, refuse_stale, save_edition


@transaction.atomic
def put_entry(
    *,
    actor: Actor,
    pack: GamePack,
    part: Part,
    entry: Any,
    place: int | None = None,
    key: str = "",
    army: str = "",
    version: int | None = None,
) -> PackEdition:
    """`key` is the name of an entry where names are the keys, `army` the one that a new fighter type joins."""
    draft = draft_of(lock_pack(pack, actor))
    refuse_stale(draft.version, version)
    if place is not None and row_at(draft.content, part, place) is None:
        raise RuleViolation("no_such_entry", _("This entry is not there any more."))
    if part.is_keyed:
        _refuse_key(draft.content, part, key, place)
    if part.key == FIGHTERS and place is None:
        _refuse_army(draft.content, army)
    content = with_entry(draft.content, part, entry, place=place, key=key, army=army)
    return save_edition(actor=actor, pack=pack, content=content, notes=draft.notes, version=draft.version)


def _refuse_key(content: dict[str, Any], part: Part, key: str, place: int | None) -> None:
    if not key:
        raise RuleViolation("no_name", _("An entry needs a name."))
    if any(row.key == key and row.place != place for row in rows_of(content, part)):
        raise RuleViolation("twice", _("There is an entry of this name already."))


def _refuse_army(content: dict[str, Any], army: str) -> None:
    own = {str(row.entry.get("code")) for row in rows_of(content, PARTS[ARMIES]) if isinstance(row.entry, dict)}
    if army not in own and army not in standard(PARTS[ARMIES]):
        raise RuleViolation("no_such_army", _("Choose the army that it belongs to."))
