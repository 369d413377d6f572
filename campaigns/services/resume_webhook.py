"""A paused webhook goes on."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from campaigns.models import Delivery, Webhook
from campaigns.services.hold_webhook import hold_webhook
from campaigns.telling import settle
from campaigns.webhooks import hurry_one

Status = Delivery.Status


@transaction.atomic
def resume_webhook(
    *, actor: User, webhook: Webhook, leave_out: bool = False, expected_version: int | None = None
) -> Webhook:
    """What happened meanwhile is sent in its order, or left out. One that is not paused stays as it is."""
    row = hold_webhook(webhook, actor=actor, expected_version=expected_version)
    if row.paused_at is None:
        return row
    waiting = row.deliveries.filter(status=Status.WAITING, by_hand=False)
    if leave_out:
        waiting.update(status=Status.SKIPPED)
    else:
        waiting.update(next_attempt=timezone.now())
    row.paused_at, row.reason, row.failures, row.changed = None, "", 0, timezone.now()
    row.save(update_fields=["paused_at", "reason", "failures", "changed"])
    settle(f"webhook-{row.pk}")
    hurry_one(row.pk)
    return row
