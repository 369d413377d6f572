"""What the campaign of a warband sets differently, and which packs it plays with.

The link is the campaign's: a warband only follows it back.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db.models import Case, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import JSONObject

from rules.editions import Pins, pack_with, pins_of
from rules.engine.pack.schema import Pack
from rules.engine.settings import CampaignSettings
from rules.terms import settings_with
from warbands.models import Warband

READ = "campaign_terms"
STILL_IN_FIRST = Case(When(left=None, then=Value(0)), default=Value(1))
RUNNING_FIRST = Case(When(campaign__status="running", then=Value(0)), default=Value(1))


class Terms(NamedTuple):
    """What a warband is read with."""

    settings: CampaignSettings
    pack: Pack


def terms_for(warband: Warband) -> Terms:
    """Settings of the campaign it is in, the newest running one first; the rulebook's where it is in none.

    The packs stay with whoever leaves a campaign: what a warband brought along is explained by nothing else.
    """
    known = READ in warband.__dict__
    place = warband.__dict__[READ] if known else _places(warband.enrolments.all()).first()
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
    enrolments: Any = Warband._meta.get_field("enrolments").related_model
    places = _places(enrolments.objects.filter(warband=OuterRef("pk")))
    return warbands.annotate(**{READ: Subquery(places[:1])})


def _places(enrolments: Any) -> Any:
    terms = JSONObject(left="left", overrides="campaign__overrides", house="campaign__house")
    return enrolments.order_by(STILL_IN_FIRST, RUNNING_FIRST, "-joined", "-pk").values_list(terms, flat=True)
