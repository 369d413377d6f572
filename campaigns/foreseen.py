"""A preview that can be confirmed: the order, its reason, its seed and the version of the warband, signed.

What is confirmed is just what was shown; nobody chooses the dice of it, and nobody confirms it for another warband.
"""

import secrets
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core import signing
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Campaign
from campaigns.services.intervene import Foreseen, foresee, intervene_in, read_order
from rules.engine.errors import RuleViolation
from warbands.models import Warband
from warbands.services.void import checked_reason

SALT = "campaigns.intervene"
LASTS = 6 * 3600
"""Seconds after which a preview is too old to be confirmed."""


@dataclass(frozen=True)
class Sealed:
    seen: Foreseen
    reason: str
    token: str


def seal(campaign: Campaign, warband: Warband, order: dict[str, Any], reason: str) -> Sealed:
    """Refused where the order itself would be."""
    why = checked_reason(reason)
    seed = secrets.token_hex(16)
    seen = foresee(campaign=campaign, warband=warband, order=read_order(order), seed=seed)
    kept = {
        "campaign": campaign.pk, "warband": warband.pk, "order": order, "seed": seed, "version": warband.version,
        "reason": why,
    }  # fmt: skip
    return Sealed(seen, why, signing.dumps(kept, salt=SALT))


def do_sealed(*, actor: User, campaign: Campaign, warband: Warband, token: str) -> UUID:
    """If the warband is still as it was then."""
    kept = _kept(token)
    if (kept.get("campaign"), kept.get("warband")) != (campaign.pk, warband.pk):
        raise RuleViolation("no_preview", _("This preview is too old, or not of this warband. Choose again."))
    return intervene_in(
        actor=actor, campaign=campaign, warband=warband, order=read_order(kept["order"]), reason=kept["reason"],
        seed=kept["seed"], expected_version=kept["version"],
    )  # fmt: skip


def _kept(token: str) -> dict[str, Any]:
    try:
        kept: dict[str, Any] = signing.loads(token, salt=SALT, max_age=LASTS)
    except signing.BadSignature:
        return {}
    return kept
