"""Somebody who fought says that it was otherwise, and how. The game master rules."""

from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Battle, Dispute
from campaigns.report import Paper, differences, to_plain
from campaigns.report_checks import grave
from campaigns.report_rows import Table
from campaigns.reporting import Answer, State, open_report, ruling_matter, settle_all
from campaigns.services.confirm_report import give_answer
from campaigns.services.move_battle import move_battle
from campaigns.telling import notify, runners, tell
from rules.engine.errors import RuleViolation


@transaction.atomic
def dispute_report(*, actor: User, battle: Battle, reason: str, claimed: Paper, version: int | None = None) -> Dispute:
    """Both versions are kept as they are now, side by side."""
    table, _standing = open_report(battle, actor, State.REPORTED, version=version)
    mine = [part for part in table.own(actor) if part.answer == Answer.NONE]
    if not mine:
        raise RuleViolation("answered_already", _("Only those who fought and have not answered yet dispute a report."))
    _refuse_empty(table, reason, claimed)
    made = Dispute.objects.create(
        battle=table.battle, by=actor, reason=reason.strip(), reported=to_plain(table.paper), claimed=to_plain(claimed)
    )
    give_answer(mine, actor, Answer.DISPUTED)
    settle_all(table)
    move_battle(battle=table.battle, to=State.DISPUTED, confirms_itself=None)
    _tell(table, actor, made)
    return made


def _refuse_empty(table: Table, reason: str, claimed: Paper) -> None:
    if not reason.strip():
        raise RuleViolation("no_reason", _("Say in a sentence what was otherwise."))
    if not differences(table.paper, claimed):
        raise RuleViolation("no_difference", _("Your version is the same as the report. Change what was otherwise."))
    wrong = grave(table.cast, claimed, table.pack.achievements)
    if wrong:
        raise RuleViolation("report_incomplete", wrong[0].sentence)


def _tell(table: Table, actor: User, made: Dispute) -> None:
    battle = table.battle
    tell(campaign=battle.campaign, kind="report_disputed", actor=actor, battle=battle, reason=made.reason)
    where: dict[str, Any] = {"campaign": battle.campaign, "number": battle.number, "actor": actor.name}
    arguments = [battle.campaign_id, battle.number]
    gms = set(runners(battle.campaign))
    notify(
        gms, kind="dispute_waits", address=reverse("report_rule", args=arguments), matter=ruling_matter(battle), **where
    )
    fought = {part.warband.owner_id for part in table.parts} - gms - {actor.pk}
    notify(fought, kind="report_disputed", address=reverse("report", args=arguments), **where)
