"""A calendar feed: what it shows to its person now."""

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Q, QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns import ical
from campaigns.calendars import sides, with_sides
from campaigns.models import Battle, CalendarFeed, Membership, Round

LENGTH = timedelta(hours=3)
"""How long a battle keeps people busy, for calendars that want to know."""
PAST = timedelta(days=120)


def feed_of(token: str) -> CalendarFeed:
    """For whoever has the address, as long as its person may see what it shows."""
    found = CalendarFeed.objects.select_related("person", "campaign").filter(token=token, person__is_active=True)
    feed = found.first()
    if feed is None or (feed.campaign_id and not _memberships(feed).exists()):
        raise Http404
    return feed


def _memberships(feed: CalendarFeed) -> QuerySet[Membership]:
    mine = Membership.objects.filter(person=feed.person_id)
    return mine.filter(campaign=feed.campaign_id) if feed.campaign_id else mine


def calendar_text(feed: CalendarFeed, site: str) -> str:
    """`site` is the address before the path, such as https://aftermath.example."""
    name = feed.campaign.name if feed.campaign else _("Aftermath: your battles")
    return ical.written(name, _entries(feed, site), now=timezone.now())


def _entries(feed: CalendarFeed, site: str) -> Iterator[ical.Entry]:
    host = site.partition("//")[2]
    campaigns = _memberships(feed).values("campaign_id")
    since = timezone.now() - PAST
    for battle in _battles(feed).filter(campaign__in=campaigns, scheduled_for__gte=since).order_by("scheduled_for"):
        yield _battle(battle, site, host)
    rounds = Round.objects.filter(campaign__in=campaigns, deadline__gte=since).exclude(state=Round.State.DRAFT)
    for one in rounds.select_related("campaign").order_by("deadline", "pk"):
        yield _deadline(one, site, host)


def _battles(feed: CalendarFeed) -> QuerySet[Battle]:
    """Of one campaign all; of everything only one's own."""
    rows = with_sides(Battle.objects.select_related("campaign"))
    if feed.campaign_id:
        return rows
    return rows.filter(Q(participations__warband__owner=feed.person_id)).distinct()


STATUS = {Battle.State.PROPOSED: ical.TENTATIVE, Battle.State.VOID: ical.CANCELLED}


def _battle(battle: Battle, site: str, host: str) -> ical.Entry:
    assert battle.scheduled_for is not None
    facts = {"number": battle.number, "campaign": battle.campaign.name}
    return ical.Entry(
        uid=f"battle-{battle.pk}@{host}",
        start=battle.scheduled_for,
        end=battle.scheduled_for + LENGTH,
        summary=sides(battle),
        description=_("Battle %(number)s of %(campaign)s") % facts,
        location=battle.place,
        url=site + reverse("battle", args=[battle.campaign_id, battle.number]),
        sequence=battle.version,
        status=STATUS.get(Battle.State(battle.state), ical.CONFIRMED),
    )


def _deadline(one: Round, site: str, host: str) -> ical.Entry:
    assert one.deadline is not None
    facts = {"number": one.number, "campaign": one.campaign.name}
    return ical.Entry(
        uid=f"round-{one.pk}@{host}",
        start=one.deadline,
        summary=_("%(campaign)s: round %(number)s ends") % facts,
        url=site + reverse("calendar", args=[one.campaign_id]),
        sequence=one.version,
    )
