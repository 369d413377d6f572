"""What stands in a calendar: battles with a date, dates on offer, deadlines of rounds."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Prefetch, QuerySet
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.access import Place
from campaigns.models import Battle, Campaign, DateProposal, Participation, Round

EARLIEST, LATEST = 2000, 2100
_MONTH = re.compile(r"(\d{4})-(\d{2})", re.ASCII)
OPEN = (Battle.State.PROPOSED, Battle.State.SCHEDULED)


@dataclass(frozen=True)
class Item:
    """One line of a day. `kind` is battle, offer or deadline."""

    when: datetime
    kind: str
    title: str
    note: str
    address: str
    mine: bool = False


@dataclass(frozen=True)
class Day:
    date: date
    items: Sequence[Item]
    is_today: bool

    @property
    def column(self) -> int:
        """1 is Monday."""
        return self.date.isoweekday()


@dataclass(frozen=True)
class Month:
    first: date
    days: Sequence[Day]
    undated: Sequence[Item]
    earlier: str
    later: str

    @property
    def is_empty(self) -> bool:
        return not any(day.items for day in self.days)


def read_month(place: Place, asked: str) -> Month:
    """The month that was asked for, or this one."""
    first = _first(asked)
    after = _step(first, 1)
    begin, end = _midnight(first), _midnight(after)
    items = sorted(_items(place, begin, end), key=lambda item: (item.when, item.title))
    return Month(
        first=first,
        days=list(_days(first, after, items)),
        undated=[_battle(battle, place, battle.created) for battle in _undated(place.campaign)],
        earlier=_written(_step(first, -1)),
        later=_written(after),
    )


def _first(asked: str) -> date:
    found = _MONTH.fullmatch(asked)
    if found and EARLIEST <= int(found[1]) < LATEST and 1 <= int(found[2]) <= 12:
        return date(int(found[1]), int(found[2]), 1)
    return timezone.localdate().replace(day=1)


def _step(first: date, months: int) -> date:
    number = first.year * 12 + first.month - 1 + months
    return date(number // 12, number % 12 + 1, 1)


def _written(first: date) -> str:
    """Empty where the calendar ends."""
    return f"{first:%Y-%m}" if EARLIEST <= first.year < LATEST else ""


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime(day.year, day.month, day.day))


def _days(first: date, after: date, items: Sequence[Item]) -> Iterator[Day]:
    today = timezone.localdate()
    for number in range((after - first).days):
        day = first + timedelta(days=number)
        yield Day(day, [item for item in items if timezone.localtime(item.when).date() == day], day == today)


# What there is --------------------------------------------------------------------------------------


def _items(place: Place, begin: datetime, end: datetime) -> Iterator[Item]:
    campaign = place.campaign
    battles = Battle.objects.filter(campaign=campaign, scheduled_for__gte=begin, scheduled_for__lt=end)
    for battle in with_sides(battles.exclude(state=Battle.State.VOID)):
        assert battle.scheduled_for is not None
        yield _battle(battle, place, battle.scheduled_for)
    undated = Battle.objects.filter(campaign=campaign, state__in=OPEN, scheduled_for=None).values("pk")
    offers = DateProposal.objects.filter(battle__in=undated, when__gte=begin, when__lt=end)
    for offer in offers.select_related("battle").prefetch_related(_sides("battle__participations")):
        yield _offer(offer, place)
    for one in campaign.rounds.exclude(state=Round.State.DRAFT).filter(deadline__gte=begin, deadline__lt=end):
        assert one.deadline is not None
        title = _("Round %(number)s ends") % {"number": one.number}
        yield Item(one.deadline, "deadline", title, _("deadline"), _address("round_page", campaign.pk, one.number))


def _undated(campaign: Campaign) -> QuerySet[Battle]:
    return with_sides(Battle.objects.filter(campaign=campaign, state__in=OPEN, scheduled_for=None).order_by("number"))


def with_sides(battles: QuerySet[Battle]) -> QuerySet[Battle]:
    return battles.prefetch_related(_sides("participations"))


def _sides(path: str) -> "Prefetch[str]":
    return Prefetch(path, Participation.objects.select_related("warband").order_by("position", "pk"))


def sides(battle: Battle) -> str:
    return ", ".join(part.warband.name for part in battle.participations.all())


def _is_mine(battle: Battle, place: Place) -> bool:
    return any(part.warband.owner_id == place.person.pk for part in battle.participations.all())


def _battle(battle: Battle, place: Place, when: datetime) -> Item:
    note = ", ".join(part for part in (_("battle %(number)s") % {"number": battle.number}, battle.place) if part)
    route = "battle" if battle.scheduled_for else "dates"
    address = _address(route, battle.campaign_id, battle.number)
    return Item(when, "battle", sides(battle), note, address, _is_mine(battle, place))


def _offer(offer: DateProposal, place: Place) -> Item:
    battle = offer.battle
    note = _("battle %(number)s, proposed") % {"number": battle.number}
    address = _address("dates", battle.campaign_id, battle.number)
    return Item(offer.when, "offer", sides(battle), note, address, _is_mine(battle, place))


def _address(route: str, *args: int) -> str:
    try:
        return reverse(route, args=args)
    except NoReverseMatch:
        return ""
