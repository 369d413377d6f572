"""Those who run a campaign have an address elsewhere told what happens in it."""

import secrets
from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Campaign, Webhook
from campaigns.people import lock_open, refuse_unless_runs
from campaigns.posting import looked_up, target_of
from campaigns.webhooks import all_kinds
from rules.engine.errors import RuleViolation

MOST_WEBHOOKS = 10
PREFIX = "whsec_"


def add_webhook(
    *, actor: User, campaign: Campaign, address: str, kind_of_format: str, kinds: Sequence[str] = ()
) -> tuple[Webhook, str]:
    """The webhook, and its secret, which is shown this once. The host is looked up before anything is locked."""
    address = checked_address(address)
    wanted = checked_kinds(kinds)
    refuse_format(kind_of_format)
    return _add(actor, campaign, address, kind_of_format, wanted)


@transaction.atomic
def _add(actor: User, campaign: Campaign, address: str, kind_of_format: str, kinds: list[str]) -> tuple[Webhook, str]:
    row = lock_open(campaign)
    refuse_unless_runs(row, actor)
    if row.webhooks.count() >= MOST_WEBHOOKS:
        said = _("A campaign has at most %(most)s webhooks. Remove one first.") % {"most": MOST_WEBHOOKS}
        raise RuleViolation("too_many_webhooks", said)
    refuse_known(row, address)
    made = Webhook.objects.create(
        campaign=row, address=address, format=kind_of_format, kinds=kinds, made_by=actor, secret=new_secret()
    )
    row.has_webhooks = True
    row.save(update_fields=["has_webhooks"])
    return made, made.secret


def new_secret() -> str:
    return PREFIX + secrets.token_urlsafe(32)


def checked_address(address: str) -> str:
    address = address.strip()
    looked_up(target_of(address))
    return address


def checked_kinds(kinds: Sequence[str]) -> list[str]:
    """Each once, in the order in which we list them."""
    known = [kind.name for kind in all_kinds()]
    unknown = sorted(set(kinds) - set(known))
    if unknown:
        said = _("There is no kind of event called %(name)s.") % {"name": unknown[0]}
        raise RuleViolation("unknown_kind", said)
    return [name for name in known if name in kinds]


def refuse_format(kind_of_format: str) -> None:
    if kind_of_format not in Webhook.Format.values:
        raise RuleViolation("unknown_format", _("The format is JSON or Discord."))


def refuse_known(campaign: Campaign, address: str, *, but: int = 0) -> None:
    if campaign.webhooks.filter(address=address).exclude(pk=but).exists():
        raise RuleViolation("webhook_known", _("This address has a webhook in this campaign already."))
