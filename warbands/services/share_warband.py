"""A link that lets everybody who has it read the roster."""

from accounts.models import User
from warbands.models import Warband, new_share_token


def share_warband(*, actor: User, warband: Warband) -> str:
    """A new link; the one before it leads nowhere from now on."""
    warband.share_token = new_share_token()
    warband.save(update_fields=["share_token"])
    return warband.share_token
