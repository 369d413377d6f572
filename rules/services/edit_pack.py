"""The name of a pack, and whether other game masters may use it."""

from django.db import transaction

from rules.models import GamePack
from rules.services.create_pack import Actor, checked_name
from rules.services.save_edition import lock_pack


@transaction.atomic
def edit_pack(*, actor: Actor, pack: GamePack, name: str, shared: bool) -> GamePack:
    """Who uses it already goes on with it when it is no longer shared."""
    row = lock_pack(pack, actor)
    row.name, row.shared = checked_name(name), shared
    row.save(update_fields=["name", "shared"])
    return row
