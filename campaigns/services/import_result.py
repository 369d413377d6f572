"""One result of a file becomes a battle: called, begun, reported and confirmed by the services that people use too."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.battles import matter
from campaigns.models import Battle, Campaign
from campaigns.report_rows import read_table
from campaigns.results_given import Given, edits_of
from campaigns.services.confirm_report import confirm_report
from campaigns.services.propose_battle import propose_battle
from campaigns.services.send_report import send_report
from campaigns.services.start_battle import start_battle
from campaigns.services.write_report_line import write_report_line
from campaigns.telling import settle
from rules.engine.errors import RuleViolation


@transaction.atomic
def import_result(*, actor: User, campaign: Campaign, given: Given) -> Battle:
    """`actor` runs the campaign. What has changed since the file was checked is refused in words."""
    battle = propose_battle(
        actor=actor, campaign=campaign, warbands=given.warbands, scenario=given.scenario, at_once=True
    )
    battle = start_battle(actor=actor, battle=battle, played=True, scenario=given.scenario)
    _report(battle, given, actor)
    sent = send_report(actor=actor, battle=battle)
    if sent.state == Battle.State.REPORTED:
        sent = confirm_report(actor=actor, battle=sent, for_everybody=True)
    for what in ("accept", "report"):
        settle(matter(sent, what))
    return sent


def _report(battle: Battle, given: Given, actor: User) -> None:
    table = read_table(battle)
    edits = edits_of(given, table.paper, table.cast)
    gone = given.lines.keys() - edits.keys()
    if gone:
        names = ", ".join(sorted(gone))
        raise RuleViolation("gone", _("Somebody in this result has gone since: %(names)s.") % {"names": names})
    written = write_report_line(actor=actor, battle=battle, edits=edits)
    if written.refused:
        raise RuleViolation("report_incomplete", written.refused[0].sentence)
