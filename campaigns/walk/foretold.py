"""What would be done for a player who leaves: told before it is done, and without a look at the dice."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from campaigns.models import Policy
from campaigns.policies import policy_of
from campaigns.walk import words
from campaigns.walk.sheet import Sheet
from campaigns.walk.story import answer_text
from campaigns.walk.wishes import habit
from rules.engine.rounds import step_of
from rules.engine.sequence import STEPS

ASKS: dict[str, tuple[str, ...]] = {
    "start": ("used_in_battle",),
    "injury": ("vanquish_before_injuries", "healing_herb", "devotion", "pits", "ransom"),
    "exploration": (
        "modify_exploration", "espionage", "keep_six", "which_set", "drink_from_the_well", "lucky_foot", "straggler",
        "loot_graves", "enter_the_pit", "lost_in_the_pit", "fighting_arena", "raise_the_dead", "upkeep",
    ),
    "advancement": ("advance", "skill", "seventh_hero", "skill_lists"),
    "player_trade": ("rescue", "player_trade"),
    "trading": ("streetwise", "trade"),
    "allocation": ("allocate",),
    "warband": ("vanquish", "equal_equipment", "too_many_heroes", "leader"),
}  # fmt: skip
"""What a step may ask."""


@dataclass(frozen=True)
class Habit:
    name: str
    does: str
    is_reserved: bool


@dataclass(frozen=True)
class StepAhead:
    name: str
    is_now: bool
    habits: Sequence[Habit]


@dataclass(frozen=True)
class Foretold:
    question: str
    answer: str
    """Of the question that is open now."""
    roll: str
    steps: Sequence[StepAhead]
    stops: str


def foretell(sheet: Sheet, policy: Policy | None) -> Foretold:
    wishes = policy.wishes if policy is not None else {}
    reserved = policy.reserved if policy is not None else []
    names = list(STEPS)
    ahead = names[sheet.number - 1 :]
    return Foretold(
        question=sheet.question.ask if sheet.question is not None else "",
        answer=_answer(sheet, policy),
        roll=_roll(sheet),
        steps=[
            StepAhead(
                words.step(name),
                name == step_of(sheet.run.step),
                [Habit(str(words.topic(topic).short), habit(topic, wishes, sheet.table.pack), topic in reserved)
                 for topic in ASKS.get(name, ())],
            )
            for name in ahead
        ],
        stops=_("It stops where another player is needed, and at what you want to be asked about.")
        if reserved
        else _("It stops where another player is needed."),
    )  # fmt: skip


def _answer(sheet: Sheet, policy: Policy | None) -> str:
    """The question lies on the table, so its answer tells nothing of dice that were not thrown."""
    outcome = sheet.outcome
    if outcome is None or outcome.question is None:
        return ""
    given = policy_of(policy, reserve=False).answer(outcome.question, outcome.traced)
    return answer_text(outcome.question, given)


def _roll(sheet: Sheet) -> str:
    wanted = sheet.wanted
    if wanted is None:
        return ""
    facts = {"what": wanted.title, "dice": wanted.wanted.expression, "name": wanted.about}
    return _("%(what)s for %(name)s, %(dice)s") % facts if wanted.about else _("%(what)s, %(dice)s") % facts
