"""The ten steps with everybody at theirs, and who waits for whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Run
from campaigns.postgame import Outcome, Table, waits_on
from campaigns.services.answer_question import who_answers
from campaigns.walk import words
from rules.engine.rounds import step_of
from rules.engine.sequence import STEPS
from warbands.words import several

DONE, NOW, AHEAD = "done", "now", ""


@dataclass(frozen=True)
class Stop:
    """A step of the rail."""

    name: str
    number: int
    state: str
    here: Sequence[User]
    """The others who are at it."""


@dataclass(frozen=True)
class Seat:
    """Another warband at the table: where it is, and in a few words what it does there."""

    run: Run
    owner: User
    says: str
    waits: Sequence[int]


def place_of(run: Run) -> int:
    """Which of the ten, the first being 1; past the last when it is finished."""
    names = list(STEPS)
    return names.index(step_of(run.step)) + 1 if run.step else len(names) + 1


def rail(run: Run, seats: Sequence[Seat]) -> list[Stop]:
    now = place_of(run)
    return [
        Stop(
            words.step(name),
            number,
            DONE if number < now else NOW if number == now else AHEAD,
            [seat.owner for seat in seats if seat.run.step and place_of(seat.run) == number],
        )
        for number, name in enumerate(STEPS, 1)
    ]


def seats(table: Table, run: Run, owners: Mapping[int, User], outcomes: Mapping[int, Outcome]) -> list[Seat]:
    """The others, as far as they are."""
    found = []
    for key, other in table.runs.items():
        if key != run.warband_id:
            waits = waits_on(table, other) if other.state == Run.State.OPEN else []
            found.append(Seat(other, owners[key], _says(other, waits, owners, run, outcomes.get(key)), waits))
    return found


def _says(run: Run, waits: Sequence[int], owners: Mapping[int, User], reader: Run, outcome: Outcome | None) -> str:
    name = owners[run.warband_id].name
    if run.state != Run.State.OPEN:
        return _("%(name)s is done.") % {"name": name}
    step = words.step(step_of(run.step))
    if waits:
        late = several(_("you") if key == reader.warband_id else owners[key].name for key in waits)
        return _("%(name)s stands before %(step)s and waits for %(late)s.") % {"name": name, "step": step, "late": late}
    asked = who_answers(outcome.question, run) if outcome is not None and outcome.question is not None else 0
    if asked and asked != run.warband_id:
        whom = _("you") if asked == reader.warband_id else owners[asked].name
        return _("%(name)s waits at %(step)s for a word from %(whom)s.") % {"name": name, "step": step, "whom": whom}
    return _doing(outcome) % {"name": name, "step": step}


def _doing(outcome: Outcome | None) -> str:
    if outcome is None:
        return _("%(name)s is at %(step)s.")
    if outcome.question is not None:
        return _("%(name)s has a decision to make at %(step)s.")
    if outcome.wanted is not None:
        return _("%(name)s has a roll to make at %(step)s.")
    return _("%(name)s looks over %(step)s.")


def waiting_for(table: Table, run: Run, owners: Mapping[int, User]) -> str:
    """The names of those whom this run waits for; nothing if it can go on."""
    if run.state != Run.State.OPEN:
        return ""
    return several(f"{owners[key].name} ({table.rows[key].name})" for key in waits_on(table, run))
