"""Battles from proposal to report."""

from datetime import datetime
from typing import Annotated, Any, Literal

from django.db import transaction
from django.db.models import Q
from django.http import Http404
from django.utils.translation import gettext as _
from msgspec import Meta, field, structs

from api.call import GM, Ask, call
from api.paging import Listed, Page, chosen_order, page
from api.shapes import Face, Id, In, Key, Time
from api.shown.battle import (
    BattleDetails,
    BattleRow,
    BattleState,
    VoidPreview,
    battle_details,
    battle_rows,
    void_preview,
)
from api.shown.found import (
    Fight,
    fight_for,
    fight_to_run,
    the_battle,
    the_battle_to_run,
    the_pregame,
    the_report,
    the_report_to_rule,
)
from api.shown.pregame import PregameState, pregame_state
from api.shown.report import (
    BattleReport,
    LineEdit,
    LineOf,
    OpenDispute,
    ReportEdit,
    battle_report,
    claimed_paper,
    edits_of,
    open_dispute,
    refuse_unwritten,
)
from campaigns.access import place_for
from campaigns.battle_forms import LONGEST_PLACE, LONGEST_SCENARIO
from campaigns.battles import for_those_in
from campaigns.models import Battle, Dispute, Participation
from campaigns.report import Paper, from_plain
from campaigns.report_rows import read_table
from campaigns.services.answer_battle import answer_battle
from campaigns.services.confirm_report import confirm_report as confirm
from campaigns.services.dispute_report import dispute_report as dispute
from campaigns.services.play_pregame import play_pregame
from campaigns.services.postpone_battle import postpone_battle as postpone
from campaigns.services.propose_battle import FEWEST, MOST
from campaigns.services.propose_battle import propose_battle as propose
from campaigns.services.reschedule_battle import reschedule_battle
from campaigns.services.rule_dispute import rule_dispute
from campaigns.services.schedule_battle import schedule_battle as schedule
from campaigns.services.send_report import send_report as send
from campaigns.services.skip_pregame import skip_pregame as skip
from campaigns.services.start_battle import start_battle as start
from campaigns.services.take_back_report import take_back_report as take_back
from campaigns.services.void_battle import void_battle as void
from campaigns.services.withdraw_battle import withdraw_battle as withdraw
from campaigns.services.write_report_line import write_report_line as write
from campaigns.voiding import what_falls
from rules.engine.errors import RuleViolation
from warbands.services.void import LONGEST_REASON

State = Battle.State
BATTLES = "campaigns/{campaign}/battles"
BATTLE = f"{BATTLES}/{{number}}"

Where = Annotated[str, Meta(max_length=LONGEST_PLACE)]
Scenario = Annotated[str, Meta(max_length=LONGEST_SCENARIO, description="Its name; empty if it is to be rolled.")]
Why = Annotated[str, Meta(min_length=1, max_length=1000)]


# Lists and proposals ----------------------------------------------------------------------------------


class Battles(Listed):
    """Which battles, in which order."""

    state: Literal["", BattleState] = ""
    round: Annotated[int, Meta(ge=0, le=32_767, description="The number of a round; 0 for all.")] = 0
    mine: bool = False
    order: Literal["", "number", "newest"] = ""


ORDERS = {"number": ("number", "pk"), "newest": ("-number", "-pk")}
BATTLE_SHOWN = (
    "campaign", "number", "state", "state_since", "scheduled_for", "place", "scenario", "is_final", "version",
    "round__number",
)  # fmt: skip
"""A battle's row holds its dice and its pre-game too, which no list needs."""


@call("get", BATTLES)
def list_battles(ask: Ask, campaign: int, query: Battles) -> Page[BattleRow]:
    """The battles of a campaign, for its members."""
    place = place_for(ask.person, campaign)
    rows = place.campaign.battles.select_related("round").only(*BATTLE_SHOWN)
    own = Q(pk__in=Participation.objects.filter(warband__owner=ask.person).values("battle")) if query.mine else Q()
    chosen = rows.filter(
        Q(state=query.state) if query.state else Q(), Q(round__number=query.round) if query.round else Q(), own
    )
    part: Page[Battle] = page(chosen, query, lambda row: row, chosen_order(ORDERS, query.order, "number"))
    return Page(items=battle_rows(part.items), next=part.next)


class NewBattle(In):
    """`is_final` and `at_once` are the game master's: the last battle, and one for which nobody is asked."""

    warbands: Annotated[list[Id], Meta(min_length=FEWEST, max_length=MOST)]
    when: Time | None = None
    place: Where = ""
    scenario: Scenario = ""
    is_final: bool = False
    at_once: bool = False


