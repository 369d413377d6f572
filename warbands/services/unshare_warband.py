"""The end of a share link."""

from accounts.models import User
from warbands.models import Warband


def unshare_warband(*, actor: User, warband: Warband) -> None:
    warband.share_token = None
    warband.save(update_fields=["share_token"])
