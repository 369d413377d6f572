"""When a campaign meets: its calendar, the dates of a battle, and calendars that other programs read."""

from datetime import datetime
from typing import Annotated, Literal

from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from msgspec import Meta

from api.call import Ask, Tagged, call
from api.paging import Listed, Page, listed
from api.problems import Fault, invalid
from api.shapes import In, Out, Person, Time, person_of
from campaigns.access import Place, battle_for, campaign_for, place_for
from campaigns.battles import for_those_in, standing_in
from campaigns.calendars import EARLIEST, LATEST, OPEN, read_month
from campaigns.calendars import Item as Entry
from campaigns.dates import MOST, DateShown, dates_of
from campaigns.models import Battle, CalendarFeed, Campaign, DateProposal, Membership
from campaigns.services.accept_date import accept_date
from campaigns.services.answer_date import answer_date
from campaigns.services.propose_dates import propose_dates
from campaigns.services.renew_feed import renew_feed
from campaigns.services.revoke_feed import revoke_feed
from campaigns.services.withdraw_date import withdraw_date


def sensible(when: datetime, where: str) -> datetime:
    """A time within what calendars show; beyond that there is no telling it in a time zone."""
    if not EARLIEST < when.year < LATEST:
        said = _("between the years %(first)s and %(last)s") % {"first": EARLIEST + 1, "last": LATEST - 1}
        raise invalid([Fault(where=where, message=said)])
    return when


# The calendar -----------------------------------------------------------------------------------------


class CalendarEntry(Out):
    """A battle with a date, a date on offer, or the deadline of a round. `address` is its page on the site."""

    when: Time
    kind: Literal["battle", "offer", "deadline"]
    title: str
    note: str
    mine: bool
    address: str


class CalendarMonth(Out):
    """A month of a campaign, and what has no date yet. `earlier` and `later` name the months beside it."""

    month: str
    entries: list[CalendarEntry]
    undated: list[CalendarEntry]
    earlier: str
    later: str


class MonthAsked(In):
    """As 2026-11; without one, this month."""

    month: Annotated[str, Meta(pattern=r"^$|^20[0-9]{2}-(0[1-9]|1[0-2])$")] = ""


@call("get", "campaigns/{campaign}/calendar", serves=("calendar",))
def read_calendar(ask: Ask, campaign: int, query: MonthAsked) -> CalendarMonth:
    """The calendar of a campaign, a month of it."""
    month = read_month(place_for(ask.person, campaign), query.month)
    return CalendarMonth(
        month=f"{month.first:%Y-%m}",
        entries=[_entry(item) for day in month.days for item in day.items],
        undated=[_entry(item) for item in month.undated],
        earlier=month.earlier,
        later=month.later,
    )


def _entry(item: Entry) -> CalendarEntry:
    return CalendarEntry(
        when=item.when, kind=item.kind, title=item.title, note=item.note, mine=item.mine, address=item.address  # type: ignore[arg-type]
    )  # fmt: skip


# The dates of a battle --------------------------------------------------------------------------------


class DateOffered(Out):
    """A date on offer: who can, who cannot, and who has not said. `mine` is your own answer."""

    id: int
    when: Time
    place: str
    by: Person
    can: list[str]
    cannot: list[str]
    open: list[str]
    mine: bool | None
    is_past: bool
    may_accept: bool
    may_withdraw: bool


class BattleDates(Out):
    """`settled` is the date that the battle has; `is_open` says whether dates are still looked for."""

    version: int
    settled: Time | None
    place: str
    is_open: bool
    may_act: bool
    dates: list[DateOffered]


class DatesWanted(In):
    """Dates that you offer; one is enough. Those that are on offer already stay as they are."""

    dates: Annotated[list[Time], Meta(min_length=1, max_length=MOST)]
    place: Annotated[str, Meta(max_length=120)] = ""


class DateAnswered(In):
    can: bool


def to_date(ask: Ask, campaign: int, number: int) -> Tagged:
    """A battle, for those who fight it and those who run its campaign."""
    found = battle_for(place_for(ask.person, campaign), number)
    for_those_in(found, ask.person)
    return _tagged(found)


def to_settle(ask: Ask, campaign: int, number: int, date: int) -> Tagged:
    """The battle of a date on offer."""
    return to_date(ask, campaign, number)


def _tagged(battle: Battle) -> Tagged:
    return Tagged(battle, battle.version, f"battle-{battle.pk}")


@call("get", "campaigns/{campaign}/battles/{number}/dates", serves=("dates",))
def read_dates(ask: Ask, campaign: int, number: int) -> BattleDates:
    """The dates that a battle has on offer, and who can.

    The ETag is that of the battle, and goes into `If-Match` of whoever settles on a date.
    """
    place = place_for(ask.person, campaign)
    return _dates(ask, place, battle_for(place, number))


def _dates(ask: Ask, place: Place, battle: Battle) -> BattleDates:
    standing = standing_in(battle, ask.person)
    ask.headers["ETag"] = _tagged(battle).etag
    return BattleDates(
        version=battle.version,
        settled=battle.scheduled_for,
        place=battle.place,
        is_open=battle.state in OPEN and place.may_change,
        may_act=standing.takes_part,
        dates=[_date(one) for one in dates_of(battle, ask.person, runs_it=standing.runs_it)],
    )


