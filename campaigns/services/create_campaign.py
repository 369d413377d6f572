"""Somebody calls for a campaign and is its game master."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Campaign, Membership
from campaigns.setting_rules import refuse_wrong
from campaigns.settings import House, stored, stored_settings
from campaigns.telling import tell
from rules.engine.errors import RuleViolation
from rules.engine.settings import CampaignSettings
from rules.texts import plain_line

LONGEST_NAME, LONGEST_MOTTO = 80, 200


def checked_name(name: str) -> str:
    tidy = plain_line(name)
    if not tidy:
        raise RuleViolation("no_name", _("A campaign needs a name."))
    if len(tidy) > LONGEST_NAME:
        raise RuleViolation("name_too_long", _("A name has at most %(most)s letters.") % {"most": LONGEST_NAME})
    return tidy


def checked_motto(motto: str) -> str:
    tidy = plain_line(motto)
    if len(tidy) > LONGEST_MOTTO:
        raise RuleViolation("motto_too_long", _("A motto has at most %(most)s letters.") % {"most": LONGEST_MOTTO})
    return tidy


@transaction.atomic
def create_campaign(
    *,
    actor: User,
    name: str,
    motto: str = "",
    kind: str = Campaign.Kind.OPEN,
    house: House | None = None,
    overrides: CampaignSettings | None = None,
) -> Campaign:
    house, overrides = house or House(), overrides or CampaignSettings()
    if kind not in Campaign.Kind.values:
        raise RuleViolation("no_such_kind", _("There is no such kind of campaign."))
    refuse_wrong(house, overrides)
    campaign = Campaign.objects.create(
        name=checked_name(name), motto=checked_motto(motto), kind=kind, house=stored(house),
        overrides=stored_settings(overrides, house),
    )  # fmt: skip
    Membership.objects.create(campaign=campaign, person=actor, role=Membership.Role.GM)
    tell(campaign=campaign, kind="campaign_created", actor=actor)
    return campaign
