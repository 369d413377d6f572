"""What whoever runs a campaign looks at first: what waits, what is stuck, and how the campaign fares."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from django.db.models import Count, Max, Q
from django.utils import timezone

from accounts.models import User
from campaigns.desk import desk_in
from campaigns.models import Batch, BatchItem, Battle, Campaign, Delivery, Membership, Notice, RunStep, Webhook
from campaigns.progress import EXPECTED, progress
from campaigns.services.remind import PAUSE, key_of, notice_matter
from campaigns.standings import Row, standings
from campaigns.ticks import signed
from campaigns.waiting import Matter, by_person, matters
from warbands import words
from warbands.models import ReconcileRun

QUIET_DAYS = 14
"""After so many days without an act somebody counts as inactive."""
RUNAWAY = 1.5
"""A leader with so many times the median rating has run away."""
FEW_DICE = 12
"""With fewer dice nobody was lucky or unlucky yet."""
SHOWN = 8


@dataclass(frozen=True)
class Waiting:
    """One thing that waits for one person, and when they were reminded of it."""

    matter: Matter
    key: str
    reminded: datetime | None

    @property
    def may_remind(self) -> bool:
        return self.reminded is None or timezone.now() - self.reminded >= PAUSE


@dataclass(frozen=True)
class Waits:
    person: User
    role: str
    matters: Sequence[Waiting]

    @property
    def since(self) -> datetime | None:
        return min((one.matter.since for one in self.matters if one.matter.since), default=None)


@dataclass(frozen=True)
class Quiet:
    """Somebody who did nothing for a while."""

    person: User
    last: datetime


@dataclass(frozen=True)
class Luck:
    """Pips in exploring, against what was to be expected."""

    name: str
    pips: int
    expected: float
    dice: int

    @property
    def more(self) -> float:
        """By die."""
        return (self.pips - self.expected) / self.dice

    @property
    def says(self) -> str:
        return signed(self.more)


@dataclass(frozen=True)
class Health:
    quiet: Sequence[Quiet]
    lowest: Row | None
    highest: Row | None
    middle: float
    luckiest: Luck | None
    unluckiest: Luck | None

    @property
    def middle_text(self) -> str:
        return words.number(round(self.middle, 1))

    @property
    def lead(self) -> float:
        """How many times the median rating the leader has."""
        return float(self.highest.rating) / self.middle if self.highest is not None and self.middle else 0

    @property
    def lead_text(self) -> str:
        return f"{self.lead:.1f}"

    @property
    def runaway(self) -> bool:
        return self.lead >= RUNAWAY


@dataclass(frozen=True)
class Checked:
    """The last comparison of all ledgers with all rosters: what it found in this campaign."""

    when: datetime
    differences: Sequence[str]


@dataclass(frozen=True)
class Stuck:
    batch: Batch
    failed: int
    needs: int
    waiting: int


@dataclass(frozen=True)
class Console:
    waits: Sequence[Waits]
    disputes: Sequence[Battle]
    batches: Sequence[Stuck]
    webhooks: Sequence[Webhook]
    checked: Checked | None
    health: Health


def console(campaign: Campaign) -> Console:
    """The number of queries does not grow with people, battles or warbands."""
    memberships = list(campaign.memberships.select_related("person").order_by("person__name", "pk"))
    desk = desk_in(campaign, memberships)
    waiting = by_person(matters(desk))
    disputed = [battle for battle in desk.battles if battle.state == Battle.State.DISPUTED]
    return Console(
        waits=_waits(campaign, waiting, memberships),
        disputes=disputed,
        batches=_stuck(campaign),
        webhooks=_webhooks(campaign),
        checked=_checked(campaign),
        health=_health(campaign, memberships),
    )


def _waits(
    campaign: Campaign, waiting: Mapping[int, Sequence[Matter]], memberships: Iterable[Membership]
) -> list[Waits]:
    """Who waits longest comes first."""
    people = {one.person_id: one for one in memberships}
    reminded = _reminded(campaign)
    return [
        Waits(
            people[person].person,
            people[person].role,
            [Waiting(one, key_of(one), reminded.get((person, notice_matter(campaign, key_of(one))))) for one in theirs],
        )
        for person, theirs in waiting.items()
        if person in people
    ]


def _reminded(campaign: Campaign) -> dict[tuple[int, str], datetime]:
    found = Notice.objects.filter(campaign=campaign, kind="reminder", made__gt=timezone.now() - PAUSE)
    return {(person, about): made for person, about, made in found.values_list("person_id", "matter", "made")}


def _stuck(campaign: Campaign) -> list[Stuck]:
    """Batches in which something failed or waits for somebody, and those that stand still."""
    state = BatchItem.State
    counted = campaign.batches.filter(is_preview=False).annotate(
        failed=Count("items", filter=Q(items__state=state.FAILED)),
        needs=Count("items", filter=Q(items__state=state.NEEDS)),
        left=Count("items", filter=Q(items__state=state.WAITING)),
    )
    wrong = counted.filter(Q(failed__gt=0) | Q(state__in=(Batch.State.RUNNING, Batch.State.CANCELLED), left__gt=0))
    rows = wrong.order_by("-made", "-pk")[:SHOWN]
    return [Stuck(row, row.failed, row.needs, row.left) for row in rows]


def _webhooks(campaign: Campaign) -> list[Webhook]:
    """Paused, failing, or with messages that were given up."""
    lost = Count("deliveries", filter=Q(deliveries__status=Delivery.Status.FAILED))
    found = campaign.webhooks.annotate(lost=lost)
    return list(found.filter(Q(paused_at__isnull=False) | Q(failures__gt=0) | Q(lost__gt=0))[:SHOWN])


def _checked(campaign: Campaign) -> Checked | None:
    """Only what is about warbands of this campaign; other differences are the operator's matter."""
    last = ReconcileRun.objects.first()
    if last is None:
        return None
    names = dict(campaign.enrolments.values_list("warband_id", "warband__name"))
    wrong = [(names[found["warband"]], found) for found in last.differences if found["warband"] in names]
    return Checked(
        last.time, [f"{name}, {found['field']}: {found['ledger']} / {found['tables']}" for name, found in wrong]
    )


