"""One mail to one person with what they have not read; never the same notice twice."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from campaigns.digests import is_due, mail_to
from campaigns.models import Notice, NoticeWishes


@transaction.atomic
def send_digest(*, person: User | int) -> bool:
    """The mail leaves last: if that fails, all is as before, and the next turn tries again.

    Whoever comes at the same time waits at the lock and then finds that nothing is due.
    """
    who = User.objects.filter(pk=person if isinstance(person, int) else person.pk, is_active=True).first()
    if who is None:
        return False
    wishes = _locked_wishes(who)
    now = timezone.now()
    notices = Notice.objects.filter(person=who, read=None, mailed=None)
    waiting = list(notices.select_related("campaign").order_by("made", "pk"))
    if not waiting or not is_due(wishes, now):
        return False
    Notice.objects.filter(pk__in=[notice.pk for notice in waiting]).update(mailed=now)
    wishes.last_digest = now
    wishes.save(update_fields=["last_digest"])
    mail_to(who, waiting).send()
    return True


def _locked_wishes(person: User) -> NoticeWishes:
    NoticeWishes.objects.get_or_create(person=person)
    return NoticeWishes.objects.select_for_update().get(person=person)