@call(
    "post",
    BATTLES,
    status=201,
    serves=("battle_new",),
    example={"warbands": [7, 12], "when": "2031-03-01T18:30:00+01:00", "place": "The cellar"},
)
def propose_battle(ask: Ask, campaign: int, body: NewBattle) -> BattleDetails:
    """Call for a battle: your own warband and others; their players say yes or no."""
    place = place_for(ask.person, campaign)
    if not place.plays:
        raise Http404
    if body.is_final or body.at_once:
        ask.needs(GM)
    made = propose(actor=ask.person, campaign=place.campaign, **structs.asdict(body))
    ask.headers["Location"] = f"/api/v1/campaigns/{campaign}/battles/{made.number}"
    return battle_details(fight_for(ask, campaign, made.number))


@call("get", BATTLE, tag=the_battle, serves=("battle",))
def read_battle(ask: Ask, campaign: int, number: int) -> BattleDetails:
    """A battle: where it is, who fights, how they stand to each other, what comes next."""
    return battle_details(ask.thing)


def _mine(ask: Ask) -> Battle:
    """The battle, for those in it; an act that is not theirs is not there. Whoever fights elsewhere runs it."""
    fight: Fight = ask.thing
    if not for_those_in(fight.battle, ask.person).warbands:
        ask.needs(GM)
    return fight.battle


def _now(ask: Ask, campaign: int, number: int) -> BattleDetails:
    return battle_details(fight_for(ask, campaign, number))


class BattleAnswer(In):
    """For one of your warbands."""

    warband: Id
    accept: bool


@call(
    "post",
    f"{BATTLE}/answers",
    tag=the_battle,
    serves=("battle_accept",),
    example={"warband": 7, "accept": True},
)
def answer_proposal(ask: Ask, campaign: int, number: int, body: BattleAnswer) -> BattleDetails:
    """Say yes or no to a battle. When all have said yes it is scheduled."""
    answer_battle(
        actor=ask.person, battle=_mine(ask), warband=body.warband, accept=body.accept, version=ask.expected_version
    )
    return _now(ask, campaign, number)


@call("post", f"{BATTLE}/withdrawal", tag=the_battle, serves=("battle_withdraw",))
def withdraw_battle(ask: Ask, campaign: int, number: int) -> BattleDetails:
    """Take back a proposal, as the one who made it."""
    fight: Fight = ask.thing
    if not fight.place.runs_it and fight.battle.proposed_by_id != ask.person.pk:
        raise Http404
    if fight.battle.proposed_by_id != ask.person.pk:
        ask.needs(GM)
    withdraw(actor=ask.person, battle=_mine(ask), version=ask.expected_version)
    return _now(ask, campaign, number)


@call("post", f"{BATTLE}/schedule", scope=GM, tag=the_battle_to_run, serves=("battle_schedule",))
def schedule_battle(ask: Ask, campaign: int, number: int) -> BattleDetails:
    """Say that a battle is on, whoever has not answered yet."""
    schedule(actor=ask.person, battle=_mine(ask), version=ask.expected_version)
    return _now(ask, campaign, number)


class BattleDate(In):
    when: Time | None
    place: Where = ""


@call(
    "put",
    f"{BATTLE}/date",
    tag=the_battle,
    serves=("battle_move",),
    example={"when": "2031-03-01T18:30:00+01:00", "place": "The cellar"},
)
def move_battle(ask: Ask, campaign: int, number: int, body: BattleDate) -> BattleDetails:
    """Set date and place of a battle that has not begun."""
    when: datetime | None = body.when
    reschedule_battle(actor=ask.person, battle=_mine(ask), when=when, place=body.place, version=ask.expected_version)
    return _now(ask, campaign, number)


class BattleStart(In):
    """`played`: the game is over and its pre-game was done at the table; then `scenario` says which it was."""

    played: bool = False
    scenario: Scenario = ""


@call("post", f"{BATTLE}/start", tag=the_battle, serves=("battle_start",), example={"played": False})
def start_battle(ask: Ask, campaign: int, number: int, body: BattleStart) -> BattleDetails:
    """Open the pre-game of a battle that is on, or go past it."""
    start(actor=ask.person, battle=_mine(ask), version=ask.expected_version, played=body.played, scenario=body.scenario)
    return _now(ask, campaign, number)


