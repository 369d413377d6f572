"""The name of a pack, and whether other game masters may use it."""

from django.db import transaction
from django.utils.translation import gettext as _

from rules.engine.errors import RuleViolation
from rules.models import GamePack
from rules.services.create_pack import Actor, checked_name
from rules.services.save_edition import lock_pack


@transaction.atomic
def edit_pack(
    *, actor: Actor, pack: GamePack, name: str, shared: bool, was: tuple[str, bool] | None = None
) -> GamePack:
    """Who uses it already goes on with it when it is no longer shared. `was` is what somebody knew."""
    row = lock_pack(pack, actor)
    if was is not None and was != (row.name, row.shared):
        raise RuleViolation("stale", _("This pack has changed since you looked at it. Look at it again first."))
    row.name, row.shared = checked_name(name), shared
    row.save(update_fields=["name", "shared"])
    return row
