"""The chronicle as it is read: newest first, by day, filtered, a page at a time.

A page is known by the event it begins with, so its address shows the same events however many follow.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import groupby
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.safestring import SafeString

from campaigns.chronicle import GROUPS, group_of, kinds_in, names_its_battle, sentence
from campaigns.models import Battle, Campaign, Event, Story
from warbands import lore

PAGE = 40
FILTERS = ("kind", "warband", "battle", "person")
LONGEST_KEY = 18
"""Digits: every number of so many fits into a key."""


@dataclass(frozen=True)
class Told:
    """An event with its words, and the story that it tells of."""

    event: Event
    story: Story | None = None
    linked: bool = True

    @property
    def sentence(self) -> SafeString:
        return sentence(self.event, linked=self.linked)

    @property
    def text(self) -> SafeString | str:
        """What somebody wrote: an announcement or a story, made harmless."""
        if self.story is not None:
            return lore.rendered(self.story.text)
        return lore.rendered(self.event.data["text"]) if self.event.kind == "announcement" else ""

    @property
    def beside(self) -> Battle | None:
        """The battle, where the sentence does not name it."""
        return None if names_its_battle(self.event) else self.event.battle

    @property
    def is_void(self) -> bool:
        battle = self.event.battle
        return battle is not None and battle.state == Battle.State.VOID and not self.event.kind.startswith("battle")

    @property
    def group(self) -> str | Promise:
        return GROUPS[group_of(self.event.kind)][0]


@dataclass(frozen=True)
class Day:
    date: date
    events: Sequence[Told]


@dataclass(frozen=True)
class Choices:
    """What the filters offer, and what is chosen."""

    campaign: Campaign
    asked: Mapping[str, str]

    @property
    def kinds(self) -> list[tuple[str, str | Promise]]:
        return [(key, label) for key, (label, _starts) in GROUPS.items()]

    @cached_property
    def warbands(self) -> list[tuple[str, str]]:
        rows = self.campaign.enrolments.order_by("warband__name").values_list("warband_id", "warband__name")
        return [(str(key), name) for key, name in rows]

    @cached_property
    def battles(self) -> list[str]:
        return [str(number) for number in self.campaign.battles.order_by("-number").values_list("number", flat=True)]

    @cached_property
    def people(self) -> list[tuple[str, str]]:
        rows = self.campaign.memberships.order_by("person__name").values_list("person_id", "person__name")
        return [(str(key), name) for key, name in rows]


@dataclass(frozen=True)
class ChroniclePage:
    days: Sequence[Day]
    choices: Choices
    newer: str = ""
    older: str = ""
    """Queries that lead on; empty at the ends."""
    asked: Mapping[str, str] = field(default_factory=dict)


def read_chronicle(campaign: Campaign, query: Mapping[str, str], *, linked: bool = True) -> ChroniclePage:
    """As many queries whatever there is to tell: events with their neighbours, stories, and the choices."""
    asked = {name: query[name] for name in FILTERS if query.get(name)}
    found = filtered(campaign, asked)
    if since := _event(campaign, query.get("since", "")):
        events = list(found.filter(_newer(since)).order_by("time", "pk")[: PAGE + 1])
        more, events = len(events) > PAGE, events[:PAGE][::-1]
        newer, older = (events[0].pk if more else 0), since.pk
    else:
        until = _event(campaign, query.get("until", ""))
        events = list((found.filter(~_newer(until)) if until else found)[: PAGE + 1])
        older = events[PAGE].pk if len(events) > PAGE else 0
        events = events[:PAGE]
        newer = until.pk if until and found.filter(_newer(until)).exists() else 0
    return ChroniclePage(
        days=list(_days(told(events, linked=linked))),
        choices=Choices(campaign, asked),
        newer=urlencode(asked | {"since": newer}) if newer else "",
        older=urlencode(asked | {"until": older}) if older else "",
        asked=asked,
    )


def latest_events(campaign: Campaign, count: int = 5, *, linked: bool = True) -> list[Told]:
    """For the page of the campaign."""
    return told(filtered(campaign, {})[:count], linked=linked)


def events_of(battle: Battle) -> list[Told]:
    """All that is told of a battle, oldest first; its stories stand elsewhere on its page."""
    rows = battle.events.exclude(kind="story_told").select_related("warband", "battle").order_by("time", "pk")
    return [Told(event) for event in rows]


def told(events: Iterable[Event], *, linked: bool = True) -> list[Told]:
    rows = list(events)
    keys = [event.data.get("story") for event in rows if event.kind == "story_told"]
    stories = Story.objects.in_bulk([key for key in keys if key]) if keys else {}
    return [Told(event, stories.get(event.data.get("story", 0)), linked) for event in rows]


def _days(events: Iterable[Told]) -> Iterable[Day]:
    for day, group in groupby(events, key=lambda one: timezone.localtime(one.event.time).date()):
        yield Day(day, list(group))


def _newer(event: Event) -> Q:
    return Q(time__gt=event.time) | Q(time=event.time, pk__gt=event.pk)


def _event(campaign: Campaign, key: str) -> Event | None:
    number = _number(key)
    return campaign.events.filter(pk=number).first() if number else None


def _number(text: str) -> int:
    """Nothing for what is no number, or larger than any key."""
    whole = text.isascii() and text.isdecimal() and len(text) <= LONGEST_KEY
    return int(text) if whole else 0


def filtered(campaign: Campaign, asked: Mapping[str, str]) -> QuerySet[Event]:
    found = campaign.events.select_related("battle", "warband").order_by("-time", "-pk")
    if kind := asked.get("kind"):
        found = found.filter(kind__in=kinds_in(kind))
    if warband := asked.get("warband"):
        found = found.filter(_about_warband(_number(warband)))
    if battle := asked.get("battle"):
        found = found.filter(battle__number=min(_number(battle), 2**31 - 1))
    if person := asked.get("person"):
        found = found.filter(actor_id=_number(person))
    return found


def _about_warband(key: int) -> Q:
    """What is told of it alone, and of the battles that it fought."""
    in_battle = Battle.objects.filter(participations__warband_id=key).values("pk")
    return Q(warband_id=key) | Q(warband=None, battle_id__in=in_battle)
