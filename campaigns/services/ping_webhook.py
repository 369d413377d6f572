"""A message that tells of nothing, to see whether it arrives."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Delivery, Webhook
from campaigns.services.hold_webhook import hold_webhook
from campaigns.webhooks import PING, hurry_one
from rules.engine.errors import RuleViolation


@transaction.atomic
def ping_webhook(*, actor: User, webhook: Webhook) -> Delivery:
    """Also while it is paused: somebody wants to know whether it would go on."""
    row = hold_webhook(webhook, actor=actor)
    if row.deliveries.filter(kind=PING, status=Delivery.Status.WAITING).exists():
        raise RuleViolation("ping_waits", _("A test is on its way already."))
    made = Delivery.objects.create(webhook=row, kind=PING, by_hand=True)
    hurry_one(row.pk)
    return made
