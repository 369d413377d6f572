"""Rolls as the proof page lists them: by part of the battle, and whose they were."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _

from campaigns.proof import Checked
from campaigns.walk import words
from campaigns.walk.story import Face


@dataclass(frozen=True)
class RollLine:
    one: Checked
    title: str
    faces: Sequence[Face]

    @property
    def data_faces(self) -> str:
        return " ".join(map(str, self.one.roll.faces))

    @property
    def data_rerolls(self) -> str:
        """`2:4 0:1`: which die was thrown again, and what it showed before."""
        return " ".join(f"{again.die}:{again.was}" for again in self.one.roll.rerolls)


@dataclass(frozen=True)
class Group:
    title: str
    lines: Sequence[RollLine]


def groups_of(checked: Iterable[Checked]) -> list[Group]:
    listed = groupby(checked, key=lambda one: (one.roll.part, one.roll.who))
    return [Group(_title(part, who), [_line(one) for one in lines]) for (part, who), lines in listed]


def _title(part: str, who: str) -> str:
    name = _("Pre-game") if part == "pregame" else str(words.step(part))
    return f"{name}, {who}" if who else _("%(part)s, for everybody") % {"part": name}


def _line(one: Checked) -> RollLine:
    was = {again.die: again.was for again in one.roll.rerolls}
    state = "typed" if one.roll.physical else ""
    faces = [Face(face, state, was.get(place)) for place, face in enumerate(one.roll.faces)]
    return RollLine(one, words.purpose(one.roll.purpose), faces)
