"""A game master answers a question for a player who is not there, and says why."""

from typing import Any

from django.db import transaction
from django.urls import reverse

from accounts.models import User
from campaigns.by_hand import ANSWERS, mark
from campaigns.models import Event, Run
from campaigns.services.answer_question import asked_now, give_answer, who_answers
from campaigns.services.hold_run import Held, held_run, refuse_unless_runs, refuse_waiting
from campaigns.services.note_event import note_event
from campaigns.snapshots import of_run, remember
from campaigns.telling import notify, tell
from campaigns.walk import words
from campaigns.walk.story import answer_text
from rules.engine.questions import Question
from warbands.services.void import checked_reason


@transaction.atomic
def answer_for(
    *, actor: User, run: Run, key: str, answer: Any, reason: str, expected_version: int | None = None
) -> Run:
    """By the same rules as the player's own answer: one after which dice were thrown stays."""
    why = checked_reason(reason)
    with held_run(run, actor=actor, expected_version=expected_version) as held:
        refuse_unless_runs(held, actor)
        refuse_waiting(held)
        question = asked_now(held, held.outcome(), key)
        before = of_run(held.run)
        mark(held.run, ANSWERS, key, actor=actor, reason=why)
        give_answer(held, question, answer)
        event = _tell(held, actor, question, answer, why)
        remember(event, before, of_run(held.run), held.run)
    note_event(actor=actor, event=event, warbands=[who_answers(question, held.run)])
    return held.run


def _tell(held: Held, actor: User, question: Question, answer: Any, why: str) -> Event:
    table = held.table
    whose = table.rows[who_answers(question, held.run)]
    facts = {
        "what": str(words.topic(question.topic).ask), "answer": answer_text(question, answer), "reason": why,
    }  # fmt: skip
    event = tell(campaign=table.campaign, kind="run_answered", actor=actor, battle=table.battle, warband=whose, **facts)
    notify(
        {whose.owner_id} - {actor.pk}, kind="run_answered", campaign=table.campaign, actor=actor.name,
        warband=whose.name, number=table.battle.number,
        address=reverse("postgame", args=[table.campaign.pk, table.battle.number, held.run.warband_id]), **facts,
    )  # fmt: skip
    return event