@call("post", f"{BATTLE}/postponement", tag=the_battle, serves=("battle_postpone",))
def postpone_battle(ask: Ask, campaign: int, number: int) -> BattleDetails:
    """Close a pre-game that was opened too early."""
    postpone(actor=ask.person, battle=_mine(ask), version=ask.expected_version)
    return _now(ask, campaign, number)


@call("get", f"{BATTLE}/void", scope=GM, serves=("battle_void",))
def preview_void(ask: Ask, campaign: int, number: int) -> VoidPreview:
    """What voiding a battle would take back: its own acts, and what rests on them."""
    return void_preview(what_falls(fight_to_run(ask, campaign, number).battle))


class BattleVoid(In):
    """With `cascade` what rests on the battle goes too; without, that is a refusal and nothing happens."""

    reason: Annotated[str, Meta(min_length=1, max_length=LONGEST_REASON)]
    cascade: bool = False


@call(
    "post",
    f"{BATTLE}/void",
    scope=GM,
    tag=the_battle_to_run,
    serves=("battle_void",),
    example={"reason": "Played with last year's rules", "cascade": False},
)
def void_battle(ask: Ask, campaign: int, number: int, body: BattleVoid) -> BattleDetails:
    """Say that a battle never was: everything that it did is taken back, or nothing."""
    fight: Fight = ask.thing
    void(
        actor=ask.person,
        battle=fight.battle,
        reason=body.reason,
        cascade=body.cascade,
        version=ask.expected_version,
    )
    return _now(ask, campaign, number)


# The pre-game -----------------------------------------------------------------------------------------


@call("get", f"{BATTLE}/pregame", tag=the_pregame, serves=("pregame",))
def read_pregame(ask: Ask, campaign: int, number: int) -> PregameState:
    """The pre-game: every seat with its questions, legal answers and rolls that wait, and what came of them."""
    fight: Fight = ask.thing
    if fight.battle.state in (State.PROPOSED, State.SCHEDULED):
        raise RuleViolation("not_begun", _("The pre-game of this battle is not open yet."))
    return pregame_state(fight)


def _play(ask: Ask, campaign: int, number: int, warband: int, **order: Any) -> PregameState:
    """One deed of one's own seat. Whoever sent a version means all seats: the service compares his own."""
    fight: Fight = ask.thing
    battle = _mine(ask)
    if warband not in fight.versions:
        raise Http404
    seen = fight.versions[warband] if ask.expected_version is not None else None
    play_pregame(actor=ask.person, battle=battle, warband=warband, order=order, version=seen)
    return pregame_state(fight_for(ask, campaign, number))


class PregameAnswer(In):
    """The key of one option, or of several where the question takes any."""

    key: Key
    answer: Key | Annotated[list[Key], Meta(max_length=100)]


@call(
    "post",
    f"{BATTLE}/pregame/{{warband}}/answers",
    tag=the_pregame,
    serves=("pregame",),
    example={"key": "7/activate/activate", "answer": ["f1"]},
)
def answer_pregame(ask: Ask, campaign: int, number: int, warband: int, body: PregameAnswer) -> PregameState:
    """Answer a question of the pre-game, or answer it anew."""
    return _play(ask, campaign, number, warband, do="answer", key=body.key, answer=body.answer)


class RollKey(In):
    key: Key


@call(
    "post",
    f"{BATTLE}/pregame/{{warband}}/rolls",
    tag=the_pregame,
    serves=("pregame",),
    example={"key": "7/deploy/deployment zone"},
)
def roll_pregame(ask: Ask, campaign: int, number: int, warband: int, body: RollKey) -> PregameState:
    """Let the server make a roll that waits."""
    return _play(ask, campaign, number, warband, do="throw", key=body.key)


@call("post", f"{BATTLE}/pregame/{{warband}}/rolls/all", tag=the_pregame, serves=("pregame",))
def roll_all_pregame(ask: Ask, campaign: int, number: int, warband: int) -> PregameState:
    """Let the server make every roll of this warband."""
    return _play(ask, campaign, number, warband, do="throw_all")


class TypedDice(In):
    """What the dice on the table show."""

    key: Key
    faces: Annotated[list[Face], Meta(min_length=1, max_length=40)]


@call(
    "post",
    f"{BATTLE}/pregame/{{warband}}/rolls/typed",
    tag=the_pregame,
    serves=("pregame",),
    example={"key": "7/deploy/deployment zone", "faces": [4]},
)
def type_pregame_dice(ask: Ask, campaign: int, number: int, warband: int, body: TypedDice) -> PregameState:
    """Type in all dice of a roll that waits; a slip is mended by typing it again."""
    return _play(ask, campaign, number, warband, do="type", key=body.key, faces=body.faces)


