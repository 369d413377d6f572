"""What happened in a step."""

from collections.abc import Iterable
from typing import Any

from api.shapes import Out, Time
from api.shown.postgame.questions import Answer
from campaigns.walk import words
from campaigns.walk.sheet import Sheet
from campaigns.walk.story import answer_text
from campaigns.walk.trace import Line, Story, story_from_plain
from rules.engine.dice import Roll
from rules.engine.rounds import step_of
from rules.engine.run import Fact
from rules.engine.sequence import STEPS
from warbands.names import Names
from warbands.sentences import is_bookkeeping, sentence


class StoryAnswer(Out):
    key: str
    topic: str
    title: str
    fighter: str
    answer: Answer
    text: str


class StoryLine(Out):
    """One thing that happened: a roll, an answer, a fact, or changes.

    Changes are as the ledger holds them: `event` names their kind, and the rest depends on it. `says` has them, and
    facts, as sentences.
    """

    roll: Roll | None
    answer: StoryAnswer | None
    fact: Fact | None
    changes: list[dict[str, Any]]
    says: list[str]


class StepStory(Out):
    """A closed step as it went; `by_policy` if it was answered by habit."""

    step: str
    name: str
    number: int
    by_policy: bool
    closed: Time
    lines: list[StoryLine]


def story_lines(story: Story, names: Names) -> list[StoryLine]:
    return [_line(line, story, names) for line in story.lines]


def _line(line: Line, story: Story, names: Names) -> StoryLine:
    return StoryLine(
        roll=story.rolls[line.roll] if line.roll else None,
        answer=_answered(line) if line.asked is not None else None,
        fact=line.fact,
        changes=[dict(change) for change in line.changes],
        says=list(_says(line, names)),
    )


def _says(line: Line, names: Names) -> Iterable[str]:
    if line.fact is not None:
        text = words.fact(line.fact, names.own.get(line.fact.fighter, ""))
        if text:
            yield str(text)
    for change in line.changes:
        if not is_bookkeeping(change):
            yield sentence(change, names)


def _answered(line: Line) -> StoryAnswer:
    question = line.asked
    assert question is not None
    return StoryAnswer(
        key=question.key,
        topic=question.topic,
        title=str(words.topic(question.topic).short),
        fighter=question.fighter,
        answer=line.answer,
        text=answer_text(question, line.answer),
    )


def step_stories(sheet: Sheet) -> list[StepStory]:
    """The closed steps, in their order."""
    names = list(STEPS)
    return [
        StepStory(
            step=step.step,
            name=str(words.step(step_of(step.step))),
            number=names.index(step_of(step.step)) + 1,
            by_policy=step.by_policy,
            closed=step.closed,
            lines=story_lines(story_from_plain(step.story), sheet.names),
        )
        for step in sheet.own_steps
    ]
