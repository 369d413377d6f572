"""Something is sent once more, because somebody asked for it."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Delivery
from campaigns.services.hold_webhook import hold_webhook
from campaigns.webhooks import hurry_one
from rules.engine.errors import RuleViolation


@transaction.atomic
def redeliver(*, actor: User, delivery: Delivery) -> Delivery:
    """The same message with the same number, whose receiver may know it already. What waits is sent now."""
    hook = hold_webhook(delivery.webhook, actor=actor)
    row = Delivery.objects.select_for_update().get(pk=delivery.pk)
    row.webhook = hook
    if row.status != Delivery.Status.WAITING:
        row.status, row.by_hand = Delivery.Status.WAITING, True
    elif hook.paused_at is not None and not row.by_hand:
        raise RuleViolation("webhook_paused", _("This one waits because the webhook is paused. Resume it first."))
    row.next_attempt = timezone.now()
    row.save(update_fields=["status", "by_hand", "next_attempt"])
    hurry_one(hook.pk)
    return row
