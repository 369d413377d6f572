"""The game master says how it was, and why. With that the report stands."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Battle, Dispute
from campaigns.report import Paper
from campaigns.report_checks import grave
from campaigns.report_rows import Table, read_table, write_paper
from campaigns.reporting import Answer, State, open_report
from campaigns.services.confirm_report import finish_report, give_answer
from rules.engine.errors import RuleViolation


@transaction.atomic
def rule_dispute(*, actor: User, battle: Battle, ruling: str, paper: Paper, version: int | None = None) -> Battle:
    """`paper` is one of the two versions, or a third."""
    table, standing = open_report(battle, actor, State.DISPUTED, version=version)
    if not standing.runs_it:
        raise RuleViolation("not_yours", _("Only the game master rules on a dispute."))
    _refuse_wrong(table, ruling, paper)
    write_paper(table, paper, actor)
    Dispute.objects.filter(battle=table.battle, ruled=None).update(
        ruling=ruling.strip(), ruled_by=actor, ruled=timezone.now()
    )
    ruled = read_table(table.battle)
    give_answer((part for part in ruled.parts if part.answer != Answer.CONFIRMED), actor, Answer.CONFIRMED)
    return finish_report(ruled, actor, kind="report_ruled", ruling=ruling.strip())


def _refuse_wrong(table: Table, ruling: str, paper: Paper) -> None:
    if not ruling.strip():
        raise RuleViolation("no_reason", _("Say in a sentence why, for those who fought."))
    wrong = grave(table.cast, paper, table.pack.achievements)
    if wrong:
        raise RuleViolation("report_incomplete", wrong[0].sentence)
