"""The end of a share link."""

from django.db import transaction

from accounts.models import User
from warbands.models import Warband
from warbands.services.share_warband import lock_link


@transaction.atomic
def unshare_warband(*, actor: User, warband: Warband, was: str | None = None) -> None:
    """`was` is the link that somebody knew, empty for none."""
    row = lock_link(warband, was)
    row.share_token = warband.share_token = None
    row.save(update_fields=["share_token"])
