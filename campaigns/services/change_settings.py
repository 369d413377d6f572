"""Those who run a campaign settle how it is played. Each change stands in the chronicle."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

import msgspec
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Campaign
from campaigns.models.campaign import new_token
from campaigns.people import lock_open, refuse_unless_runs
from campaigns.services.create_campaign import checked_motto, checked_name
from campaigns.services.touch_campaign import touch_campaign
from campaigns.setting_rules import refuse_wrong
from campaigns.setting_words import WORDS, rules_of, said, values_of
from campaigns.settings import House, stored, stored_settings
from campaigns.telling import tell
from rules.engine.errors import RuleViolation
from rules.engine.pack.load import STANDARD
from rules.engine.settings import CampaignSettings

Visibility = Campaign.Visibility


class StaleSettings(RuleViolation):
    """Somebody else changed them first; `current` is the stamp that counts now."""

    def __init__(self, current: str) -> None:
        sentence = _("Somebody changed the settings since you opened the page. Look at them, then save again.")
        super().__init__("stale", sentence)
        self.current = current


@dataclass(frozen=True)
class Changed:
    """One setting, before and after."""

    name: str
    was: Any
    now: Any

    @property
    def label(self) -> str:
        return str(WORDS[self.name].label)

    @property
    def before(self) -> str:
        return said(self.name, self.was)

    @property
    def after(self) -> str:
        return said(self.name, self.now)


def stamp_of(campaign: Campaign) -> str:
    """Changes with any setting, and with nothing else."""
    values = [campaign.name, campaign.motto, campaign.visibility, campaign.house, campaign.overrides]
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]


def changes(
    campaign: Campaign, *, name: str, motto: str, visibility: str, house: House, overrides: CampaignSettings
) -> list[Changed]:
    """What would be different."""
    old = values_of(campaign)
    new = {"name": name, "motto": motto, "visibility": visibility} | rules_of(house, overrides)
    return [Changed(key, old[key], value) for key, value in new.items() if value != old[key]]


@transaction.atomic
def change_settings(
    *,
    actor: User,
    campaign: Campaign,
    name: str,
    motto: str,
    visibility: str,
    house: House,
    overrides: CampaignSettings,
    stamp: str = "",
) -> list[Changed]:
    row = lock_open(campaign)
    refuse_unless_runs(row, actor)
    if stamp and stamp != stamp_of(row):
        raise StaleSettings(stamp_of(row))
    if visibility not in Visibility.values:
        raise RuleViolation("setting.visibility", _("Members, whoever has the link, or everybody."))
    house = _with_own_packs(house, row)
    refuse_wrong(house, overrides)
    name, motto = checked_name(name), checked_motto(motto)
    made = changes(row, name=name, motto=motto, visibility=visibility, house=house, overrides=overrides)
    row.name, row.motto, row.visibility = name, motto, visibility
    row.house, row.overrides = stored(house), stored_settings(overrides, house)
    row.link_token = _token(row)
    row.save(update_fields=["name", "motto", "visibility", "house", "overrides", "link_token"])
    for one in made:
        tell(
            campaign=row, kind="setting_changed", actor=actor, key=one.name, setting=one.label, before=one.before,
            after=one.after,
        )  # fmt: skip
    if made:
        touch_campaign(campaign=row)
    return made


def _with_own_packs(house: House, campaign: Campaign) -> House:
    """Editions of game masters' packs come and go by `use_edition` alone, which looks at what they would change."""
    of_the_site = {name: version for name, version in house.packs.items() if name in STANDARD}
    own = {name: version for name, version in campaign.house_rules.packs.items() if name not in STANDARD}
    return msgspec.structs.replace(house, packs=of_the_site | own)


def _token(campaign: Campaign) -> str | None:
    """A link that was shut stays shut: the next one is another."""
    if campaign.visibility == Visibility.PRIVATE:
        return None
    return campaign.link_token or new_token()
