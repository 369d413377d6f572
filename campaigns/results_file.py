"""Results of many battles in a file, read as rows: a line a fighter. CSV or JSON; docs/results-file.md describes both.

Here is only the shape. Whether a row makes sense is for `results_check.py`.
"""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from rules.texts import has_hidden, hidden_in, hidden_sentence

COLUMNS = (
    "battle", "scenario", "warband", "result", "routed", "allies", "achievements", "markers", "points",
    "fighter", "took_part", "out", "by_warband", "by", "how", "melee", "ranged", "experience",
)  # fmt: skip
NEEDED = ("battle", "warband")
OF_BATTLE = ("battle", "scenario")
OF_WARBAND = ("warband", "result", "routed", "allies", "achievements", "markers", "points")
OF_FIGHTER = ("fighter", "took_part", "out", "by_warband", "by", "how", "melee", "ranged", "experience")
MOST_BYTES = 4_000_000
MOST_ROWS = 100_000
DELIMITERS = (",", ";", "\t")
SEVERAL = ";"
"""Between several names in one cell."""


@dataclass(frozen=True)
class Problem:
    """`where` is a line of a CSV file, or a place in JSON."""

    where: str
    column: str
    sentence: str


@dataclass(frozen=True)
class Row:
    where: str
    values: Mapping[str, str]

    def get(self, column: str) -> str:
        return self.values.get(column, "")

    def problem(self, column: str, sentence: str) -> Problem:
        return Problem(self.where, column, sentence)


class Unreadable(Exception):
    """The file has no such shape."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)
        self.problems = problems


def read_rows(content: bytes) -> list[Row]:
    """JSON begins with a bracket; everything else is CSV."""
    text = _text(content)
    rows = list(_json_rows(text) if text.lstrip()[:1] in ("{", "[") else _csv_rows(text))
    if not rows:
        raise Unreadable(Problem("", "", _("There is nothing in this file.")))
    if len(rows) > MOST_ROWS:
        raise Unreadable(Problem("", "", _("This file has more than %(most)s lines.") % {"most": MOST_ROWS}))
    return rows


def _text(content: bytes) -> str:
    if len(content) > MOST_BYTES:
        raise Unreadable(Problem("", "", _("This file is larger than 4 MB. Split it.")))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(Problem("", "", _("This file is no text in UTF-8. Save it as CSV in UTF-8."))) from error
    if has_hidden(text):
        raise Unreadable(Problem("", "", _("This file holds characters that nobody sees, or that are no text.")))
    return text


# CSV --------------------------------------------------------------------------------------------------


def _csv_rows(text: str) -> Iterator[Row]:
    first = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        header = [name.strip().lower() for name in next(reader, [])]
        _refuse_header(header)
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield _csv_row(header, cells, reader.line_num)
    except csv.Error as error:
        where = _line(reader.line_num)
        raise Unreadable(Problem(where, "", _("This line cannot be read: %(why)s.") % {"why": error})) from error


def _line(number: int) -> str:
    return _("line %(number)s") % {"number": number}


def _refuse_header(header: list[str]) -> None:
    known = ", ".join(COLUMNS)
    problems = [
        Problem(_line(1), name, _("There is no such column. The columns are: %(known)s.") % {"known": known})
        for name in header
        if name not in COLUMNS
    ]
    problems += [Problem(_line(1), name, _("This column is missing.")) for name in NEEDED if name not in header]
    problems += [
        Problem(_line(1), name, _("This column is there twice."))
        for name in dict.fromkeys(header)
        if header.count(name) > 1
    ]
    if problems:
        raise Unreadable(*problems)


def _csv_row(header: list[str], cells: list[str], number: int) -> Row:
    if len(cells) > len(header) and any(cell.strip() for cell in cells[len(header) :]):
        raise Unreadable(Problem(_line(number), "", _("This line has more cells than there are columns.")))
    return Row(_line(number), {name: cell.strip() for name, cell in zip(header, cells, strict=False)})


# JSON -------------------------------------------------------------------------------------------------


def _json_rows(text: str) -> Iterator[Row]:
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Unreadable(Problem("", "", _("This is no JSON: %(why)s.") % {"why": error})) from error
    for where in hidden_in(found, ""):
        raise Unreadable(Problem(where.removeprefix("."), "", hidden_sentence()))
    battles = found.get("battles") if isinstance(found, dict) else found
    for place, battle in enumerate(_listed(battles, "battles")):
        where = f"battles[{place}]"
        shared = _values(battle, where, OF_BATTLE, "warbands")
        shared.setdefault("battle", str(place + 1))
        for spot, warband in enumerate(_listed(battle.get("warbands"), f"{where}.warbands")):
            yield from _warband_rows(warband, f"{where}.warbands[{spot}]", shared)


def _warband_rows(warband: Any, where: str, shared: Mapping[str, str]) -> Iterator[Row]:
    own = {**shared, **_values(warband, where, OF_WARBAND, "fighters")}
    yield Row(where, own)
    for place, fighter in enumerate(_listed(warband.get("fighters", []), f"{where}.fighters")):
        deep = f"{where}.fighters[{place}]"
        kept = {name: own[name] for name in (*OF_BATTLE, "warband") if name in own}
        yield Row(deep, kept | _values(fighter, deep, OF_FIGHTER, ""))


def _listed(found: Any, where: str) -> list[Any]:
    if not isinstance(found, list):
        raise Unreadable(Problem(where, "", _("Here has to be a list.")))
    return found


def _values(found: Any, where: str, columns: tuple[str, ...], below: str) -> dict[str, str]:
    if not isinstance(found, dict):
        raise Unreadable(Problem(where, "", _("Here has to be an object with names and values.")))
    unknown = [name for name in found if name not in (*columns, below)]
    if unknown:
        known = ", ".join(columns)
        sentence = _("There is no such name here. The names are: %(known)s.") % {"known": known}
        raise Unreadable(*(Problem(where, name, sentence) for name in unknown))
    return {name: _cell(found[name], where, name) for name in columns if name in found}


def _cell(value: Any, where: str, name: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(one, str | int) for one in value):
        return SEVERAL.join(map(str, value))
    if isinstance(value, str | int):
        return str(value).strip()
    raise Unreadable(Problem(where, name, _("Here has to be a text, a whole number or a list of texts.")))