# Health -----------------------------------------------------------------------------------------------


def _health(campaign: Campaign, memberships: Sequence[Membership]) -> Health:
    rows = [row for row in standings(campaign).rows if not row.mark]
    rated = sorted(rows, key=lambda row: row.rating)
    luck = _luck(campaign, rows)
    return Health(
        quiet=_quiet(campaign, memberships),
        lowest=rated[0] if rated else None,
        highest=rated[-1] if rated else None,
        middle=float(median(float(row.rating) for row in rated)) if rated else 0,
        luckiest=luck[-1] if luck and luck[-1].more > 0 else None,
        unluckiest=luck[0] if luck and luck[0].more < 0 else None,
    )


def _luck(campaign: Campaign, rows: Sequence[Row]) -> list[Luck]:
    found = progress(campaign, [row.warband for row in rows]).explored
    counted = [(row.name, *found.get(row.warband, (0, 0))) for row in rows]
    lucky = [Luck(name, pips, EXPECTED * dice, dice) for name, pips, dice in counted if dice >= FEW_DICE]
    return sorted(lucky, key=lambda one: one.more)


def _quiet(campaign: Campaign, memberships: Sequence[Membership]) -> list[Quiet]:
    """Players by their last act in the campaign, in the chronicle or in a post-game."""
    if campaign.is_over:
        return []
    told = dict(campaign.events.order_by().values_list("actor").annotate(last=Max("time")))
    steps = RunStep.objects.filter(run__battle__campaign=campaign).order_by()
    played = dict(steps.values_list("actor").annotate(last=Max("closed")))
    since = timezone.now() - timedelta(days=QUIET_DAYS)
    found = []
    for one in memberships:
        if one.role == Membership.Role.PLAYER:
            times = (one.joined, told.get(one.person_id), played.get(one.person_id))
            last = max(time for time in times if time is not None)
            if last < since:
                found.append(Quiet(one.person, last))
    return sorted(found, key=lambda one: one.last)
