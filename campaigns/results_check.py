"""Whether the rows of a results file make sense in a campaign. Everything is looked at; each mistake has its place."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from campaigns.models import Campaign, Participation
from campaigns.packs import pack_of
from campaigns.report import HOWS, Band, Cast, Fighter, Line, Paper, Side, edited
from campaigns.report_checks import MOST, Finding, grave
from campaigns.results_file import OF_FIGHTER, SEVERAL, Problem, Row
from campaigns.results_given import Given, GivenSide, edits_of
from campaigns.services.propose_battle import FEWEST
from campaigns.services.propose_battle import MOST as MOST_WARBANDS
from rules.engine.battle import DRAWN, OTHER, RESULTS, WON, WON_ALLIED
from rules.engine.state import Warband as State
from warbands.models import Warband
from warbands.projection import read_states

YES = {"": True, "yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


@dataclass(frozen=True)
class Checked:
    battles: list[Given]
    problems: list[Problem]


def check_results(rows: Sequence[Row], campaign: Campaign, *, resolves: bool) -> Checked:
    """In a handful of queries, however long the file."""
    roster = _Roster(campaign)
    by_battle: dict[str, list[Row]] = {}
    for row in rows:
        by_battle.setdefault(row.get("battle"), []).append(row)
    roster.read({row.get("warband") for row in rows})
    readers = [_Reader(name, lines, roster) for name, lines in by_battle.items()]
    battles = [given for reader in readers if (given := reader.read()) is not None]
    problems = [problem for reader in readers for problem in reader.problems]
    if not resolves:
        problems += _twice(readers)
    return Checked(battles, problems)


def _twice(readers: Sequence["_Reader"]) -> Iterator[Problem]:
    """A warband is in one battle at a time, so only resolving lets it go on to the next."""
    before: dict[int, str] = {}
    for reader in readers:
        for warband, row in reader.first_rows.items():
            if warband in before:
                words = {"name": row.get("warband"), "battle": before[warband]}
                yield row.problem(
                    "warband",
                    _("%(name)s is in battle %(battle)s of this file too. Have the battles resolved at once.") % words,
                )
            before.setdefault(warband, reader.name)


class _Roster:
    """The warbands of a campaign, by name and by number, and those of the file as the engine reads them."""

    def __init__(self, campaign: Campaign) -> None:
        self.pack = pack_of(campaign)
        there = Warband.objects.filter(
            enrolments__campaign=campaign, enrolments__left=None, status=Warband.Status.READY
        ).select_related("owner")
        self.rows = {row.pk: row for row in there}
        self.named: dict[str, list[int]] = {}
        for row in self.rows.values():
            self.named.setdefault(row.name.casefold(), []).append(row.pk)
        self.states: dict[int, State] = {}
        busy = Participation.objects.filter(warband__in=self.rows, is_fighting=True)
        self.busy = frozenset(busy.values_list("warband_id", flat=True))

    def read(self, names: set[str]) -> None:
        keys = {key for name in names for key in self.called(name)}
        self.states = read_states([self.rows[key] for key in sorted(keys)])

    def called(self, name: str) -> list[int]:
        found = self.named.get(name.casefold(), [])
        number = name.removeprefix("#")
        if not found and number.isascii() and number.isdecimal() and int(number) in self.rows:
            return [int(number)]
        return found

    def band(self, key: int) -> Band:
        row, state = self.rows[key], self.states[key]
        people = tuple(
            Fighter(key, one.id, one.name, one.models, one.species, not (one.delayed or one.captive_of))
            for one in state.fighters.values()
        )
        return Band(key, row.name, row.owner_id, row.owner.name, float(row.rating), people)


@dataclass
class _Side:
    """A warband of a battle, while its lines are read."""

    band: Band
    row: Row
    values: dict[str, str] = field(default_factory=dict)
    allies: tuple[int, ...] = ()


class _Reader:
    """One battle of the file."""

    def __init__(self, name: str, rows: Sequence[Row], roster: _Roster) -> None:
        self.name, self.rows, self.roster = name, rows, roster
        self.problems: list[Problem] = []
        self.sides: dict[int, _Side] = {}
        self.where: dict[str, Row] = {}

    @property
    def first_rows(self) -> dict[int, Row]:
        return {key: side.row for key, side in self.sides.items()}

    def read(self) -> Given | None:
        """Nothing where something is wrong, with the problems told."""
        if not self.name:
            self._wrong(self.rows[0], "battle", _("Say which battle this is, by a number or a name."))
            return None
        seen = [(row, self._side(row)) for row in self.rows]
        self._refuse_cast()
        if self.problems:
            return None
        lines = {key: line for row, side in seen if side and (found := self._line(row, side)) for key, line in [found]}
        sides = tuple(self._given(side) for side in self.sides.values())
        given = Given(self.name, sides, self._scenario(), lines)
        if not self.problems:
            self._look_at(given)
        return None if self.problems else given

    def _wrong(self, row: Row, column: str, sentence: str) -> None:
        self.problems.append(row.problem(column, sentence))

    # Who met --------------------------------------------------------------------------------------

    def _side(self, row: Row) -> _Side | None:
        key = self._warband(row, "warband", row.get("warband"))
        if key is None:
            return None
        side = self.sides.setdefault(key, _Side(self.roster.band(key), row))
        for column in ("result", "routed", "allies", "achievements", "markers", "points"):
            value = row.get(column)
            if value and side.values.setdefault(column, value) != value:
                self._wrong(
                    row, column, _("Another line of this warband says %(said)s.") % {"said": side.values[column]}
                )
        return side

    def _warband(self, row: Row, column: str, name: str) -> int | None:
        found = self.roster.called(name)
        if len(found) == 1:
            return found[0]
        if not name:
            self._wrong(row, column, _("Say which warband."))
        elif found:
            numbers = ", ".join(f"#{key}" for key in found)
            self._wrong(
                row, column, _("Several warbands are called so. Write its number: %(keys)s.") % {"keys": numbers}
            )
        else:
            self._wrong(row, column, _("No warband of this campaign is called “%(name)s”.") % {"name": name})
        return None

    def _refuse_cast(self) -> None:
        if not self.problems and not FEWEST <= len(self.sides) <= MOST_WARBANDS:
            words = {"fewest": FEWEST, "most": MOST_WARBANDS}
            self._wrong(self.rows[0], "warband", _("A battle has %(fewest)s to %(most)s warbands.") % words)
        for key, side in self.sides.items():
            if key in self.roster.busy:
                self._wrong(
                    side.row, "warband", _("%(name)s is still in another battle. Finish that one first.")
                    % {"name": side.band.name},
                )  # fmt: skip

    def _scenario(self) -> str:
        said = dict.fromkeys(row.get("scenario") for row in self.rows if row.get("scenario"))
        if len(said) > 1:
            self._wrong(self.rows[0], "scenario", _("The lines of this battle name different scenarios."))
        scenario = next(iter(said), "")
        if len(scenario) > 80:
            self._wrong(self.rows[0], "scenario", _("That is longer than 80 letters."))
        return scenario

    # What a warband did ---------------------------------------------------------------------------

    def _given(self, side: _Side) -> GivenSide:
        values, row = side.values, side.row
        result = values.get("result", "")
        if result not in RESULTS:
            self._wrong(
                row, "result", _("Say how it ended for this warband: %(known)s.") % {"known": ", ".join(RESULTS)}
            )
        numbers = {
            name: self._number(row, name, values.get(name, ""), name != "routed")
            for name in ("routed", "markers", "points")
        }
        known = self.roster.pack.achievements
        achievements = _several(values.get("achievements", ""))
        for name in achievements:
            if name not in known:
                self._wrong(row, "achievements", _("There is no achievement called “%(name)s”.") % {"name": name})
        return GivenSide(
            side.band.warband, result, Side(achievements=tuple(sorted(achievements)), **numbers), self._allies(side)
        )

    def _allies(self, side: _Side) -> tuple[int, ...]:
        found = [self._warband(side.row, "allies", name) for name in _several(side.values.get("allies", ""))]
        for key in found:
            if key is not None and (key not in self.sides or key == side.band.warband):
                self._wrong(side.row, "allies", _("An ally has to be another warband of this battle."))
        return tuple(key for key in found if key is not None)

    # What a fighter did ---------------------------------------------------------------------------

    def _line(self, row: Row, side: _Side) -> tuple[str, Line] | None:
        if not row.get("fighter"):
            for column in OF_FIGHTER[1:]:
                if row.get(column):
                    self._wrong(row, "fighter", _("Say whose line this is."))
                    break
            return None
        one = self._fighter(row, "fighter", row.get("fighter"), [side.band])
        if one is None:
            return None
        if one.key in self.where:
            self._wrong(row, "fighter", _("%(name)s has two lines.") % {"name": one.name})
        self.where[one.key] = row
        took_part = YES.get(row.get("took_part").lower())
        if took_part is None:
            self._wrong(row, "took_part", _("Write yes or no."))
        how = row.get("how") or OTHER
        if how not in HOWS:
            self._wrong(row, "how", _("Say how it happened: %(known)s.") % {"known": ", ".join(HOWS)})
        numbers = {name: self._number(row, name, row.get(name)) for name in ("out", "melee", "ranged", "experience")}
        return one.key, Line(took_part=took_part is not False, by=self._by(row, side), how=how, **numbers)

    def _by(self, row: Row, side: _Side) -> str:
        others = [other.band for other in self.sides.values() if other is not side]
        if row.get("by_warband"):
            key = self._warband(row, "by_warband", row.get("by_warband"))
            others = [band for band in others if band.warband == key]
            if key is not None and not others:
                self._wrong(row, "by_warband", _("That is no other warband of this battle."))
        if row.get("by"):
            found = self._fighter(row, "by", row.get("by"), others) if others else None
            return f"{found.warband}/{found.id}" if found else ""
        return f"{others[0].warband}/" if row.get("by_warband") and others else ""

    def _fighter(self, row: Row, column: str, name: str, bands: Sequence[Band]) -> Fighter | None:
        everybody = [one for band in bands for one in band.fighters]
        found = [one for one in everybody if one.name.casefold() == name.casefold()]
        found = found or [one for one in everybody if one.id == name]
        if len(found) == 1:
            return found[0]
        if found:
            keys = ", ".join(one.id for one in found)
            self._wrong(row, column, _("Several are called so. Write the key, one of %(keys)s.") % {"keys": keys})
        else:
            self._wrong(row, column, _("Nobody there is called “%(name)s”.") % {"name": name})
        return None

    def _number(self, row: Row, column: str, text: str, negative: bool = False) -> int:
        digits = text.removeprefix("-") if negative else text
        if not text:
            return 0
        if digits.isascii() and digits.isdecimal() and len(digits) < 4 and int(digits) <= MOST:
            return int(text)
        self._wrong(row, column, _("Use whole numbers up to %(most)s.") % {"most": MOST})
        return 0

    # All of it together ---------------------------------------------------------------------------

    def _look_at(self, given: Given) -> None:
        """The same checks as those of a report that is sent."""
        cast = Cast(tuple(side.band for side in self.sides.values()))
        blank = Paper(
            sides={side.band.key: Side() for side in self.sides.values()},
            lines={key: Line(took_part=one.able) for key, one in cast.fighters.items()},
        )
        results = Counter(side.result for side in given.sides)
        if results[DRAWN] and (results[WON] or results[WON_ALLIED]):
            self._wrong(self.rows[0], "result", _("If somebody won, nobody drew."))
        paper = edited(blank, cast, edits_of(given, blank, cast)).paper
        for found in grave(cast, paper, self.roster.pack.achievements):
            self._wrong(*self._place(found), found.sentence)

    def _place(self, found: Finding) -> tuple[Row, str]:
        if found.where in self.where:
            return self.where[found.where], "fighter"
        for side in self.sides.values():
            if side.band.key == found.where:
                return side.row, "routed" if found.routing else "warband"
        return self.rows[0], "result"


def _several(text: str) -> list[str]:
    return list(dict.fromkeys(part.strip() for part in text.split(SEVERAL) if part.strip()))
