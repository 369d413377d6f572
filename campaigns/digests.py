"""Who is due a mail with their unread notices, and what it says."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import ngettext

from accounts.models import User
from campaigns.models import Notice, NoticeWishes
from campaigns.notices import sentence

Mail = NoticeWishes.Mail
BETWEEN = {Mail.DAILY: timedelta(hours=23), Mail.WEEKLY: timedelta(days=7, hours=-1)}
"""An hour less than the name says, so that a task that comes a little late does not shift the next one."""
MOST = 50
_signer = signing.Signer(salt="campaigns.digests")


def due(now: datetime) -> QuerySet[User]:
    """People with unread notices that no mail has named, whose last mail is long enough ago."""
    waiting = Notice.objects.filter(person=OuterRef("pk"), read=None, mailed=None)
    never = Q(notice_wishes=None) | Q(notice_wishes__last_digest=None)
    daily = Q(notice_wishes__mail=Mail.DAILY, notice_wishes__last_digest__lte=now - BETWEEN[Mail.DAILY])
    weekly = Q(notice_wishes__mail=Mail.WEEKLY, notice_wishes__last_digest__lte=now - BETWEEN[Mail.WEEKLY])
    wanted = Q(notice_wishes=None) | ~Q(notice_wishes__mail=Mail.OFF)
    confirmed = Q(emailaddress__verified=True, emailaddress__primary=True)
    people = User.objects.filter(Exists(waiting), wanted, never | daily | weekly, confirmed, is_active=True)
    return people.distinct().order_by("pk")


def is_due(wishes: NoticeWishes, now: datetime) -> bool:
    """The same for one person, asked again under the lock."""
    if wishes.mail == Mail.OFF:
        return False
    return wishes.last_digest is None or wishes.last_digest <= now - BETWEEN[Mail(wishes.mail)]


def mail_to(person: User, notices: Sequence[Notice]) -> EmailMessage:
    """Plain text, links in full; mail programs find in its head how to stop it."""
    stop = settings.SITE_URL + unsubscribe_address(person)
    shown = [{"text": sentence(one), "link": _link(one), "campaign": one.campaign} for one in notices[:MOST]]
    context = {
        "person": person,
        "notices": shown,
        "more": max(0, len(notices) - MOST),
        "all": settings.SITE_URL + reverse("notices"),
        "stop": stop,
        "site_name": settings.SITE_NAME,
    }
    subject = ngettext("%(site)s: one notice for you", "%(site)s: %(count)s notices for you", len(notices))
    return EmailMessage(
        subject % {"site": settings.SITE_NAME, "count": len(notices)},
        render_to_string("campaigns/email/digest.txt", context),
        to=[person.email],
        headers={"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"},
    )


def _link(notice: Notice) -> str:
    return settings.SITE_URL + reverse("notice", args=[notice.pk])


def unsubscribe_address(person: User) -> str:
    return reverse("notices_unsubscribe", args=[_signer.sign_object(person.pk)])


def unsubscriber(token: str) -> User | None:
    """Whom a signed address belongs to; nobody if it was made up."""
    try:
        return User.objects.filter(pk=_signer.unsign_object(token)).first()
    except signing.BadSignature:
        return None
