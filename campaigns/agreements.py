"""Answers that nobody gives alone: what one side says of a deal counts when the other has agreed to it."""

from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import Run
from campaigns.offers import ransom_of, settled_with
from market.models import Offer
from rules.engine.captives import WON
from rules.engine.errors import RuleViolation
from rules.engine.questions import Question

TOPICS = ("player_trade", "ransom", "rescue")
"""No policy answers these but by their defaults: no deal, no mission."""


def refuse_alone(question: Question, answer: Any, run: Run) -> None:
    """A player says no alone, and yes only with the other side."""
    if question.topic == "player_trade" and answer:
        raise RuleViolation("needs_both", _("A deal needs both sides. Make an offer; it counts when they agree."))
    if question.topic == "ransom":
        _refuse_ransom(question, answer, run)
    if question.topic == "rescue" and _says_won(answer) != _is_won(question, run):
        raise RuleViolation(
            "needs_both", _("What came of a rescue mission counts when both sides say so. Do it on the captive's page.")
        )


def _refuse_ransom(question: Question, answer: Any, run: Run) -> None:
    agreed = settled_with(run.battle, run.warband_id, question.fighter, Offer.Kind.RANSOM)
    if agreed is not None and answer != [ransom_of(agreed)]:
        raise RuleViolation("agreed", _("You have agreed on a ransom for this captive, and it stands."))
    if agreed is None and answer:
        raise RuleViolation("needs_both", _("A ransom needs both sides. Make an offer; it counts when they agree."))


def _says_won(answer: Any) -> bool:
    return bool(answer == WON)


def _is_won(question: Question, run: Run) -> bool:
    return settled_with(run.battle, run.warband_id, question.fighter, Offer.Kind.RESCUE) is not None
