"""Disputes about a report, and rulings on them."""

from typing import Literal

from django.http import Http404
from django.utils.translation import gettext as _
from msgspec import field

from api.call import GM, Ask, call
from api.calls.battles.report import known_version, report_now
from api.calls.battles.tags import BATTLE, State, Why
from api.shapes import In
from api.shown.found import Fight, the_report, the_report_to_rule
from api.shown.report import BattleReport, OpenDispute, ReportEdit, claimed_paper, open_dispute
from campaigns.models import Battle, Dispute
from campaigns.report import Paper, from_plain
from campaigns.report_rows import read_table
from campaigns.services.dispute_report import dispute_report as dispute
from campaigns.services.rule_dispute import rule_dispute
from rules.engine.errors import RuleViolation


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
    dispute(actor=ask.person, battle=fight.battle, reason=body.reason, claimed=claimed, version=known_version(ask))
    return report_now(ask, campaign, number)


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
    rule_dispute(actor=ask.person, battle=fight.battle, ruling=body.ruling, paper=paper, version=known_version(ask))
    return report_now(ask, campaign, number)


def _ruled(battle: Battle, found: Dispute, body: Ruling) -> Paper:
    if body.take == "edited":
        return claimed_paper(body.edited, read_table(battle))
    return from_plain(found.reported if body.take == "reported" else found.claimed)
