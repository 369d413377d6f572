"""Whoever sent a report takes it back, as long as nobody has answered it."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Battle
from campaigns.report_rows import Table
from campaigns.reporting import Answer, State, open_report, settle_all
from campaigns.services.confirm_report import give_answer
from campaigns.services.move_battle import move_battle
from campaigns.telling import tell
from rules.engine.errors import RuleViolation


@transaction.atomic
def take_back_report(*, actor: User, battle: Battle, version: int | None = None) -> Battle:
    """It is open for writing again, as it was."""
    table, _standing = open_report(battle, actor, State.REPORTED, version=version)
    if not may_take_back(table, actor):
        raise RuleViolation(
            "report_answered", _("Only whoever sent a report takes it back, and only before somebody has answered.")
        )
    give_answer(table.parts, None, Answer.NONE)
    settle_all(table)
    move_battle(
        battle=table.battle, to=State.PLAYING, reported_by=None, reported_at=None, confirms_itself=None
    )  # fmt: skip
    tell(campaign=table.battle.campaign, kind="report_taken_back", actor=actor, battle=table.battle)
    return table.battle


def may_take_back(table: Table, person: User) -> bool:
    answered = any(part.answer and part.warband.owner_id != person.pk for part in table.parts)
    return table.battle.reported_by_id == person.pk and not answered
