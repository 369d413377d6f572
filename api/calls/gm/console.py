"""The console of a campaign, and reminders."""

from typing import Any

from django.shortcuts import get_object_or_404

from api.call import GM, Ask, call
from api.calls.campaigns.overview import WaitingMatter, waiting_matter
from api.calls.gm.tags import CAMPAIGN
from api.shapes import Id, In, Key, Out, Person, Time, person_of
from campaigns.access import place_to_run
from campaigns.console import console
from campaigns.services.remind import remind


class ConsoleMatter(Out):
    """`key` is what a reminder names; `reminded` is when the last one of today was."""

    key: str
    matter: WaitingMatter
    reminded: Time | None


class ConsolePerson(Out):
    person: Person
    role: str
    since: Time | None
    matters: list[ConsoleMatter]


class ConsoleBatch(Out):
    """A batch in which something is not as it should be, counted by battles."""

    id: int
    state: str
    failed: int
    needs: int
    waiting: int


class ConsoleWebhook(Out):
    id: int
    host: str
    paused: Time | None
    reason: str
    failures: int


class QuietPerson(Out):
    """Somebody who did nothing for two weeks."""

    person: Person
    last: Time


class LuckOf(Out):
    """Pips in exploring against what was to be expected."""

    warband: str
    pips: int
    expected: float
    dice: int


class CampaignHealth(Out):
    """`lead` is how many times the median rating the leader has."""

    lowest: float | None
    middle: float
    highest: float | None
    leader: str
    lead: float
    runaway: bool
    luckiest: LuckOf | None
    unluckiest: LuckOf | None
    quiet: list[QuietPerson]


class LedgersChecked(Out):
    """The last comparison of ledgers and rosters, for the warbands of this campaign."""

    when: Time
    differences: list[str]


class ConsoleShown(Out):
    waits: list[ConsolePerson]
    disputes: list[int]
    """Numbers of battles."""
    batches: list[ConsoleBatch]
    webhooks: list[ConsoleWebhook]
    checked: LedgersChecked | None
    health: CampaignHealth


@call("get", f"{CAMPAIGN}/console", scope=GM, serves=("console",))
def read_console(ask: Ask, campaign: int) -> ConsoleShown:
    """What waits for whom, what is stuck, and how a campaign that you run fares."""
    found = console(place_to_run(ask.person, campaign).campaign)
    return ConsoleShown(
        waits=[_person(one) for one in found.waits],
        disputes=[battle.number for battle in found.disputes],
        batches=[
            ConsoleBatch(
                id=one.batch.pk, state=one.batch.state, failed=one.failed, needs=one.needs, waiting=one.waiting
            )
            for one in found.batches
        ],
        webhooks=[
            ConsoleWebhook(id=one.pk, host=one.host, paused=one.paused_at, reason=one.reason, failures=one.failures)
            for one in found.webhooks
        ],
        checked=LedgersChecked(when=found.checked.when, differences=list(found.checked.differences))
        if found.checked
        else None,
        health=_health(found.health),
    )


def _person(one: Any) -> ConsolePerson:
    matters = [
        ConsoleMatter(key=each.key, matter=waiting_matter(each.matter), reminded=each.reminded) for each in one.matters
    ]
    return ConsolePerson(person=person_of(one.person), role=one.role, since=one.since, matters=matters)


def _health(found: Any) -> CampaignHealth:
    return CampaignHealth(
        lowest=float(found.lowest.rating) if found.lowest else None,
        middle=found.middle,
        highest=float(found.highest.rating) if found.highest else None,
        leader=found.highest.name if found.highest else "",
        lead=round(found.lead, 2),
        runaway=found.runaway,
        luckiest=_luck(found.luckiest),
        unluckiest=_luck(found.unluckiest),
        quiet=[QuietPerson(person=person_of(one.person), last=one.last) for one in found.quiet],
    )


def _luck(found: Any) -> LuckOf | None:
    if found is None:
        return None
    return LuckOf(warband=found.name, pips=found.pips, expected=found.expected, dice=found.dice)


class ReminderNew(In):
    """Of whom, and of what: the key of a matter in the console."""

    person: Id
    matter: Key


@call(
    "post",
    f"{CAMPAIGN}/reminders",
    scope=GM,
    serves=("remind_person",),
    example={"person": 7, "matter": "report-3"},
)
def remind_person(ask: Ask, campaign: int, body: ReminderNew) -> None:
    """Remind somebody of what waits for them, at most once a day."""
    place = place_to_run(ask.person, campaign)
    there = get_object_or_404(place.campaign.memberships.select_related("person"), person_id=body.person)
    remind(actor=ask.person, campaign=place.campaign, person=there.person, matter=body.matter)
