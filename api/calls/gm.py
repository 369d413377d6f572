"""What those who run a campaign do: the console, reminders, and changes by hand, each with a reason."""

from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404
from msgspec import Meta, to_builtins

from api.call import GM, Ask, Tagged, call
from api.calls.battles.tags import BATTLE
from api.calls.campaigns.overview import WaitingMatter, waiting_matter
from api.calls.postgame import RUN
from api.paging import Listed, Page, listed, page
from api.shapes import Face, Id, In, Key, Out, Person, Time, person_of
from api.shown.battle import BattleDetails, battle_details
from api.shown.found import Fight, Walk, fight_to_run, the_battle_to_run, the_run
from api.shown.postgame.changed import RunChanges, run_changes
from api.shown.postgame.questions import Answer
from api.shown.postgame.runs import RunDetails, run_details
from campaigns.access import Place, place_to_run
from campaigns.chronicle import plain_sentence
from campaigns.console import console
from campaigns.foreseen import do_sealed, seal
from campaigns.interventions import Done, beside_in, beside_of, done_in, one_done
from campaigns.models import Event
from campaigns.people import enrolled
from campaigns.services.answer_for import answer_for
from campaigns.services.change_owner import change_owner as give_warband
from campaigns.services.force_battle import force_battle as force
from campaigns.services.force_battle import ways_of
from campaigns.services.intervene import undo_intervention as take_back
from campaigns.services.remind import remind
from campaigns.services.set_die import set_die
from campaigns.services.undo_by_hand import undo_by_hand
from campaigns.walk.changed import compare
from campaigns.walk.sheet import read_sheet
from rules.engine.interventions import AnyOrder
from warbands.models import LedgerEntry, Warband
from warbands.names import names_of
from warbands.services.void import LONGEST_REASON

CAMPAIGN = "campaigns/{campaign}"
BAND = f"{CAMPAIGN}/warbands/{{warband}}"

WhyByHand = Annotated[str, Meta(min_length=1, max_length=LONGEST_REASON, description="Everybody can read it.")]


# The console ------------------------------------------------------------------------------------------


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


# Warbands ---------------------------------------------------------------------------------------------


def banded(ask: Ask, campaign: int, warband: int) -> Tagged:
    """A warband that plays in a campaign, for those who run that."""
    place = place_to_run(ask.person, campaign)
    found = get_object_or_404(enrolled(place.campaign).select_related("warband__owner"), warband_id=warband)
    return Tagged((place, found.warband), found.warband.version, f"by-hand-{warband}-{found.warband.owner_id}")


class InterventionWanted(In):
    """An order, and why."""

    order: AnyOrder
    reason: WhyByHand


class InterventionForeseen(Out):
    """What would happen. `token` does just this, as long as the warband stays as it is, for six hours."""

    token: str
    changes: RunChanges


@call(
    "post",
    f"{BAND}/interventions/preview",
    scope=GM,
    tag=banded,
    acts=False,
    serves=("intervene",),
    example={"order": {"do": "points", "amount": 20}, "reason": "A miscount at the table."},
)
def preview_intervention(ask: Ask, campaign: int, warband: int, body: InterventionWanted) -> InterventionForeseen:
    """Say what an order would do to a warband. Nothing happens."""
    place, row = _band(ask)
    sealed = seal(place.campaign, row, to_builtins(body.order), body.reason)
    changed = compare(sealed.seen.before, sealed.seen.after, names_of(row))
    return InterventionForeseen(token=sealed.token, changes=run_changes(changed))


class InterventionSure(In):
    """The token of a preview."""

    token: Annotated[str, Meta(min_length=1, max_length=4000)]


class InterventionDone(Out):
    """The act in the ledger, and the version of the warband after it."""

    act: UUID
    version: int


@call(
    "post",
    f"{BAND}/interventions",
    scope=GM,
    tag=banded,
    status=201,
    serves=("intervene",),
    example={"token": "of a preview"},
)
def do_intervention(ask: Ask, campaign: int, warband: int, body: InterventionSure) -> InterventionDone:
    """Do what a preview showed. Its player is told, and the chronicle tells everybody."""
    place, row = _band(ask)
    act = do_sealed(actor=ask.person, campaign=place.campaign, warband=row, token=body.token)
    row.refresh_from_db(fields=["version"])
    return InterventionDone(act=act, version=row.version)


