"""The search over all ledgers that a person may see: by person, campaign, fighter, time and kind of change."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminSingleDateWidget,
    UnfoldAdminTextInputWidget,
)

from accounts.models import User
from campaigns.models import Campaign, Deed, Enrolment
from panel.exports import safe_cell
from panel.scope import is_operator, visible
from warbands.models import Fighter, LedgerEntry, Warband
from warbands.names import Names, foes, mentioned, referred
from warbands.sentences import sentence
from warbands.timeline import FILTERS, about

PAGE = 50
MOST_FOUND = 50
"""People, campaigns and fighters that a name may mean; with more of them it has to be a longer name."""
DAYS = 30
"""How far back it looks where nobody says who, where or when."""


class AuditForm(forms.Form):
    who = forms.CharField(
        label=gettext_lazy("Person"), max_length=80, required=False, widget=UnfoldAdminTextInputWidget
    )
    campaign = forms.CharField(
        label=gettext_lazy("Campaign"), max_length=80, required=False, widget=UnfoldAdminTextInputWidget
    )
    fighter = forms.CharField(
        label=gettext_lazy("Fighter"), max_length=80, required=False, widget=UnfoldAdminTextInputWidget
    )
    kind = forms.ChoiceField(label=gettext_lazy("Kind of change"), required=False, widget=UnfoldAdminSelectWidget)
    since = forms.DateField(label=gettext_lazy("From"), required=False, widget=UnfoldAdminSingleDateWidget)
    until = forms.DateField(label=gettext_lazy("Until"), required=False, widget=UnfoldAdminSingleDateWidget)
    before = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = [(key, str(label)) for key, (label, _query) in FILTERS.items()]
        self.fields["kind"].choices = [("", _("all")), *kinds]  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Line:
    entry: LedgerEntry
    text: str


@dataclass(frozen=True)
class Found:
    lines: list[Line]
    older: int | None
    """The entry below which the next page begins."""


COLUMNS = (
    gettext_lazy("When"), gettext_lazy("Warband"), gettext_lazy("Change"), gettext_lazy("Cause"),
    gettext_lazy("Battle"), gettext_lazy("Who"),
)  # fmt: skip
AT_ONCE, MOST_EXPORTED = 500, 20_000


def rows(person: User, wanted: dict[str, Any]) -> Iterator[list[str]]:
    """What is found as lines of a sheet, the newest first, some hundreds at a time."""
    yield [str(column) for column in COLUMNS]
    asked, done = {**wanted, "before": None}, 0
    while done < MOST_EXPORTED:
        found = search(person, asked, AT_ONCE)
        for line in found.lines:
            entry = line.entry
            cells = (entry.warband.name, line.text, entry.cause, entry.battle, entry.who)
            yield [entry.time.isoformat(timespec="seconds"), *(safe_cell(str(cell)) for cell in cells)]
        if found.older is None:
            return
        asked["before"], done = found.older, done + AT_ONCE


def search(person: User, wanted: dict[str, Any], size: int) -> Found:
    """One page, newest first, by a number of queries that does not depend on what is found."""
    rows = visible(LedgerEntry, person).filter(_asked(person, wanted)).order_by("-pk")
    if wanted.get("before"):
        rows = rows.filter(pk__lt=wanted["before"])
    entries = list(rows.select_related("warband", "actor").defer("inverse", "rolls")[: size + 1])
    page = entries[:size]
    names = _names(page)
    lines = [Line(entry, sentence(entry.change, names[entry.warband_id])) for entry in page]
    return Found(lines, page[-1].pk if len(entries) > size else None)


def _asked(person: User, wanted: dict[str, Any]) -> Q:
    query = Q()
    if wanted.get("who"):
        query &= Q(actor__in=_people(person, wanted["who"]))
    if wanted.get("campaign"):
        query &= Q(warband__in=_warbands_of(person, wanted["campaign"]))
    if wanted.get("fighter"):
        query &= _about_fighters(person, wanted["fighter"])
    if wanted.get("kind"):
        query &= FILTERS[wanted["kind"]][1]
    return query & _between(wanted)


def _between(wanted: dict[str, Any]) -> Q:
    since, until = wanted.get("since"), wanted.get("until")
    if not since and not any(wanted.get(name) for name in ("who", "campaign", "fighter")):
        since = (until or timezone.localdate()) - timedelta(days=DAYS)
    query = Q(time__gte=_midnight(since)) if since else Q()
    return query & Q(time__lt=_midnight(until + timedelta(days=1))) if until else query


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))


def _people(person: User, text: str) -> list[int]:
    """A game master finds people by name only, and only whose deeds are in scope anyway."""
    named = Q(name__icontains=text) | (Q(email__iexact=text) if is_operator(person) else Q())
    known = User.objects.filter(named)
    if not is_operator(person):
        known = known.filter(memberships__campaign__in=visible(Campaign, person).order_by().values("pk")).distinct()
    return list(known.order_by("pk").values_list("pk", flat=True)[:MOST_FOUND])


def _warbands_of(person: User, text: str) -> QuerySet[Any]:
    campaigns = visible(Campaign, person).filter(name__icontains=text).order_by().values("pk")
    return Enrolment.objects.filter(campaign__in=campaigns).values("warband_id")


def _about_fighters(person: User, text: str) -> Q:
    """Those on a roster, and the fallen by the lines of the reports that name them."""
    mine = visible(Warband, person).order_by().values("pk")
    living = Fighter.objects.filter(warband__in=mine, name__icontains=text).order_by()
    fallen = Deed.objects.filter(participation__warband__in=mine, name__icontains=text).order_by()
    keys = {*living.values_list("warband_id", "key")[:MOST_FOUND]}
    keys |= {*fallen.values_list("participation__warband_id", "fighter").distinct()[:MOST_FOUND]}
    query = Q(pk__in=[])
    for warband, key in sorted(keys):
        query |= Q(warband=warband) & about(key)
    return query


def _names(entries: Iterable[LedgerEntry]) -> dict[int, Names]:
    """As `warbands.names.names_of`, for all warbands of a page at once."""
    page = list(entries)
    keys = {entry.warband_id for entry in page}
    own: dict[int, dict[str, str]] = defaultdict(dict)
    gone = LedgerEntry.objects.filter(warband__in=keys, change__event="FighterVanquished").order_by("sequence")
    for warband, key, name in gone.values_list("warband", "change__fighter__id", "change__fighter__name"):
        own[warband][key] = name
    for warband, key, name in Fighter.objects.filter(warband__in=keys).values_list("warband", "key", "name"):
        own[warband][key] = name
    others = foes(referred(text for entry in page for text in mentioned(entry.change)))
    return {key: Names(own[key], others) for key in keys}
