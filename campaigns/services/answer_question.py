"""Answer the question that a step asks, or change an answer after which no die was thrown."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.agreements import refuse_alone
from campaigns.by_hand import ANSWERS, forget
from campaigns.models import Run
from campaigns.postgame import Outcome, waits_on
from campaigns.services.hold_run import Held, held_run, refuse_stranger, refuse_waiting
from campaigns.telling import settle
from campaigns.telling_offers import fate_matter, tell_asked
from campaigns.walk.trace import Line
from rules.engine.errors import RuleViolation
from rules.engine.questions import Question


def answer_question(*, actor: User, run: Run, key: str, answer: Any, expected_version: int | None = None) -> Run:
    """What was answered after it is asked again, since it may no longer be the same question."""
    with held_run(run, actor=actor, expected_version=expected_version) as held:
        refuse_waiting(held)
        outcome = held.outcome()
        question = asked_now(held, outcome, key)
        refuse_stranger(held, actor, who_answers(question, held.run))
        forget(held.run, ANSWERS, [key])
        give_answer(held, question, answer)
    return held.run


def asked_now(held: Held, outcome: Outcome, key: str) -> Question:
    """The question with this key, if it may be answered."""
    question = _open(outcome, key)
    if question is None:
        _refuse(held, key)
    assert question is not None
    return question


def give_answer(held: Held, question: Question, answer: Any) -> None:
    """Whose answer it is was asked before."""
    refuse_alone(question, answer, held.run)
    write_answer(held, question.key, answer)
    if question.topic == "captive_fate":
        settle(fate_matter(held.run, question.fighter))


def write_answer(held: Held, key: str, answer: Any) -> None:
    """Ransoms stand beside each other: another word about one does not touch what was agreed on for the next."""
    later = [name for name in _asked_after(held.outcome().traced.lines, key) if "/ransom/" not in name]
    held.run.answers = {name: given for name, given in held.run.answers.items() if name not in later}
    held.run.answers[key] = answer
    forget(held.run, ANSWERS, later)
    held.outcome()
    held.go_on()
    tell_whose_turn(held)


def who_answers(question: Question, run: Run) -> int:
    """Mostly the owner of the run; what becomes of a captive is its captor's to say."""
    return int(question.facts.get("asked") or run.warband_id)


def tell_whose_turn(held: Held) -> None:
    """A question that is another's now does not wait unseen."""
    run = held.run
    outcome = held.outcome() if run.state == Run.State.OPEN and not waits_on(held.table, run) else None
    question = outcome.question if outcome else None
    if question is not None and who_answers(question, run) != run.warband_id:
        tell_asked(held.table, run, who_answers(question, run), question.fighter)


def changeable(lines: Sequence[Line]) -> list[str]:
    """Keys of answers that may still be changed: no die was thrown since."""
    keys: list[str] = []
    for line in lines:
        if line.roll:
            keys = []
        elif line.asked is not None:
            keys.append(line.asked.key)
    return keys


def _open(outcome: Outcome, key: str) -> Question | None:
    if outcome.question is not None and outcome.question.key == key:
        return outcome.question
    lines = outcome.traced.lines
    asked = {line.asked.key: line.asked for line in lines if line.asked is not None}
    return asked[key] if key in changeable(lines) else None


def _asked_after(lines: Sequence[Line], key: str) -> list[str]:
    keys = [line.asked.key for line in lines if line.asked is not None]
    return keys[keys.index(key) + 1 :] if key in keys else []


def _refuse(held: Held, key: str) -> None:
    if key in held.run.answers:
        raise RuleViolation("dice_thrown", _("Dice were thrown since. This answer cannot be changed any more."))
    raise RuleViolation("not_asked", _("This is not asked now. Look at the page again."))
