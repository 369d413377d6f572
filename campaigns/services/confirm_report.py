"""Somebody who fought agrees with the report. When all have, the post-game begins."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.engine_battle import engine_battle, parts_of
from campaigns.locks import lock_fighting
from campaigns.models import Battle, Participation
from campaigns.packs import pack_of
from campaigns.report_rows import Table
from campaigns.reporting import Answer, State, answer_matter, open_report, settle_all
from campaigns.services.move_battle import move_battle
from campaigns.services.open_postgame import open_postgame
from campaigns.services.touch_campaign import touch_campaign
from campaigns.telling import notify, settle, tell
from rules.engine.campaign import Counted, achievements
from rules.engine.errors import RuleViolation
from warbands.projection import read_states


@transaction.atomic
def confirm_report(*, actor: User, battle: Battle, version: int | None = None, for_everybody: bool = False) -> Battle:
    """For one's own warbands, or, as a game master, for all who have not answered."""
    table, standing = open_report(battle, actor, State.REPORTED, version=version)
    if for_everybody and not standing.runs_it:
        raise RuleViolation("not_yours", _("Only the game master confirms for others."))
    waiting = table.unanswered if for_everybody else [part for part in table.own(actor) if part.answer == Answer.NONE]
    if not waiting:
        raise RuleViolation("answered_already", _("You have answered this report already."))
    give_answer(waiting, actor, Answer.CONFIRMED)
    for part in waiting:
        settle(answer_matter(table.battle, part.warband.owner_id))
    if not table.unanswered:
        return finish_report(table, actor)
    return table.battle


def give_answer(parts: Iterable[Participation], actor: User | None, answer: str) -> None:
    for part in parts:
        part.answer, part.answered_by, part.answered_at = answer, actor, timezone.now()
        part.save(update_fields=["answer", "answered_by", "answered_at"])


def finish_report(table: Table, actor: User | None, kind: str = "report_confirmed", **data: Any) -> Battle:
    """The report stands. Campaign and battle are locked by whoever calls; `kind` is how it is told, with `data`."""
    battle = table.battle
    write_achieved(battle)
    move_battle(battle=battle, to=State.CONFIRMED, confirmed_at=timezone.now(), confirms_itself=None)
    settle_all(table)
    tell(campaign=battle.campaign, kind=kind, actor=actor, battle=battle, **data)
    others = {part.warband.owner_id for part in table.parts} - {actor.pk if actor else 0}
    notify(
        others, kind=kind, campaign=battle.campaign, number=battle.number, actor=actor.name if actor else "",
        address=reverse("report", args=[battle.campaign_id, battle.number]), **data,
    )  # fmt: skip
    touch_campaign(campaign=battle.campaign)
    begin_postgame(battle, actor)
    return battle


def write_achieved(battle: Battle) -> None:
    """Claimed and proven, by the warbands as they went in: nothing has changed them since."""
    rows, parts = lock_fighting(battle), parts_of(battle)
    states = {str(pk): state for pk, state in read_states(list(rows.values())).items()}
    counted = Counted(engine_battle(battle, parts), states, pack_of(battle.campaign))
    for part in parts:
        part.achieved = achievements(counted, str(part.warband_id))
        part.save(update_fields=["achieved"])


def begin_postgame(battle: Battle, actor: User | None) -> None:
    open_postgame(battle=battle, actor=actor)