class InterventionRow(Out):
    """Something that was done by hand, and whether it still stands."""

    act: UUID
    warband: int
    name: str
    cause: str
    who: str
    time: Time
    stands: bool


@call("get", f"{CAMPAIGN}/interventions", scope=GM, serves=("interventions",))
def list_interventions(ask: Ask, campaign: int, query: Listed) -> Page[InterventionRow]:
    """What was changed by hand in a campaign that you run, the newest first."""
    place = place_to_run(ask.person, campaign)
    return page(done_in(place.campaign), query, _row, ("-time", "-pk"))


def _row(entry: LedgerEntry) -> InterventionRow:
    done = Done(entry)
    return InterventionRow(
        act=entry.act, warband=entry.warband_id, name=entry.warband.name, cause=entry.cause, who=done.who,
        time=entry.time, stands=done.stands,
    )  # fmt: skip


class ReasonGiven(In):
    reason: WhyByHand


def undone(ask: Ask, campaign: int, act: UUID) -> Tagged:
    place = place_to_run(ask.person, campaign)
    found = one_done(place.campaign, act)
    if found is None:
        raise Http404
    return Tagged((place, found), found.entry.warband.version, f"intervention-{act}-{found.stands}")


@call(
    "post",
    f"{CAMPAIGN}/interventions/{{act}}/undoing",
    scope=GM,
    tag=undone,
    serves=("intervention_undo",),
    example={"reason": "The count was right."},
)
def undo_intervention(ask: Ask, campaign: int, act: UUID, body: ReasonGiven) -> InterventionRow:
    """Take back what was done by hand, if nothing rests on it."""
    place, found = ask.thing
    take_back(
        actor=ask.person, campaign=place.campaign, warband=found.entry.warband, act=act, reason=body.reason,
        expected_version=ask.expected_version,
    )  # fmt: skip
    fresh = one_done(place.campaign, act)
    assert fresh is not None
    return _row(fresh.entry)


class DoneByHand(Out):
    """`undone` is null where it can only be taken back by voiding the battle or opening the step again."""

    event: int
    kind: str
    sentence: str
    time: Time
    undone: bool | None


def _beside(event: Event) -> DoneByHand:
    found = beside_of(event)
    return DoneByHand(
        event=event.pk, kind=event.kind, sentence=plain_sentence(event), time=event.time,
        undone=found.is_undone if found.done is not None else None,
    )  # fmt: skip


@call("get", f"{CAMPAIGN}/by-hand", scope=GM, serves=("interventions",))
def list_done_by_hand(ask: Ask, campaign: int, query: Listed) -> Page[DoneByHand]:
    """What was done by hand beside the ledgers: to battles, dice, answers and players."""
    return page(beside_in(place_to_run(ask.person, campaign).campaign), query, _beside, ("-time", "-pk"))


def done_by_hand(ask: Ask, campaign: int, event: int) -> Tagged:
    place = place_to_run(ask.person, campaign)
    found = beside_of(get_object_or_404(beside_in(place.campaign), pk=event))
    return Tagged((place, found), int(found.is_undone), f"by-hand-{event}-{found.is_undone}")


@call(
    "post",
    f"{CAMPAIGN}/by-hand/{{event}}/undoing",
    scope=GM,
    tag=done_by_hand,
    serves=("by_hand_undo",),
    example={"reason": "It was the other battle."},
)
def undo_done_by_hand(ask: Ask, campaign: int, event: int, body: ReasonGiven) -> DoneByHand:
    """Put it back as it was, if nothing has happened to it since."""
    place, found = ask.thing
    undo_by_hand(actor=ask.person, campaign=place.campaign, event=found.event, reason=body.reason)
    return _beside(beside_in(place.campaign).get(pk=event))


class WarbandGiven(In):
    """Who leads it from now on. `was` is who led it when you looked."""

    person: Id
    reason: WhyByHand
    was: Id | None = None


class WarbandLed(Out):
    warband: int
    owner: Person


