"""One step of one warband's post-game, run from its beginning with the choices made so far.

A step is plain code that rolls, asks and changes. Where an answer or a typed die is missing it stops, and
the result says what it waits for; with the answer added it is run again and comes to the same place with
the same dice. Nothing half applied ever leaves this module.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from rules.engine.battle import Battle, Participant
from rules.engine.changes import Change, IdsTaken, WarbandSet
from rules.engine.dice import DiceSource, NeedsDice, Roll, make_roll
from rules.engine.errors import RuleViolation
from rules.engine.expressions import DiceExpression, parse_dice
from rules.engine.pack.schema import Pack
from rules.engine.questions import Answer, Choices, Policy, Question
from rules.engine.settings import CampaignSettings
from rules.engine.state import Fighter, Item, Warband


class Unanswered(Exception):
    """A question that nobody has answered: the step stops here and waits."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.key)
        self.question = question


class Fact(Struct, frozen=True, gc=False):
    """Something that happened and changed nothing, worth a line in the story: a row that was hit, a test passed."""

    what: str
    fighter: str = ""
    row: str = ""
    roll: str = ""


class PhaseResult(Struct, frozen=True, gc=False):
    """What a step did, what it rolled, and what it waits for. Without `pending` and `needs_dice` it is complete."""

    step: str
    changes: tuple[Change, ...]
    rolls: tuple[Roll, ...]
    facts: tuple[Fact, ...]
    pending: tuple[Question, ...] = ()
    needs_dice: tuple[tuple[str, int], ...] = ()
    asked: tuple[tuple[Question, Answer], ...] = ()
    """Questions that were answered, by the player or for him, in order. Until the step closes he may answer anew."""

    @property
    def complete(self) -> bool:
        """Whether it waits for nothing."""
        return not self.pending and not self.needs_dice


