"""What the rules ask of a player: a typed question with its legal answers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from rules.engine.errors import InputError

ONE = "one"
ANY = "any"
ORDERS = "orders"

Answer = str | list[str] | list[dict[str, Any]]


class Option(Struct, frozen=True, gc=False):
    """One legal answer: its key, what to call it, and what it leads to."""

    key: str
    label: str = ""
    consequence: str = ""
    odds: float | None = None


class Question(Struct, frozen=True, gc=False):
    """`one`: choose one option; `any`: choose between `least` and `most` of them; `orders`: a list of orders.

    `topic` names the kind of decision (`skill`, `which_set`, `drink_from_the_well`), for policies and pages.
    """

    key: str
    topic: str
    form: str = ONE
    options: tuple[Option, ...] = ()
    fighter: str = ""
    default: Answer = ""
    """What a player who does not care would answer; always legal."""
    least: int = 0
    most: int = 1
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Numbers and names that a page needs to ask well."""

    def checked(self, answer: Any) -> Answer:
        """The answer if it is a legal one; otherwise an error that says what was allowed."""
        return _CHECKS[self.form](self, answer)

    def _refuse(self, answer: Any) -> InputError:
        return InputError(self.key, f"{answer!r} is no legal answer", ", ".join(option.key for option in self.options))


def _check_one(question: Question, answer: Any) -> Answer:
    if not isinstance(answer, str) or all(option.key != answer for option in question.options):
        raise question._refuse(answer)
    return answer


def _check_any(question: Question, answer: Any) -> Answer:
    known = {option.key for option in question.options}
    if not isinstance(answer, list) or not all(isinstance(key, str) and key in known for key in answer):
        raise question._refuse(answer)
    if len(set(answer)) != len(answer):
        raise question._refuse(answer)
    if not question.least <= len(answer) <= question.most:
        raise InputError(question.key, f"{len(answer)} chosen", f"{question.least} to {question.most}")
    return answer


def _check_orders(question: Question, answer: Any) -> Answer:
    """The shape only; the step that asked checks each order against the rules."""
    if not isinstance(answer, list) or not all(isinstance(order, dict) for order in answer):
        raise InputError(question.key, f"{answer!r} is no list of orders")
    return answer


_CHECKS: dict[str, Callable[[Question, Any], Answer]] = {ONE: _check_one, ANY: _check_any, ORDERS: _check_orders}


class Policy:
    """Answers for a player who is not there. The base policy takes every question's default."""

    def answer(self, question: Question, run: Any) -> Answer | None:
        """An answer, or None to leave the question to its player."""
        return question.default


class Choices(Struct, frozen=True):
    """What a player decided in one step so far. Nothing else is kept of an open step: it is run again."""

    answers: Mapping[str, Any] = field(default_factory=dict)
    fate: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Roll key to the dice that fate rerolls are spent on."""

    def spent_on(self, roll: str) -> Sequence[int]:
        """The dice of a roll that fate throws again, by their place, the first being 0."""
        dice = self.fate.get(roll, ())
        if not isinstance(dice, list | tuple) or not all(type(die) is int for die in dice):
            raise InputError(roll, f"{dice!r} are no dice to reroll", "a list of places, the first being 0")
        return dice