class FateDie(In):
    """A die of a roll, the first being 0."""

    key: Key
    die: Annotated[int, Meta(ge=0, le=99)]


@call(
    "post",
    f"{BATTLE}/pregame/{{warband}}/fate",
    tag=the_pregame,
    serves=("pregame",),
    example={"key": "7/deploy/deployment zone", "die": 0},
)
def spend_pregame_fate(ask: Ask, campaign: int, number: int, warband: int, body: FateDie) -> PregameState:
    """Throw one die again; that cannot be taken back."""
    return _play(ask, campaign, number, warband, do="reroll", key=body.key, die=str(body.die))


@call("post", f"{BATTLE}/pregame/{{warband}}/done", tag=the_pregame, serves=("pregame",))
def finish_pregame(ask: Ask, campaign: int, number: int, warband: int) -> PregameState:
    """Be done with the pre-game. When everybody is, the game begins."""
    return _play(ask, campaign, number, warband, do="done")


@call("post", f"{BATTLE}/pregame/{{warband}}/reopening", tag=the_pregame, serves=("pregame",))
def reopen_pregame(ask: Ask, campaign: int, number: int, warband: int) -> PregameState:
    """Take back that you are done."""
    return _play(ask, campaign, number, warband, do="reopen")


class PregameSkip(In):
    scenario: Scenario = ""


@call("post", f"{BATTLE}/pregame/skip", tag=the_pregame, serves=("pregame_skip",), example={"scenario": ""})
def skip_pregame(ask: Ask, campaign: int, number: int, body: PregameSkip) -> PregameState:
    """Go on without the rest of the pre-game: at once as the game master, else when all players say so."""
    battle = _mine(ask)
    if ask.thing.place.runs_it:
        ask.needs(GM)
    seen = battle.version if ask.expected_version is not None else None
    skip(actor=ask.person, battle=battle, version=seen, scenario=body.scenario)
    return pregame_state(fight_for(ask, campaign, number))


# The report -------------------------------------------------------------------------------------------


def _report(ask: Ask, fight: Fight) -> BattleReport:
    place = fight.place
    return battle_report(
        read_table(fight.battle), ask.person, plays=place.plays, runs_it=place.runs_it, may_change=place.may_change
    )


def _report_now(ask: Ask, campaign: int, number: int) -> BattleReport:
    return _report(ask, fight_for(ask, campaign, number))


def _seen(ask: Ask) -> int | None:
    """The battle's own version, which services compare, for whoever sent one of the report."""
    fight: Fight = ask.thing
    return fight.battle.version if ask.expected_version is not None else None


@call("get", f"{BATTLE}/report", tag=the_report, serves=("report",))
def read_report(ask: Ask, campaign: int, number: int) -> BattleReport:
    """The report of a battle, as a draft or as it was sent, with what cannot be true about it."""
    fight: Fight = ask.thing
    if fight.battle.state in (State.PROPOSED, State.SCHEDULED, State.PREGAME):
        raise RuleViolation("not_begun", _("The report opens when the game begins."))
    return _report(ask, fight)


def _written(ask: Ask, battle: Battle, sent: ReportEdit) -> None:
    edits = edits_of(sent, read_table(battle).paper)
    with transaction.atomic():
        refuse_unwritten(write(actor=ask.person, battle=battle, edits=edits))


WON = {
    "ending": {"kind": "alone", "winners": [7]},
    "sides": [{"warband": 12, "routed": 1}],
    "lines": [{"warband": 12, "fighter": "f2", "out": 1, "by": "7/f1", "how": "melee"}],
}


@call("patch", f"{BATTLE}/report", tag=the_report, serves=("report",), example=WON)
def write_report(ask: Ask, campaign: int, number: int, body: ReportEdit) -> BattleReport:
    """Write on the report: any of its parts, or all of them.

    Who is named for a casualty gets the kill, unless their own kills are in the same call. All of it is written or
    nothing is.
    """
    _written(ask, _mine(ask), body)
    return _report_now(ask, campaign, number)


@call(
    "patch",
    f"{BATTLE}/report/lines/{{warband}}/{{fighter}}",
    tag=the_report,
    serves=("report_line",),
    example={"out": 1, "by": "7/f1", "how": "melee"},
)
def write_report_line(ask: Ask, campaign: int, number: int, warband: int, fighter: str, body: LineEdit) -> BattleReport:
    """Write one fighter's line."""
    battle = _mine(ask)
    if f"w{warband}-{fighter}" not in read_table(battle).paper.lines:
        raise Http404
    line = LineOf(warband=warband, fighter=fighter, **structs.asdict(body))
    _written(ask, battle, ReportEdit(lines=[line]))
    return _report_now(ask, campaign, number)


