"""A step that asks for orders, as its own page needs it: what was asked, what is drafted, what was answered."""

from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.access import battle_to_walk, may_act
from campaigns.models import Battle, Campaign, Run
from campaigns.postgame import ALLOCATION, MARKET, Outcome, Table, resolve_step, waits_on
from campaigns.services.answer_question import changeable
from market.basket import Standing
from rules.engine.errors import RuleViolation
from rules.engine.questions import ORDERS, Question
from rules.engine.rounds import step_of
from warbands.projection import read_state


@dataclass(frozen=True)
class Ordering:
    """One player's own step. Only his warband is read: these steps look at nobody else's."""

    table: Table
    run: Run

    @property
    def battle(self) -> Battle:
        return self.table.battle

    @property
    def campaign(self) -> Campaign:
        return self.table.campaign

    @property
    def key(self) -> str:
        return f"{self.run.warband_id}/{step_of(self.run.step)}/orders"

    def is_at(self, step: str) -> bool:
        is_open = self.run.state == Run.State.OPEN and self.battle.state == Battle.State.POSTGAME
        return is_open and self.run.step == step

    @cached_property
    def late(self) -> list[str]:
        """Warbands that the step waits for."""
        return [self.table.rows[key].name for key in waits_on(self.table, self.run)]

    @cached_property
    def asking(self) -> Outcome:
        """The step up to where it asks for the orders, with the dice that were thrown until then."""
        unanswered = copy(self.run)
        unanswered.answers = {key: answer for key, answer in self.run.answers.items() if key != self.key}
        return resolve_step(self.table, unanswered)

    @cached_property
    def now(self) -> Outcome:
        """The step with the orders as they were given."""
        return resolve_step(self.table, self.run)

    @property
    def question(self) -> Question | None:
        """Nothing while a roll, another answer or another player comes first."""
        found = self.asking.question
        return found if found is not None and found.form == ORDERS and not self.late else None

    @property
    def is_answered(self) -> bool:
        return self.key in self.run.answers

    @property
    def may_change(self) -> bool:
        """Until a die was thrown after the orders."""
        return not self.is_answered or self.key in changeable(self.now.traced.lines)

    @property
    def draft(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.run.drafts.get(self.key, self.answer)
        return found if self.may_change else self.answer

    @property
    def answer(self) -> list[dict[str, Any]]:
        given: list[dict[str, Any]] = self.run.answers.get(self.key, [])
        return given

    @property
    def is_settled(self) -> bool:
        """What is drafted is what was answered."""
        return self.is_answered and self.draft == self.answer

    @property
    def standing(self) -> Standing:
        traced, table = self.asking.traced, self.table
        facts = self.question.facts if self.question is not None else {}
        return Standing(traced.warbands, traced.me, table.engine_battle, table.pack, table.settings, facts)


def read_ordering(person: User, pk: int, number: int, warband: int) -> Ordering:
    """Three queries, whatever the size of the warband and the number of players; for its player alone."""
    battle = battle_to_walk(person, pk, number)
    runs = {run.warband_id: run for run in battle.runs.select_related("warband__owner")}
    run = runs.get(warband)
    if run is None or not may_act(person, run):
        raise Http404
    for each in runs.values():
        each.battle = battle
    rows = {key: each.warband for key, each in runs.items()}
    states = {str(warband): read_state(run.warband)}
    return Ordering(Table(battle, battle.campaign, (), runs, rows, states), run)


def refuse_shut(ordering: Ordering) -> None:
    """Nobody trades before the market is open, after it is closed, or after dice were thrown for what was paid."""
    if not ordering.is_at(MARKET):
        raise RuleViolation("step_closed", _("The market is closed."))
    if ordering.question is None:
        raise RuleViolation("market_shut", _("The market opens when its status and your rarity pool are rolled."))
    if not ordering.may_change:
        raise RuleViolation("dice_thrown", _("Dice were thrown since you paid. The basket stays as it is."))


def refuse_unallocated(ordering: Ordering) -> None:
    """Equipment changes hands in its own step, when nobody has to be waited for."""
    if not ordering.is_at(ALLOCATION):
        raise RuleViolation("step_closed", _("This step is closed already."))
    if ordering.late:
        raise RuleViolation("waits", _("This step waits for %(names)s.") % {"names": ", ".join(ordering.late)})
