"""Charts as plain data: two drawings, a sentence and the numbers as a table. templates/partials/charts draws them."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal

from django.utils.text import slugify
from django.utils.translation import gettext as _

from campaigns.drawing import (
    BOLD,
    NARROW,
    WIDE,
    Dot,
    Drawing,
    Mark,
    box,
    line,
    place,
    shorten,
    width_of,
    word,
)
from campaigns.ticks import figure, signed, ticks, ticks_within

Point = tuple[str, float]
Series = tuple[str, Sequence[Point]]
Size = Literal["narrow", "wide"]
MOST = 8
TICK, LABEL = 12, 13
APART = 17.0


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of the table below a chart; the first cell of each is its heading."""

    name: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    key: str
    title: str
    says: str
    columns: tuple[str, ...]
    groups: tuple[Group, ...]
    drawings: tuple[Drawing, ...]


def _chart(
    title: str, key: str, says: str, columns: Iterable[str], groups: Iterable[Group], draw: Callable[[Size], Drawing]
) -> Chart:
    shown = tuple(group for group in groups if group.rows)
    drawings = (draw("narrow"), draw("wide")) if shown else ()
    return Chart(key or slugify(title) or "chart", title, says if shown else "", tuple(columns), shown, drawings)


def _drawing(size: Size, height: float, marks: Iterable[Mark]) -> Drawing:
    return Drawing(size, place(_width(size)), place(height), tuple(marks))


def _width(size: Size) -> float:
    return NARROW if size == "narrow" else WIDE


