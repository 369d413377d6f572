"""A webhook is removed, with its log and what it had still to send."""

from django.db import transaction

from accounts.models import User
from campaigns.models import Webhook
from campaigns.services.hold_webhook import hold_webhook


@transaction.atomic
def remove_webhook(*, actor: User, webhook: Webhook, expected_version: int | None = None) -> None:
    row = hold_webhook(webhook, actor=actor, expected_version=expected_version)
    campaign = row.campaign
    row.delete()
    campaign.has_webhooks = campaign.webhooks.exists()
    campaign.save(update_fields=["has_webhooks"])