class StepRun:
    """What a step works with. It lives as long as one run; its results are immutable."""

    def __init__(
        self,
        step: str,
        warbands: Mapping[str, Warband],
        me: str,
        battle: Battle,
        pack: Pack,
        dice: DiceSource,
        choices: Choices = Choices(),  # noqa: B008
        settings: CampaignSettings = CampaignSettings(),  # noqa: B008
        policy: Policy | None = None,
    ) -> None:
        self.warbands = dict(warbands)
        self.me = me
        self.battle = battle
        self.pack = pack
        self.dice = dice
        self.choices = choices
        self.settings = settings
        self.policy = policy
        self.changes: list[Change] = []
        self.rolls: list[Roll] = []
        self.facts: list[Fact] = []
        self.asked: list[tuple[Question, Answer]] = []
        self.begin(step)

    def begin(self, step: str) -> None:
        """Go on with another step, on what the ones before it led to."""
        self.step = step
        self._keys: dict[str, int] = {}
        self._prefix = f"{self.me}/{step}/"

    @property
    def state(self) -> Warband:
        """My warband as it is now."""
        return self.warbands[self.me]

    @property
    def part(self) -> Participant:
        """My part in the battle."""
        return self.battle.participants[self.me]

    def fighter(self, key: str) -> Fighter:
        """A member of my warband as it is now."""
        return self.warbands[self.me].fighters[key]

    def change(self, *changes: Change) -> None:
        """Apply changes and record them."""
        now = self.warbands
        for change in changes:
            whose = change.warband
            now[whose] = change.apply(now[whose])
        self.changes += changes

    def note(self, what: str, fighter: str = "", row: str = "", roll: Roll | None = None) -> None:
        """Record something that changed nothing."""
        self.facts.append(Fact(what, fighter, row, roll.key if roll else ""))

    def ask(self, question: Question) -> Answer:
        """The player's answer, else the policy's, else stop here."""
        answer = self._answer(question)
        self.asked.append((question, answer))
        return answer

    def _answer(self, question: Question) -> Answer:
        if self.takes_default(question.key):
            return question.default
        if question.key in self.choices.answers:
            return question.checked(self.choices.answers[question.key])
        answer = self.policy.answer(question, self) if self.policy else None
        if answer is None:
            raise Unanswered(question)
        return question.checked(answer)

    def takes_default(self, key: str) -> bool:
        """Whether a question would be answered by its default: then it need not even be put into words."""
        return type(self.policy) is Policy and key not in self.choices.answers

    def ask_one(self, question: Question) -> str:
        """The key of one option."""
        answer = self.ask(question)
        assert isinstance(answer, str)
        return answer

    def ask_any(self, question: Question) -> list[str]:
        """The keys of some options."""
        return [str(key) for key in self.ask(question)]

    def ask_orders(self, question: Question) -> list[dict[str, Any]]:
        """The player's orders; whether the rules allow them is for the step to say."""
        return [order for order in self.ask(question) if isinstance(order, dict)]

    def key(self, label: str) -> str:
        """A roll's or question's key, unique in this step: the second of a name is `name#2`."""
        keys = self._keys
        if label not in keys:
            keys[label] = 1
            return self._prefix + label
        keys[label] += 1
        return f"{self._prefix}{label}#{keys[label]}"

    def roll(
        self,
        label: str,
        expression: str | DiceExpression = "D6",
        *,
        purpose: str = "",
        modifier: int = 0,
        maximised: int = 0,
        lowest: int | None = None,
        highest: int | None = None,
        fate: bool = True,
    ) -> Roll:
        """Roll, spend the fate rerolls that the player put on this roll, record it."""
        parsed = parse_dice(expression) if isinstance(expression, str) else expression
        key = self.key(label)
        left = self.warbands[self.me].fate_rerolls
        spent = self.choices.spent_on(key) if self.choices.fate else ()
        if len(spent) > left:
            raise RuleViolation("no_fate_left", f"There are {left} fate rerolls left, not {len(spent)}.")
        result = make_roll(
            self.dice, key, purpose or label, parsed, modifier, maximised, lowest, highest, spent, fate and left > 0
        )
        self.rolls.append(result)
        if spent:
            self.change(WarbandSet(self.me, "fate_rerolls", left, left - len(spent), "fate reroll"))
        return result

    def shared_roll(self, label: str, expression: str = "D6", *, purpose: str = "") -> Roll:
        """A roll that counts for everybody in the battle: its key names no warband, so all see the same dice."""
        key = f"{self.battle.id}/{label}"
        parsed = DiceExpression.parse(expression)
        spent = self.choices.spent_on(key)
        result = make_roll(self.dice, key, purpose or label, parsed, fate=spent, fate_allowed=False)
        self.rolls.append(result)
        return result

    def new_id(self, prefix: str) -> str:
        """A number that this warband never gives again."""
        number = self.state.next_id
        self.change(IdsTaken(self.me, 1))
        return f"{prefix}{number}"

    def new_item(self, name: str, upgrades: tuple[str, ...] = (), detail: str = "") -> Item:
        """An item with a number of its own."""
        return Item(self.new_id("i"), name, upgrades, detail)


StepFunction = Callable[[StepRun], None]


Pending = tuple[Question, ...]
Needs = tuple[tuple[str, int], ...]


def go(function: StepFunction, run: StepRun) -> tuple[Pending, Needs]:
    """Run a step as far as it goes; what it waits for."""
    try:
        function(run)
    except Unanswered as stopped:
        return (stopped.question,), ()
    except NeedsDice as stopped:
        return (), ((stopped.key, stopped.count),)
    return (), ()


def resolve(function: StepFunction, run: StepRun) -> PhaseResult:
    """Run a step as far as it goes, and what came of it."""
    pending, needs = go(function, run)
    return PhaseResult(
        run.step, tuple(run.changes), tuple(run.rolls), tuple(run.facts), pending, needs, tuple(run.asked)
    )
