"""Its owner writes the draft of a pack's next edition. It may have mistakes until it is published."""

import json
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from rules.access import may_edit
from rules.engine.errors import RuleViolation
from rules.models import GamePack, PackEdition
from rules.services.create_pack import Actor
from rules.texts import HIDDEN, hidden_in, plain_text

LARGEST = 1_000_000
LONGEST_NOTES = 2000


class StaleEdition(RuleViolation):
    """Somebody else saved it first; `current` is the version that counts now."""

    def __init__(self, current: int) -> None:
        sentence = _("Somebody saved this pack since you opened it. Look at it, then save again.")
        super().__init__("stale", sentence)
        self.current = current


def lock_pack(pack: GamePack | int, actor: Actor) -> GamePack:
    """The pack, locked; only its owner and an operator change it."""
    pk = pack if isinstance(pack, int) else pack.pk
    row = GamePack.objects.select_for_update(no_key=True).get(pk=pk)
    if not may_edit(actor, row):
        raise RuleViolation("not_yours", _("This pack is not yours."))
    return row


def refuse_stale(is_now: int, version: int | None) -> None:
    if version is not None and version != is_now:
        raise StaleEdition(is_now)


@transaction.atomic
def save_edition(
    *, actor: Actor, pack: GamePack, content: Any, notes: str = "", version: int | None = None
) -> PackEdition:
    """`version` is the one that the form was made for, 0 for a draft that was not there yet."""
    row = lock_pack(pack, actor)
    draft = row.editions.filter(state=PackEdition.State.DRAFT).first()
    is_now = draft.version if draft is not None else 0
    refuse_stale(is_now, version)
    if draft is None:
        draft = PackEdition(pack=row, number=row.editions.order_by("-number").values_list("number", flat=True)[0] + 1)
    draft.content, draft.notes = _checked(content), checked_notes(notes)
    draft.version = is_now + 1
    draft.made_by_id = actor.pk
    draft.save()
    return draft


def _checked(content: Any) -> dict[str, Any]:
    """Anything that is plain data and can be kept; what it means is looked at when it is published."""
    if not isinstance(content, dict):
        raise RuleViolation("no_content", _("A pack is made of parts with names."))
    try:
        text = json.dumps(content, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise RuleViolation("no_content", _("A pack holds only texts, numbers, lists and names.")) from error
    if len(text) > LARGEST:
        raise RuleViolation("too_large", _("This pack is too large."))
    plain: dict[str, Any] = json.loads(text)
    for place in hidden_in(plain, "pack"):
        sentence = _("In %(place)s is a character that nobody sees, or that turns the text around.")
        raise RuleViolation(HIDDEN, sentence % {"place": place})
    return plain


def checked_notes(notes: str) -> str:
    if len(notes) > LONGEST_NOTES:
        raise RuleViolation("notes_too_long", _("Notes have at most %(most)s letters.") % {"most": LONGEST_NOTES})
    return plain_text(notes).strip()
