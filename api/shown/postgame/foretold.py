"""What finishing a run by habit would do."""

from api.shapes import Out
from campaigns.walk.foretold import Foretold


class ForetoldHabit(Out):
    """What would be done about a topic; `is_reserved`: it stops there, because you want to be asked."""

    name: str
    does: str
    is_reserved: bool


class ForetoldStep(Out):
    name: str
    is_now: bool
    habits: list[ForetoldHabit]


class RunForetold(Out):
    """What finishing by habit would do: the open question and roll, then step by step."""

    question: str
    answer: str
    roll: str
    steps: list[ForetoldStep]
    stops: str


def run_foretold(found: Foretold) -> RunForetold:
    return RunForetold(
        question=found.question,
        answer=found.answer,
        roll=found.roll,
        steps=[
            ForetoldStep(
                name=str(step.name),
                is_now=step.is_now,
                habits=[
                    ForetoldHabit(name=one.name, does=one.does, is_reserved=one.is_reserved) for one in step.habits
                ],
            )
            for step in found.steps
        ],
        stops=found.stops,
    )
