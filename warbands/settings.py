"""What the campaign of a warband sets differently, and which packs it plays with.

The link is the campaign's: a warband only follows it back.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db.models import JSONField, QuerySet
from django.db.models.expressions import RawSQL

from rules.editions import Pins, pack_with, pins_of
from rules.engine.pack.schema import Pack
from rules.engine.settings import CampaignSettings
from rules.terms import settings_with
from warbands.models import Warband

READ = "campaign_terms"
TERMS = """(
SELECT jsonb_build_object('left', e."left", 'overrides', c.overrides, 'house', c.house)
FROM campaigns_enrolment e JOIN campaigns_campaign c ON c.id = e.campaign_id
WHERE e.warband_id = warbands_warband.id
ORDER BY e."left" IS NOT NULL, c.status <> 'running', e.joined DESC, e.id DESC LIMIT 1
)"""
"""A column of a statement about warbands: of the place that it still has, of one that is running, of the newest."""


class Terms(NamedTuple):
    """What a warband is read with."""

    settings: CampaignSettings
    pack: Pack


def terms_for(warband: Warband) -> Terms:
    """Settings of the campaign it is in, the newest running one first; the rulebook's where it is in none.

    The packs stay with whoever leaves a campaign: what a warband brought along is explained by nothing else.
    """
    known = READ in warband.__dict__
    place = warband.__dict__[READ] if known else _read(warband)
    terms: Mapping[str, Any] = place or warband.founded_for
    overrides = terms.get("overrides") if terms.get("left") is None else None
    pins = pins_of((terms.get("house") or {}).get("packs") or {})
    return Terms(settings_with(overrides or {}, pins), pack_with(pins))


def founding_settings(warband: Warband) -> CampaignSettings:
    """What a draft is founded by: that of the campaign it is for, as it was when it was begun."""
    return settings_with(warband.founded_for.get("overrides", {}), founding_pins(warband))


def founding_pins(warband: Warband) -> Pins:
    """The packs of game masters that the campaign which it is for played with then."""
    return pins_of((warband.founded_for.get("house") or {}).get("packs") or {})


def founding_terms(warband: Warband) -> Terms:
    """What a draft is built by. It is in no campaign yet, so nothing is asked of the database."""
    return Terms(founding_settings(warband), pack_with(founding_pins(warband)))


def settings_for(warband: Warband) -> CampaignSettings:
    return terms_for(warband).settings


def pack_for(warband: Warband) -> Pack:
    return terms_for(warband).pack


def with_settings(warbands: "QuerySet[Warband]") -> "QuerySet[Warband]":
    """The same, read with the warbands themselves: a page need not ask again."""
    return warbands.annotate(**{READ: RawSQL(TERMS, (), JSONField())})  # noqa: S611


def _read(warband: Warband) -> Any:
    return with_settings(Warband.objects.filter(pk=warband.pk)).values_list(READ, flat=True).first()
