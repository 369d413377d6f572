"""A webhook goes elsewhere, hears of other things, or gets a new secret."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Webhook
from campaigns.services.add_webhook import checked_address, checked_kinds, new_secret, refuse_format, refuse_known
from campaigns.services.hold_webhook import hold_webhook
from rules.engine.errors import RuleViolation


def change_webhook(
    *,
    actor: User,
    webhook: Webhook,
    address: str,
    kind_of_format: str,
    kinds: Sequence[str] = (),
    new_key: bool = False,
    expected_version: int | None = None,
) -> tuple[Webhook, str]:
    """The webhook, and its new secret if one was asked for. What waits already is sent as it was meant to be."""
    address = checked_address(address)
    wanted = checked_kinds(kinds)
    refuse_format(kind_of_format)
    return _change(actor, webhook, address, kind_of_format, wanted, new_key, expected_version)


@transaction.atomic
def _change(
    actor: User,
    webhook: Webhook,
    address: str,
    kind_of_format: str,
    kinds: list[str],
    new_key: bool,
    version: int | None,
) -> tuple[Webhook, str]:
    row = hold_webhook(webhook, actor=actor, expected_version=version)
    if row.campaign.is_over:
        raise RuleViolation("campaign_over", _("%(name)s has ended. It stays as it is.") % {"name": row.campaign.name})
    refuse_known(row.campaign, address, but=row.pk)
    if row.address != address:
        row.failures = 0
    row.address, row.format, row.kinds = address, kind_of_format, kinds
    if new_key:
        row.secret = new_secret()
    row.changed = timezone.now()
    row.save(update_fields=["address", "format", "kinds", "secret", "failures", "changed"])
    return row, row.secret if new_key else ""