def _date(one: DateShown) -> DateOffered:
    row = one.proposal
    return DateOffered(
        id=row.pk, when=row.when, place=row.place, by=person_of(row.by), can=list(one.can), cannot=list(one.cannot),
        open=list(one.open), mine=one.mine, is_past=one.is_past, may_accept=one.may_accept,
        may_withdraw=one.may_withdraw,
    )  # fmt: skip


def _after(ask: Ask, campaign: int, number: int) -> BattleDates:
    place = place_for(ask.person, campaign)
    return _dates(ask, place, battle_for(place, number))


@call(
    "post",
    "campaigns/{campaign}/battles/{number}/dates",
    tag=to_date,
    example={"dates": ["2026-12-03T19:00:00+01:00"], "place": "At Marek's"},
    serves=("dates",),
)
def offer_dates(ask: Ask, campaign: int, number: int, body: DatesWanted) -> BattleDates:
    """Offer dates for a battle; the others are told."""
    dates = [sensible(when, f"$.dates[{place}]") for place, when in enumerate(body.dates)]
    propose_dates(
        actor=ask.person, battle=ask.thing, dates=dates, place=body.place, expected_version=ask.expected_version
    )
    return _after(ask, campaign, number)


def _offered(battle: Battle, pk: int) -> DateProposal:
    found = get_object_or_404(battle.dates, pk=pk)
    found.battle = battle
    return found


@call(
    "put",
    "campaigns/{campaign}/battles/{number}/dates/{date}/answer",
    tag=to_settle,
    example={"can": True},
    serves=("dates",),
)
def answer_offered_date(ask: Ask, campaign: int, number: int, date: int, body: DateAnswered) -> BattleDates:
    """Say whether you can come on a date; answering again changes the answer."""
    proposal = _offered(ask.thing, date)
    answer_date(actor=ask.person, proposal=proposal, can=body.can, expected_version=ask.expected_version)
    return _after(ask, campaign, number)


@call(
    "post",
    "campaigns/{campaign}/battles/{number}/dates/{date}/acceptance",
    tag=to_settle,
    serves=("dates",),
)
def accept_offered_date(ask: Ask, campaign: int, number: int, date: int) -> BattleDates:
    """Settle on a date: whoever offered it once everybody can, who runs the campaign at any time."""
    accept_date(actor=ask.person, proposal=_offered(ask.thing, date), expected_version=ask.expected_version)
    return _after(ask, campaign, number)


@call(
    "delete",
    "campaigns/{campaign}/battles/{number}/dates/{date}",
    tag=to_settle,
    serves=("dates",),
)
def withdraw_offered_date(ask: Ask, campaign: int, number: int, date: int) -> None:
    """Take a date back that you offered, or any in a campaign that you run."""
    withdraw_date(actor=ask.person, proposal=_offered(ask.thing, date), expected_version=ask.expected_version)


# Calendars for other programs -------------------------------------------------------------------------


class CalendarAddress(Out):
    """A calendar that other programs read: of one campaign, or of all your battles if `campaign` is null.

    Whoever knows `address` reads it; it is empty while there is none.
    """

    campaign: int | None
    name: str
    address: str
    made: Time | None


class CalendarsAsked(Listed):
    """Which part of them."""


@call("get", "calendars", serves=("calendar_feeds", "feed"))
def list_calendars(ask: Ask, query: CalendarsAsked) -> Page[CalendarAddress]:
    """The addresses of your calendars: of everything, and of each campaign."""
    feeds = {feed.campaign_id: feed for feed in CalendarFeed.objects.filter(person=ask.person)}
    mine = Membership.objects.filter(person=ask.person).select_related("campaign").order_by("campaign__name", "pk")
    campaigns: list[Campaign | None] = [None, *(one.campaign for one in mine)]
    return listed([_calendar(ask, one, feeds.get(one.pk if one else None)) for one in campaigns], query)


def _calendar(ask: Ask, campaign: Campaign | None, feed: CalendarFeed | None) -> CalendarAddress:
    return CalendarAddress(
        campaign=campaign.pk if campaign else None,
        name=campaign.name if campaign else _("All your battles"),
        address=str(ask.request.build_absolute_uri(reverse("feed", args=[feed.token]))) if feed else "",
        made=feed.made if feed else None,
    )


@call("post", "calendars/all", serves=("calendar_feeds",))
def renew_calendar(ask: Ask) -> CalendarAddress:
    """Make an address of the calendar of all your battles; the one before it leads nowhere from now on."""
    return _calendar(ask, None, renew_feed(actor=ask.person))


@call("delete", "calendars/all", serves=("calendar_feeds",))
def revoke_calendar(ask: Ask) -> None:
    """Let the address of the calendar of all your battles lead nowhere any more."""
    revoke_feed(actor=ask.person)


@call("post", "campaigns/{campaign}/calendar/address", serves=("calendar_feeds",))
def renew_campaign_calendar(ask: Ask, campaign: int) -> CalendarAddress:
    """Make an address of your calendar of one campaign; the one before it leads nowhere from now on."""
    there = campaign_for(ask.person, campaign)
    return _calendar(ask, there, renew_feed(actor=ask.person, campaign=there))


@call("delete", "campaigns/{campaign}/calendar/address", serves=("calendar_feeds",))
def revoke_campaign_calendar(ask: Ask, campaign: int) -> None:
    """Let the address of your calendar of one campaign lead nowhere any more."""
    revoke_feed(actor=ask.person, campaign=campaign_for(ask.person, campaign))
