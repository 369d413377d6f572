"""A link that lets everybody who has it read the roster."""

from django.db import transaction

from accounts.models import User
from warbands.models import Warband, new_share_token
from warbands.services.apply_changes import Stale, lock_warband


@transaction.atomic
def share_warband(*, actor: User, warband: Warband, was: str | None = None) -> str:
    """A new link; the one before it leads nowhere from now on. `was` is the one that somebody knew, empty for none."""
    row = lock_link(warband, was)
    row.share_token = warband.share_token = new_share_token()
    row.save(update_fields=["share_token"])
    return row.share_token


def lock_link(warband: Warband, was: str | None) -> Warband:
    """The row under its lock, refused if the link is not the one that somebody knew."""
    row = lock_warband(warband)
    if was is not None and was != (row.share_token or ""):
        raise Stale(row.version)
    return row
