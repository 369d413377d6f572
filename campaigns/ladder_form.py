"""A ladder as a form: a row a stage, with a name, a note, and where each result leads. Rows are known by number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from campaigns.ladder import Placed
from campaigns.ladder_layout import RESULTS, Stage, Way
from campaigns.services.lay_ladder import LONGEST_KEY, LONGEST_NAME, LONGEST_NOTE, MOST, free_key
from rules.engine.errors import RuleViolation

SPARE = 3
FIRST = 5


@dataclass(frozen=True)
class RowShown:
    """What stands in a row; `leads` are numbers of rows by result, as they were typed."""

    number: int
    key: str = ""
    name: str = ""
    note: str = ""
    leads: Mapping[str, str] = field(default_factory=dict)

    @property
    def choice(self) -> str:
        """As a form sends it."""
        return str(self.number)

    @property
    def label(self) -> str:
        return f"{self.number}. {self.name}" if self.name else _("%(number)s. (new)") % {"number": self.number}

    @property
    def results(self) -> list[tuple[str, object, str]]:
        return [(on, label, self.leads.get(on, "")) for on, label in RESULTS.items()]


@dataclass(frozen=True)
class LadderForm:
    rows: Sequence[RowShown]
    start: str
    seen: str
    moves: Mapping[str, str] = field(default_factory=dict)
    """Keys of stages that go to numbers of rows."""

    def orders(self) -> tuple[list[Stage], list[Way], dict[str, str]]:
        """A row without a name is no stage."""
        filled = [row for row in self.rows if row.name]
        taken = {row.key for row in filled if row.key}
        keys: dict[str, str] = {}
        for row in filled:
            keys[str(row.number)] = row.key or free_key(row.name, taken)
            taken.add(keys[str(row.number)])
        stages = [Stage(keys[str(row.number)], row.name, row.note) for row in filled]
        stages.sort(key=lambda stage: stage.key != keys.get(self.start))
        ways = [
            Way(keys[str(row.number)], _known(keys, number, row.name), on)
            for row in filled
            for on, number in row.leads.items()
            if number
        ]
        return stages, ways, {key: keys[number] for key, number in self.moves.items() if number in keys}


def _known(keys: Mapping[str, str], number: str, name: str) -> str:
    if number not in keys:
        facts = {"name": name, "number": number}
        raise RuleViolation("no_row", _("From %(name)s a way leads to row %(number)s, which has no name.") % facts)
    return keys[number]


def form_of(placed: Placed, seen: str) -> LadderForm:
    """What is there, and some empty rows."""
    stages, ways = placed
    numbers = {stage.key: str(number) for number, stage in enumerate(stages, start=1)}
    leads: dict[str, dict[str, str]] = {stage.key: {} for stage in stages}
    for way in ways:
        leads[way.source][way.on] = numbers[way.to]
    rows = [RowShown(int(numbers[stage.key]), stage.key, stage.name, stage.note, leads[stage.key]) for stage in stages]
    return LadderForm(with_spare(rows), "1", seen)


def with_spare(rows: Sequence[RowShown]) -> list[RowShown]:
    """So many empty rows that there is always somewhere to write."""
    empty = sum(not row.name for row in rows)
    wanted = (SPARE if any(row.name for row in rows) else FIRST) - empty
    last = max((row.number for row in rows), default=0)
    return [*rows, *(RowShown(last + place) for place in range(1, wanted + 1) if last + place <= MOST)]


def read_form(sent: Mapping[str, str]) -> LadderForm:
    count = sent.get("rows", "")
    number = min(int(count), MOST) if count.isdecimal() and len(count) < 4 else 0
    rows = [_row(sent, place) for place in range(1, number + 1)]
    moves = {name.removeprefix("move-"): value for name, value in sent.items() if name.startswith("move-")}
    return LadderForm(rows, sent.get("start", ""), sent.get("seen", ""), moves)


def _row(sent: Mapping[str, str], number: int) -> RowShown:
    def value(name: str, most: int) -> str:
        return sent.get(f"r{number}-{name}", "").strip()[: most + 1]

    leads = {on: value(on, 4) for on in RESULTS}
    key = value("key", LONGEST_KEY)
    return RowShown(number, key, value("name", LONGEST_NAME), value("note", LONGEST_NOTE), leads)
