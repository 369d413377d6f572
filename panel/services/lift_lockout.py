"""An operator lets somebody try again who was locked out."""

from axes.models import AccessAttempt

from accounts.models import User


def lift_lockout(*, actor: User, attempt: AccessAttempt) -> None:
    """For this name from this address; a second time changes nothing."""
    AccessAttempt.objects.filter(username=attempt.username, ip_address=attempt.ip_address).delete()
