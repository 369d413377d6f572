"""Post-games for tests: opened, and walked with few words."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from campaigns.locks import lock_battle
from campaigns.models import Battle, Run
from campaigns.playing import Playing
from campaigns.postgame import Outcome, Table, read_table, resolve_step, waits_on
from campaigns.services.answer_question import answer_question
from campaigns.services.close_step import close_step
from campaigns.services.finish_run import finish_run
from campaigns.services.open_postgame import open_postgame
from campaigns.services.throw_dice import throw_all
from tests.campaigns.stage import Scene, a_battle, a_scene

__all__ = ["Outcome", "Playing", "Table"]


def a_postgame(scene: Scene | None = None, *names: str, **fields: Any) -> tuple[Scene, Battle]:
    """A battle whose post-game has just begun."""
    found = scene or a_scene()
    battle = a_battle(found, *names, state=Battle.State.CONFIRMED, **fields)
    return found, opened(battle)


def opened(battle: Battle) -> Battle:
    with transaction.atomic():
        return open_postgame(battle=lock_battle(battle), actor=None)


def run_of(battle: Battle, warband: Any) -> Run:
    return Run.objects.select_related("warband__owner", "battle__campaign").get(battle=battle, warband=warband)


def now(run: Run) -> Outcome:
    """The step that it is at, as far as it goes."""
    table = read_table(Battle.objects.select_related("campaign").get(pk=run.battle_id))
    return resolve_step(table, table.runs[run.warband_id])


def waiting(run: Run) -> list[int]:
    table = read_table(Battle.objects.select_related("campaign").get(pk=run.battle_id))
    return waits_on(table, table.runs[run.warband_id])


def walk(run: Run, answers: Mapping[str, Any] | None = None, *, until: str = "") -> Run:
    """Step by step with the server's dice: wished answers by topic, else defaults; to the end or to a step."""
    wished = answers or {}
    owner = run.warband.owner
    while True:
        run = run_of(run.battle, run.warband_id)
        if not run.step or run.step == until or waiting(run):
            return run
        outcome = now(run)
        if outcome.wanted is not None:
            throw_all(actor=owner, run=run)
        elif outcome.question is not None:
            question = outcome.question
            answer_question(actor=owner, run=run, key=question.key, answer=wished.get(question.topic, question.default))
        else:
            close_step(actor=owner, run=run, step=run.step)


def walk_all(battle: Battle) -> None:
    """Everybody to the end."""
    while open_runs := list(battle.runs.filter(state=Run.State.OPEN)):
        for run in open_runs:
            walk(run_of(battle, run.warband_id))


def finish_all(battle: Battle) -> None:
    """Everybody by policy."""
    while open_runs := list(battle.runs.filter(state=Run.State.OPEN).select_related("warband__owner")):
        for run in open_runs:
            found = run_of(battle, run.warband_id)
            if found.step and not waiting(found):
                finish_run(actor=run.warband.owner, run=found)
