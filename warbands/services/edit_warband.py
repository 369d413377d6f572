"""What an owner may change at any time: names, the order on the page, words and the portrait. Nothing of it is play."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from accounts.models import User
from rules.engine.changes import Change, FighterSet, WarbandSet
from rules.engine.errors import RuleViolation
from rules.texts import plain_text
from warbands.lore import LONGEST
from warbands.models import Warband
from warbands.portraits import as_webp
from warbands.services.apply_changes import apply_changes, lock_warband, refuse_stale
from warbands.services.draft import checked_name, edit_draft

WARBAND = ""
"""In `names`, the warband itself; every other key is a fighter's."""


def edit_warband(
    *,
    actor: User,
    warband: Warband,
    names: Mapping[str, str] | None = None,
    order: Sequence[str] | None = None,
    lore: str | None = None,
    notes: str | None = None,
    portrait: "UploadedFile[bytes] | None" = None,
    without_portrait: bool = False,
    expected_version: int | None = None,
) -> None:
    """All of it or nothing; what is not given stays. A picture is decoded before the lock: that takes a while."""
    drawn = as_webp(portrait) if portrait is not None else None
    with transaction.atomic():
        row = lock_warband(warband)
        refuse_stale(row, expected_version)
        _refuse_strangers(row, [key for key in (*(names or ()), *(order or ())) if key != WARBAND])
        _rename(actor, row, {key: checked_name(name) for key, name in (names or {}).items()})
        Warband.objects.filter(pk=row.pk).update(version=F("version") + 1, **_given(order, lore, notes))
        if drawn is not None or without_portrait:
            _forget_portrait(row)
        if drawn is not None:
            row.portrait.save(f"{secrets.token_urlsafe(24)}.webp", drawn, save=False)
        row.save(update_fields=["portrait"])


def _given(order: Sequence[str] | None, lore: str | None, notes: str | None) -> dict[str, Any]:
    texts = {"lore": lore, "notes": notes}
    columns: dict[str, Any] = {name: _short(text) for name, text in texts.items() if text is not None}
    return columns | ({"order": list(order)} if order is not None else {})


def _refuse_strangers(row: Warband, keys: Sequence[str]) -> None:
    own = set(row.fighters.values_list("key", flat=True))
    if not own.issuperset(keys):
        raise no_such_fighter()


def no_such_fighter() -> RuleViolation:
    return RuleViolation("no_such_fighter", _("Somebody you named is not on this roster. Nothing was changed."))


def _rename(actor: User, row: Warband, names: Mapping[str, str]) -> None:
    known = {WARBAND: row.name, **dict(row.fighters.values_list("key", "name"))}
    fresh = {key: name for key, name in names.items() if name != known[key]}
    if not fresh:
        return
    if row.status == Warband.Status.DRAFT:
        orders = [{"do": "rename", "fighter": key, "name": name} for key, name in fresh.items()]
        edit_draft(actor=actor, warband=row, orders=orders)
        return
    changes = [_change(str(row.pk), key, known[key], name) for key, name in fresh.items()]
    apply_changes(warband=row, changes=changes, actor=actor, cause=_("Renamed"))


def _change(warband: str, key: str, before: str, after: str) -> Change:
    if key == WARBAND:
        return WarbandSet(warband, "name", before, after, "renamed")
    return FighterSet(warband, key, "name", before, after, "renamed")


def _short(text: str) -> str:
    if len(text) > LONGEST:
        raise RuleViolation("text_too_long", _("A text has at most %(most)s letters.") % {"most": LONGEST})
    return plain_text(text)


def _forget_portrait(row: Warband) -> None:
    """The file goes when the transaction holds; until then somebody may still be shown it."""
    old, storage = row.portrait.name, row.portrait.storage
    row.portrait = ""
    if old:
        transaction.on_commit(lambda: storage.delete(old))
