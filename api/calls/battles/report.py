"""The report of a battle: written, sent, taken back, confirmed."""

from collections.abc import Mapping

from django.db import transaction
from django.http import Http404
from django.utils.translation import gettext as _
from msgspec import structs

from api.call import GM, Ask, call
from api.calls.battles.tags import BATTLE, State, own_battle
from api.conditions import refuse_other
from api.shapes import In
from api.shown.found import Fight, fight_for, the_report
from api.shown.report import BattleReport, LineEdit, LineOf, ReportEdit, battle_report, edits_of, refuse_unwritten
from campaigns.models import Battle
from campaigns.report import Paper
from campaigns.report_rows import read_table
from campaigns.services.confirm_report import confirm_report as confirm
from campaigns.services.send_report import send_report as send
from campaigns.services.take_back_report import take_back_report as take_back
from campaigns.services.write_report_line import write_report_line as write
from rules.engine.errors import RuleViolation


def _report(ask: Ask, fight: Fight) -> BattleReport:
    place = fight.place
    return battle_report(
        read_table(fight.battle), ask.person, plays=place.plays, runs_it=place.runs_it, may_change=place.may_change
    )


def report_now(ask: Ask, campaign: int, number: int) -> BattleReport:
    return _report(ask, fight_for(ask, campaign, number))


def known_version(ask: Ask) -> int | None:
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


def _known(ask: Ask, battle: Battle) -> tuple[Paper, Mapping[str, int] | None]:
    """The paper, and for whoever sent a version that of each part: nothing was written since theirs was compared."""
    table = read_table(battle)
    if ask.expected_version is None:
        return table.paper, None
    refuse_other(ask, the_report(ask, battle.campaign_id, battle.number))
    return table.paper, table.versions


def _written(ask: Ask, battle: Battle, sent: ReportEdit) -> None:
    paper, seen = _known(ask, battle)
    with transaction.atomic():
        refuse_unwritten(write(actor=ask.person, battle=battle, edits=edits_of(sent, paper), seen=seen))


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
    _written(ask, own_battle(ask), body)
    return report_now(ask, campaign, number)


@call(
    "patch",
    f"{BATTLE}/report/lines/{{warband}}/{{fighter}}",
    tag=the_report,
    serves=("report_line",),
    example={"out": 1, "by": "7/f1", "how": "melee"},
)
def write_report_line(ask: Ask, campaign: int, number: int, warband: int, fighter: str, body: LineEdit) -> BattleReport:
    """Write one fighter's line."""
    battle = own_battle(ask)
    if f"w{warband}-{fighter}" not in read_table(battle).paper.lines:
        raise Http404
    line = LineOf(warband=warband, fighter=fighter, **structs.asdict(body))
    _written(ask, battle, ReportEdit(lines=[line]))
    return report_now(ask, campaign, number)


@call("post", f"{BATTLE}/report/sending", tag=the_report, serves=("report",))
def send_report(ask: Ask, campaign: int, number: int) -> BattleReport:
    """Send the report: from now on it waits for the others. With `If-Match`, only what you have read is sent."""
    battle = own_battle(ask)
    _paper, seen = _known(ask, battle)
    send(actor=ask.person, battle=battle, seen=seen)
    return report_now(ask, campaign, number)


@call("post", f"{BATTLE}/report/return", tag=the_report, serves=("report_take_back",))
def take_back_report(ask: Ask, campaign: int, number: int) -> BattleReport:
    """Take back a report that you have sent and that nobody has answered."""
    take_back(actor=ask.person, battle=own_battle(ask), version=known_version(ask))
    return report_now(ask, campaign, number)


class ReportConfirmation(In):
    """`everybody`: as the game master, for all who have not answered."""

    everybody: bool = False


@call("post", f"{BATTLE}/report/confirmation", tag=the_report, serves=("report_confirm",), example={"everybody": False})
def confirm_report(ask: Ask, campaign: int, number: int, body: ReportConfirmation) -> BattleReport:
    """Agree with the report. When all have, the post-game begins."""
    if body.everybody:
        ask.needs(GM)
    confirm(actor=ask.person, battle=own_battle(ask), version=known_version(ask), for_everybody=body.everybody)
    return report_now(ask, campaign, number)
