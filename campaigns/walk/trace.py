"""A step that remembers the order of what happened in it: a story is a roll, the row it hit, and what that changed."""

from typing import Any

from msgspec import Struct, convert

from rules.engine.changes import Change
from rules.engine.dice import NeedsDice, Roll
from rules.engine.expressions import DiceExpression
from rules.engine.plain import Plain, change_from_plain, change_to_plain
from rules.engine.questions import Answer, Option, Question
from rules.engine.run import Fact, StepRun


class Line(Struct, frozen=True, omit_defaults=True):
    """One thing that happened in a step: a roll, an answered question, a fact, or changes."""

    roll: str = ""
    """The key of a roll; the roll itself is in `rolls`, as it was in the end."""
    asked: Question | None = None
    answer: Any = None
    fact: Fact | None = None
    changes: tuple[Plain, ...] = ()

    @property
    def changed(self) -> list[Change]:
        return [change_from_plain(change) for change in self.changes]


class Story(Struct, frozen=True):
    """A step as it went, from its beginning to where it stopped."""

    lines: tuple[Line, ...] = ()
    rolls: dict[str, Roll] = {}


class Wanted(Struct, frozen=True):
    """A roll that somebody has to make before the step goes on."""

    key: str
    purpose: str
    expression: str
    count: int
    """How many dice are to be thrown, those that fate throws again included."""
    modifier: int = 0
    maximised: int = 0
    shared: bool = False


class Traced(StepRun):
    """A step run that writes down the order of things."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.lines: list[Line] = []
        self.wanted: Wanted | None = None
        super().__init__(*args, **kwargs)

    def change(self, *changes: Change) -> None:
        super().change(*changes)
        if changes:
            self.lines.append(Line(changes=tuple(change_to_plain(change) for change in changes)))

    def note(self, what: str, fighter: str = "", row: str = "", roll: Roll | None = None) -> None:
        super().note(what, fighter, row, roll)
        self.lines.append(Line(fact=self.facts[-1]))

    def ask(self, question: Question) -> Answer:
        answer = super().ask(question)
        self.lines.append(Line(asked=question, answer=answer))
        return answer

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
        try:
            made = super().roll(
                label, expression, purpose=purpose, modifier=modifier, maximised=maximised, lowest=lowest,
                highest=highest, fate=fate,
            )  # fmt: skip
        except NeedsDice as missing:
            text = expression if isinstance(expression, str) else expression.text
            self.wanted = Wanted(missing.key, purpose or label, text, missing.count, modifier, maximised)
            raise
        self.lines.append(Line(roll=made.key))
        return made

    def shared_roll(self, label: str, expression: str = "D6", *, purpose: str = "") -> Roll:
        try:
            made = super().shared_roll(label, expression, purpose=purpose)
        except NeedsDice as missing:
            self.wanted = Wanted(missing.key, purpose or label, expression, missing.count, shared=True)
            raise
        self.lines.append(Line(roll=made.key))
        return made

    @property
    def story(self) -> Story:
        return Story(tuple(self.lines), {roll.key: roll for roll in self.rolls})


def story_from_plain(plain: Plain) -> Story:
    """By hand where the types of answers are more than can be checked; the rest as it is typed."""
    rolls = {key: convert(roll, Roll) for key, roll in plain.get("rolls", {}).items()}
    return Story(tuple(_line(line) for line in plain.get("lines", ())), rolls)


def _line(plain: Plain) -> Line:
    asked, fact = plain.get("asked"), plain.get("fact")
    return Line(
        roll=plain.get("roll", ""),
        asked=_question(asked) if asked else None,
        answer=plain.get("answer"),
        fact=convert(fact, Fact) if fact else None,
        changes=tuple(plain.get("changes", ())),
    )


def _question(plain: Plain) -> Question:
    options = tuple(convert(option, Option) for option in plain.get("options", ()))
    return Question(**{**plain, "options": options})