@dataclass(frozen=True, slots=True)
class Scale:
    """Where a value lies between two places."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


# Lines -------------------------------------------------------------------------------------------
def lines(title: str, series: Sequence[Series], *, chosen: Collection[str] = (), key: str = "") -> Chart:
    """Up to eight lines have their own looks. The chosen stand out and the others are grey; of more than eight,
    only those that stand out have a label, and the table has all.
    """
    drawn = [(name, points) for name, points in series if points]
    groups = [Group(name, tuple((label, figure(value)) for label, value in points)) for name, points in drawn]
    return _chart(
        title,
        key,
        _lines_say(drawn),
        (_("When"), _("Value")),
        groups,
        lambda size: _Lines(drawn, chosen, size).drawing(),
    )


def _lines_say(series: Sequence[Series]) -> str:
    if not series:
        return ""
    ends = sorted(series, key=lambda one: -one[1][-1][1])
    facts = {
        "best": ends[0][0],
        "most": figure(ends[0][1][-1][1]),
        "last": ends[-1][0],
        "least": figure(ends[-1][1][-1][1]),
    }
    if len(series) == 1:
        facts |= {"first": figure(series[0][1][0][1])}
        return _("%(best)s began with %(first)s and now has %(most)s.") % facts
    return _("%(best)s is highest with %(most)s, %(last)s lowest with %(least)s.") % facts


def _looks(names: Sequence[str], chosen: Collection[str]) -> dict[str, str]:
    """A class for each line: its own, that of the one chosen, or grey."""
    standing_out = [name for name in names if name in chosen] or (list(names) if len(names) <= MOST else names[:MOST])
    if len(chosen) == 1 and len(standing_out) == 1 and len(names) > 1:
        return {name: "mine" if name in chosen else "other" for name in names}
    own = {name: f"c{number}" for number, name in enumerate(standing_out[:MOST], 1)}
    return {name: own.get(name, "other") for name in names}


def _shared_labels(series: Sequence[Series]) -> list[str]:
    """Every label once, in the order of the longest line."""
    longest_first = sorted(series, key=lambda one: -len(one[1]))
    return list(dict.fromkeys(label for _name, points in longest_first for label, _value in points))


class _Lines:
    LEFT, TOP, BOTTOM = 40.0, 16.0, 34.0

    def __init__(self, series: Sequence[Series], chosen: Collection[str], size: Size) -> None:
        self.series, self.size = series, size
        self.looks = _looks([name for name, _ in series], chosen)
        self.labels = _shared_labels(series)
        values = [value for _, points in series for _, value in points]
        low, high = _room(values)
        self.ticks = ticks_within(low, high)
        self.height = 290.0
        self.right = _width(size) - (174 if size == "narrow" else 220)
        self.y = Scale(low, high, self.height - self.BOTTOM, self.TOP)

    def drawing(self) -> Drawing:
        marks = [*self._grid(), *_across(self.labels, self.x, self.height - 10, self.right - self.LEFT)]
        for name, points in sorted(self.series, key=lambda one: self.looks[one[0]] != "other"):
            marks += self._line(name, points)
        return _drawing(self.size, self.height, [*marks, *self._names()])

    def x(self, index: int) -> float:
        if len(self.labels) == 1:
            return (self.LEFT + self.right) / 2
        return self.LEFT + index * (self.right - self.LEFT) / (len(self.labels) - 1)

    def _grid(self) -> Iterable[Mark]:
        for tick in self.ticks:
            yield line("grid", (self.LEFT, self.y(tick)), (self.right, self.y(tick)))
            yield word("tick", self.LEFT - 8, self.y(tick) + 4, figure(tick), "end")

    def _line(self, name: str, points: Sequence[Point]) -> list[Mark]:
        look = self.looks[name]
        at = [(self.x(self.labels.index(label)), self.y(value)) for label, value in points]
        end = Dot(f"end {look}", place(at[-1][0]), place(at[-1][1]), "4" if look == "mine" else "3")
        return [line(f"l {look}", *at), end]

    def _names(self) -> Iterable[Mark]:
        """Beside the ends of the lines, pushed apart so that each can be read."""
        named = [one for one in self.series if len(self.series) <= MOST or self.looks[one[0]] != "other"]
        named.sort(key=lambda one: -one[1][-1][1])
        spots = _spread([self.y(points[-1][1]) for _, points in named], self.TOP, self.height - self.BOTTOM)
        for (name, points), y in zip(named, spots, strict=True):
            yield from self._name(name, figure(points[-1][1]), y)

    def _name(self, name: str, value: str, y: float) -> Iterable[Mark]:
        look, x = self.looks[name], self.right + 10
        if look.startswith("c"):
            yield line(f"l {look}", (x, y), (x + 16, y))
            x += 22
        letters = (TICK if self.size == "narrow" else LABEL) * (BOLD if look == "mine" else 1)
        room = _width(self.size) - x - width_of(f" {value}", letters)
        yield word(f"lab {look}", x, y + 4.5, f"{shorten(name, room, letters)} {value}")


def _room(values: Sequence[float]) -> tuple[float, float]:
    """From the least to the most with a little air, and some even where all are the same."""
    low, high = min(values), max(values)
    air = (high - low) * 0.06 or max(abs(high) * 0.1, 1)
    return low - air, high + air


def _spread(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """The same order, from the top, with room between; moved up again where they leave the picture."""
    spots: list[float] = []
    for y in wanted:
        spots.append(max(y, spots[-1] + APART) if spots else max(y, top))
    limit = bottom
    for index in reversed(range(len(spots))):
        spots[index] = min(spots[index], limit)
        limit = spots[index] - APART
    return spots


def _across(labels: Sequence[str], x: Callable[[int], float], y: float, room: float) -> list[Mark]:
    """As many labels as there is room for, the first and the last always."""
    last = len(labels) - 1
    short = [shorten(label, max(room / 3, 40), TICK) for label in labels]
    each = max(width_of(label, TICK) for label in short) + 10
    stride = max(1, ceil(each * last / room)) if last else 1
    shown = [index for index in range(0, last, stride) if last - index >= stride] + [last]
    return [word("tick", x(index), y, short[index], "middle") for index in shown]


# Bars --------------------------------------------------------------------------------------------
def bars(title: str, rows: Sequence[Point], *, key: str = "") -> Chart:
    """One bar a row, in the order given. Values are zero or more."""
    if any(value < 0 for _name, value in rows):
        raise ValueError("a bar cannot be shorter than nothing")
    table = Group("", tuple((name, figure(value)) for name, value in rows))
    return _chart(title, key, _bars_say(rows), (_("Name"), _("Number")), [table], lambda size: _bars(rows, size))


def _bars_say(rows: Sequence[Point]) -> str:
    most = max(rows, key=lambda row: row[1], default=("", 0.0))
    return _("%(name)s has the most, %(number)s.") % {"name": most[0], "number": figure(most[1])}


class _Rows:
    """Names beside the bars at a desk, above them on a phone."""

    TOP, BAR = 8.0, 14.0

    def __init__(self, size: Size, count: int) -> None:
        self.narrow = size == "narrow"
        self.pitch = 46.0 if self.narrow else 32.0
        self.left = 4.0 if self.narrow else 216.0
        self.right = _width(size) - (52 if self.narrow else 60)
        self.bottom = self.TOP + count * self.pitch
        self.height = self.bottom + 26

    def bar(self, index: int) -> float:
        return self.TOP + index * self.pitch + (24 if self.narrow else 9)

    def name(self, index: int, text: str) -> Mark:
        if self.narrow:
            return word("lab", 4, self.bar(index) - 7, shorten(text, NARROW - 8, LABEL))
        return word("lab", self.left - 12, self.bar(index) + 11.5, shorten(text, self.left - 16, LABEL), "end")

    def axis(self, x: float, count: int) -> Iterable[Mark]:
        """Beside the bars only where names stand between them."""
        bars = [(self.bar(index) - 2, self.bar(index) + self.BAR + 2) for index in range(count)]
        for top, bottom in bars if self.narrow else [(self.TOP, self.bottom)]:
            yield line("axis", (x, top), (x, bottom))

    def grid(self, scale: Scale, marks: Sequence[float], write: Callable[[float], str]) -> Iterable[Mark]:
        for tick in marks:
            yield line("grid", (scale(tick), self.TOP), (scale(tick), self.bottom))
            yield word("tick", scale(tick), self.bottom + 18, write(tick), "middle")


def _bars(rows: Sequence[Point], size: Size) -> Drawing:
    frame = _Rows(size, len(rows))
    most = max(value for _name, value in rows) or 1
    marks = ticks_within(0, most, whole=all(value == int(value) for _name, value in rows))
    x = Scale(0, most, frame.left, frame.right)
    drawn = list(frame.grid(x, marks, figure))
    for index, (name, value) in enumerate(rows):
        y = frame.bar(index)
        drawn += [frame.name(index, name), box("bar", frame.left, y, x(value) - frame.left, frame.BAR)]
        drawn.append(word("lab num", x(value) + 6, y + 11.5, figure(value)))
    return _drawing(size, frame.height, drawn)


# Against expectation -----------------------------------------------------------------------------
Expected = tuple[str, float, float]


def against(title: str, rows: Sequence[Expected], *, key: str = "") -> Chart:
    """What happened against what was to be expected: to the right is more, to the left less."""
    table = Group("", tuple((name, figure(had), figure(due), signed(had - due)) for name, had, due in rows))
    columns = (_("Name"), _("Happened"), _("Expected"), _("Difference"))
    return _chart(title, key, _against_say(rows), columns, [table], lambda size: _against(rows, size))


def _against_say(rows: Sequence[Expected]) -> str:
    name, had, due = max(rows, key=lambda row: abs(row[1] - row[2]), default=("", 0.0, 0.0))
    facts = {"name": name, "had": figure(had), "due": figure(due)}
    return _("%(name)s is furthest from what was to be expected: %(had)s, expected %(due)s.") % facts


def _against(rows: Sequence[Expected], size: Size) -> Drawing:
    frame = _Rows(size, len(rows))
    far = max(0.5, *(abs(had - due) for _name, had, due in rows))
    half = ticks_within(0, far, wanted=2)
    marks = [-tick for tick in reversed(half[1:])] + half
    edge = 48.0
    x = Scale(-far, far, frame.left + edge, frame.right)
    drawn = [*frame.grid(x, marks, signed), *frame.axis(x(0), len(rows))]
    for index, (name, had, due) in enumerate(rows):
        y, at = frame.bar(index), x(had - due)
        drawn.append(frame.name(index, _with_expectation(name, had, due) if frame.narrow else name))
        drawn.append(box("bar more" if had > due else "bar less", min(at, x(0)), y, abs(at - x(0)), frame.BAR))
        drawn.append(_beside(at, y + 11.5, signed(had - due), had >= due))
    return _drawing(size, frame.height, drawn)


def _with_expectation(name: str, had: float, due: float) -> str:
    facts = {"name": name, "had": figure(had), "due": figure(due)}
    return _("%(name)s: %(had)s, expected %(due)s") % facts


def _beside(at: float, y: float, text: str, right: bool) -> Mark:
    return word("lab num", at + 6, y, text) if right else word("lab num", at - 6, y, text, "end")


# Histogram ---------------------------------------------------------------------------------------
def histogram(title: str, buckets: Sequence[tuple[str, int]], *, key: str = "") -> Chart:
    """How often each came out."""
    total = sum(count for _label, count in buckets)
    rows = tuple((label, figure(count), _share(count, total)) for label, count in buckets)
    says = _histogram_says(buckets, total)
    columns = (_("Result"), _("How often"), _("Share"))
    return _chart(title, key, says, columns, [Group("", rows)], lambda size: _histogram(buckets, size))


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.1f} %" if total else "–"


def _histogram_says(buckets: Sequence[tuple[str, int]], total: int) -> str:
    label, count = max(buckets, key=lambda bucket: bucket[1], default=("", 0))
    return _("Most often %(label)s: %(count)s of %(total)s.") % {
        "label": label,
        "count": figure(count),
        "total": figure(total),
    }


def _histogram(buckets: Sequence[tuple[str, int]], size: Size) -> Drawing:
    left, right, top, bottom, height = 48.0, _width(size) - 8, 12.0, 216.0, 244.0
    marks = ticks(0, max(count for _label, count in buckets), whole=True)
    y, each = Scale(0, marks[-1], bottom, top), (right - left) / len(buckets)
    drawn: list[Mark] = []
    for tick in marks:
        drawn += [
            line("grid", (left, y(tick)), (right, y(tick))),
            word("tick", left - 8, y(tick) + 4, figure(tick), "end"),
        ]
    gap = min(2.0, each / 5)
    for index, (_label, count) in enumerate(buckets):
        drawn.append(box("bar", left + index * each + gap / 2, y(count), each - gap, bottom - y(count)))
    labels = [label for label, _count in buckets]
    drawn += _across(labels, lambda index: left + (index + 0.5) * each, height - 8, right - left - each)
    return _drawing(size, height, drawn)
