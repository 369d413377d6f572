"""What each act on a webhook does first: it is there, and whoever acts runs its campaign."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.locks import lock_campaign
from campaigns.models import Webhook
from campaigns.people import refuse_unless_runs
from rules.engine.errors import RuleViolation


def hold_webhook(webhook: Webhook, *, actor: User, expected_version: int | None = None) -> Webhook:
    """Its row, locked after its campaign. Also in a campaign that has ended: what is sent from it is still theirs."""
    assert transaction.get_connection().in_atomic_block
    campaign = lock_campaign(webhook.campaign_id)
    refuse_unless_runs(campaign, actor)
    row = Webhook.objects.select_for_update(no_key=True).filter(pk=webhook.pk).first()
    if row is None:
        raise RuleViolation("webhook_gone", _("This webhook was removed."))
    row.campaign = campaign
    if expected_version is not None and expected_version != row.version:
        raise RuleViolation("stale", _("Somebody changed this webhook since you opened it. Look at it again."))
    return row