@call("post", f"{BATTLE}/report/sending", tag=the_report, serves=("report",))
def send_report(ask: Ask, campaign: int, number: int) -> BattleReport:
    """Send the report: from now on it waits for the others. With `If-Match`, only what you have read is sent."""
    battle = _mine(ask)
    seen = read_table(battle).versions if ask.expected_version is not None else None
    send(actor=ask.person, battle=battle, seen=seen)
    return _report_now(ask, campaign, number)


@call("post", f"{BATTLE}/report/return", tag=the_report, serves=("report_take_back",))
def take_back_report(ask: Ask, campaign: int, number: int) -> BattleReport:
    """Take back a report that you have sent and that nobody has answered."""
    take_back(actor=ask.person, battle=_mine(ask), version=_seen(ask))
    return _report_now(ask, campaign, number)


class ReportConfirmation(In):
    """`everybody`: as the game master, for all who have not answered."""

    everybody: bool = False


@call("post", f"{BATTLE}/report/confirmation", tag=the_report, serves=("report_confirm",), example={"everybody": False})
def confirm_report(ask: Ask, campaign: int, number: int, body: ReportConfirmation) -> BattleReport:
    """Agree with the report. When all have, the post-game begins."""
    if body.everybody:
        ask.needs(GM)
    confirm(actor=ask.person, battle=_mine(ask), version=_seen(ask), for_everybody=body.everybody)
    return _report_now(ask, campaign, number)


class NewDispute(In):
    """`claimed` is how it was, where it differs from the report."""

    reason: Why
    claimed: ReportEdit


@call(
    "post",
    f"{BATTLE}/report/disputes",
    tag=the_report,
    serves=("report_dispute",),
    example={"reason": "She got up again.", "claimed": {"lines": [{"warband": 12, "fighter": "f2", "out": 0}]}},
)
def dispute_report(ask: Ask, campaign: int, number: int, body: NewDispute) -> BattleReport:
    """Say that it was otherwise, and how. The game master rules."""
    fight: Fight = ask.thing
    table = read_table(fight.battle)
    if not table.own(ask.person):
        raise Http404
    claimed = claimed_paper(body.claimed, table)
    dispute(actor=ask.person, battle=fight.battle, reason=body.reason, claimed=claimed, version=_seen(ask))
    return _report_now(ask, campaign, number)


def _disputed(battle: Battle) -> Dispute:
    found = battle.disputes.select_related("by", "ruled_by").filter(ruled=None).first()
    if found is None or battle.state != State.DISPUTED:
        raise RuleViolation("ruled_already", _("There is no open dispute about this report any more."))
    return found


@call("get", f"{BATTLE}/report/ruling", scope=GM, tag=the_report_to_rule, serves=("report_rule",))
def read_dispute(ask: Ask, campaign: int, number: int) -> OpenDispute:
    """The open dispute about a report, with both versions, for those who run the campaign."""
    fight: Fight = ask.thing
    found = _disputed(fight.battle)
    return open_dispute(read_table(fight.battle), found)


class Ruling(In):
    """One of the two versions, or a third: then `edited` says where it differs from the reported one."""

    take: Literal["reported", "claimed", "edited"]
    ruling: Why
    edited: ReportEdit = field(default_factory=ReportEdit)


@call(
    "post",
    f"{BATTLE}/report/ruling",
    scope=GM,
    tag=the_report_to_rule,
    serves=("report_rule",),
    example={"take": "claimed", "ruling": "Both remember the healing."},
)
def rule_report(ask: Ask, campaign: int, number: int, body: Ruling) -> BattleReport:
    """Say how it was, and why. With that the report stands."""
    fight: Fight = ask.thing
    found = _disputed(fight.battle)
    paper = _ruled(fight.battle, found, body)
    rule_dispute(actor=ask.person, battle=fight.battle, ruling=body.ruling, paper=paper, version=_seen(ask))
    return _report_now(ask, campaign, number)


def _ruled(battle: Battle, found: Dispute, body: Ruling) -> Paper:
    if body.take == "edited":
        return claimed_paper(body.edited, read_table(battle))
    return from_plain(found.reported if body.take == "reported" else found.claimed)
