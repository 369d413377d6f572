"""A person says how they want to be told, and of what not."""

from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import NoticeWishes
from campaigns.notices import GROUPS
from rules.engine.errors import RuleViolation


@transaction.atomic
def wish_notices(
    *, actor: User, mail: str, muted: Collection[str] | None = None, was: NoticeWishes | None = None
) -> NoticeWishes:
    """Without `muted` only the mails change. `was` is what somebody knew."""
    if mail not in NoticeWishes.Mail.values or not GROUPS.keys() >= set(muted or ()):
        raise RuleViolation("no_such_wish", _("There is no such choice."))
    wishes, _made = NoticeWishes.objects.select_for_update().get_or_create(person=actor)
    if was is not None and (was.mail, was.muted) != (wishes.mail, wishes.muted):
        raise RuleViolation("stale", _("This has changed since you looked at it. Look at it again first."))
    wishes.mail = mail
    if muted is not None:
        wishes.muted = sorted(muted)
    wishes.save(update_fields=["mail", "muted"])
    return wishes
