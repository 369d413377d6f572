"""What the campaign of a warband sets differently. The link is the campaign's: a warband only follows it back."""

from typing import Any

import msgspec
from django.db.models import Case, OuterRef, QuerySet, Subquery, Value, When

from rules.engine.settings import CampaignSettings
from warbands.models import Warband

READ = "campaign_overrides"
RUNNING_FIRST = Case(When(campaign__status="running", then=Value(0)), default=Value(1))


def settings_for(warband: Warband) -> CampaignSettings:
    """Of the campaign it is in, the newest running one first; the rulebook's where it is in none."""
    known = READ in warband.__dict__
    overrides = warband.__dict__[READ] if known else _places(warband.enrolments.all()).first()
    return msgspec.convert(overrides or {}, CampaignSettings, strict=False)


def with_settings(warbands: "QuerySet[Warband]") -> "QuerySet[Warband]":
    """The same, read with the warbands themselves: a page need not ask again."""
    enrolments: Any = Warband._meta.get_field("enrolments").related_model
    places = _places(enrolments.objects.filter(warband=OuterRef("pk")))
    return warbands.annotate(**{READ: Subquery(places[:1])})


def _places(enrolments: Any) -> Any:
    return enrolments.filter(left=None).order_by(RUNNING_FIRST, "-joined", "-pk").values_list(
        "campaign__overrides", flat=True
    )  # fmt: skip
