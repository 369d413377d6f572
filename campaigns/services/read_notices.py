"""A person has read notices of theirs: one, or all up to one."""

from django.utils import timezone

from accounts.models import User
from campaigns.models import Notice


def read_notices(*, actor: User, notice: int | None = None, until: int | None = None) -> int:
    """What came after the page was opened stays unread. How many there were."""
    waiting = Notice.objects.filter(person=actor, read=None)
    if notice is not None:
        waiting = waiting.filter(pk=notice)
    if until is not None:
        waiting = waiting.filter(pk__lte=until)
    return waiting.update(read=timezone.now())