@call(
    "put",
    f"{BAND}/owner",
    scope=GM,
    tag=banded,
    serves=("warband_owner",),
    example={"person": 7, "reason": "She has moved away."},
)
def change_owner(ask: Ask, campaign: int, warband: int, body: WarbandGiven) -> WarbandLed:
    """Give a warband to another member of the campaign."""
    place, row = _band(ask)
    there = get_object_or_404(place.campaign.memberships.select_related("person"), person_id=body.person)
    given = give_warband(
        actor=ask.person,
        campaign=place.campaign,
        warband=row,
        person=there.person,
        reason=body.reason,
        was=body.was,
        expected_version=ask.expected_version,
    )
    return WarbandLed(warband=given.pk, owner=person_of(there.person))


def _band(ask: Ask) -> tuple[Place, Warband]:
    found: tuple[Place, Warband] = ask.thing
    return found


# Battles ----------------------------------------------------------------------------------------------


class BattleWay(Out):
    """Where a battle can be put by hand, what follows from it, and how to come back."""

    to: str
    title: str
    follows: str
    back: str


@call("get", f"{BATTLE}/ways", scope=GM, tag=the_battle_to_run, serves=("battle_force",))
def list_battle_ways(ask: Ask, campaign: int, number: int, query: Listed) -> Page[BattleWay]:
    """Where a battle can be moved by hand, with the consequences."""
    fight: Fight = ask.thing
    ways = ways_of(fight.battle)
    return listed(
        [BattleWay(to=one.to, title=str(one.title), follows=str(one.follows), back=str(one.back)) for one in ways],
        query,
    )


class BattleForced(In):
    to: Literal["proposed", "scheduled", "playing", "reported", "confirmed"]
    reason: WhyByHand


@call(
    "post",
    f"{BATTLE}/moves",
    scope=GM,
    tag=the_battle_to_run,
    serves=("battle_force",),
    example={"to": "playing", "reason": "A line was wrong."},
)
def force_battle(ask: Ask, campaign: int, number: int, body: BattleForced) -> BattleDetails:
    """Move a battle by hand: a step back, or on where somebody does not answer."""
    fight: Fight = ask.thing
    force(actor=ask.person, battle=fight.battle, to=body.to, reason=body.reason, version=ask.expected_version)
    return battle_details(fight_to_run(ask, campaign, number))


# Post-games -------------------------------------------------------------------------------------------


def run_to_run(ask: Ask, campaign: int, number: int, warband: int) -> Tagged:
    """A post-game, for those who run the campaign."""
    place_to_run(ask.person, campaign)
    return the_run(ask, campaign, number, warband)


class AnswerByHand(In):
    """The key of a question with its answer, and why you give it."""

    key: Key
    answer: Answer
    reason: WhyByHand


class DiceByHand(In):
    """The faces that count in the end, one a die; without any the server throws all of the roll again."""

    key: Key
    reason: WhyByHand
    faces: Annotated[list[Face], Meta(max_length=40)] | None = None


@call(
    "post",
    f"{RUN}/by-hand/answers",
    scope=GM,
    tag=run_to_run,
    serves=("run_by_hand",),
    example={"key": "7/advancement/f1/advance", "answer": "Off", "reason": "She is on holiday."},
)
def answer_run_for(ask: Ask, campaign: int, number: int, warband: int, body: AnswerByHand) -> RunDetails:
    """Answer a question for a player who is not there."""
    walk: Walk = ask.thing
    answer_for(
        actor=ask.person, run=walk.run, key=body.key, answer=body.answer, reason=body.reason,
        expected_version=ask.expected_version,
    )  # fmt: skip
    return _run(ask, campaign, number, warband)


@call(
    "post",
    f"{RUN}/by-hand/rolls",
    scope=GM,
    tag=run_to_run,
    serves=("run_by_hand",),
    example={"key": "7/injury/f2/injury", "faces": [3, 5], "reason": "The die fell off the table."},
)
def set_run_dice(ask: Ask, campaign: int, number: int, warband: int, body: DiceByHand) -> RunDetails:
    """Lay the dice of a roll of the open step, or have them thrown again. The proof of the dice names you."""
    walk: Walk = ask.thing
    set_die(
        actor=ask.person, run=walk.run, key=body.key, faces=body.faces, reason=body.reason,
        expected_version=ask.expected_version,
    )  # fmt: skip
    return _run(ask, campaign, number, warband)


def _run(ask: Ask, campaign: int, number: int, warband: int) -> RunDetails:
    battle = fight_to_run(ask, campaign, number).battle
    return run_details(read_sheet(battle, warband, ask.person))
