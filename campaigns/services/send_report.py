"""Send the report of a battle: from now on it waits for those who fought it."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from campaigns.models import Battle
from campaigns.report_checks import grave
from campaigns.report_rows import Table, read_table, write_missing_lines
from campaigns.reporting import Answer, State, answer_matter, deadline_words, open_report, refuse_unseen
from campaigns.services.confirm_report import finish_report, give_answer
from campaigns.services.move_battle import move_battle
from campaigns.telling import notify, tell
from rules.engine.errors import RuleViolation


@transaction.atomic
def send_report(*, actor: User, battle: Battle, seen: Mapping[str, int] | None = None) -> Battle:
    """`seen` are the versions of the parts that the sender looked at: nobody signs what they have not seen."""
    table, _standing = open_report(battle, actor, State.PLAYING)
    refuse_unseen(table, seen)
    wrong = grave(table.cast, table.paper, table.pack.achievements)
    if wrong:
        raise RuleViolation("report_incomplete", wrong[0].sentence)
    write_missing_lines(table, actor)
    sent = move_battle(
        battle=table.battle, to=State.REPORTED, reported_by=actor, reported_at=timezone.now(),
        confirms_itself=confirms_itself(table.battle),
    )  # fmt: skip
    table = read_table(sent)
    give_answer(table.own(actor), actor, Answer.CONFIRMED)
    tell(campaign=sent.campaign, kind="report_sent", actor=actor, battle=sent)
    if not table.unanswered:
        return finish_report(table, actor)
    _ask(table, actor)
    return sent


def confirms_itself(battle: Battle) -> datetime | None:
    """When a report that is sent now would count as confirmed; never, if the campaign says so."""
    hours = battle.campaign.house_rules.confirm_hours
    return timezone.now() + timedelta(hours=hours) if hours > 0 else None


def _ask(table: Table, actor: User) -> None:
    battle = table.battle
    kind = "report_sent" if battle.confirms_itself else "report_sent_open"
    for person in {part.warband.owner_id for part in table.unanswered}:
        notify(
            [person], kind=kind, campaign=battle.campaign, matter=answer_matter(battle, person),
            address=reverse("report", args=[battle.campaign_id, battle.number]), number=battle.number,
            actor=actor.name, deadline=deadline_words(battle),
        )  # fmt: skip
