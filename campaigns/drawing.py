"""Pictures as plain data for partials/charts: a drawing for a phone and one for a desk.

Places are strings already, because templates write numbers in the reader's language and SVG does not read that.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

NARROW, WIDE = 358.0, 784.0
LETTER, BOLD = 0.62, 1.12
"""How wide a letter is on average, in parts of its size; that of a wide font, since nobody knows which one is there."""


def place(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


@dataclass(frozen=True, slots=True)
class Line:
    tag: ClassVar[str] = "path"
    look: str
    d: str


@dataclass(frozen=True, slots=True)
class Box:
    tag: ClassVar[str] = "rect"
    look: str
    x: str
    y: str
    width: str
    height: str
    round: int = 0


@dataclass(frozen=True, slots=True)
class Dot:
    tag: ClassVar[str] = "circle"
    look: str
    x: str
    y: str
    r: str = "3"


@dataclass(frozen=True, slots=True)
class Word:
    tag: ClassVar[str] = "text"
    look: str
    x: str
    y: str
    text: str
    anchor: Literal["start", "middle", "end"] = "start"


Mark = Line | Box | Dot | Word


@dataclass(frozen=True, slots=True)
class Drawing:
    size: Literal["narrow", "wide"]
    width: str
    height: str
    marks: tuple[Mark, ...]


def line(look: str, *points: tuple[float, float]) -> Line:
    return Line(look, "M" + "L".join(f"{place(x)} {place(y)}" for x, y in points))


def box(look: str, x: float, y: float, width: float, height: float, rounded: int = 0) -> Box:
    return Box(look, place(x), place(y), place(max(width, 0)), place(max(height, 0)), rounded)


def word(look: str, x: float, y: float, text: str, anchor: Literal["start", "middle", "end"] = "start") -> Word:
    return Word(look, place(x), place(y), text, anchor)


def width_of(text: str, size: float) -> float:
    return len(text) * LETTER * size


def shorten(text: str, room: float, size: float) -> str:
    """To what fits; a name gives up its article before its end."""
    letters = max(int(room / (LETTER * size)), 2)
    if len(text) > letters:
        text = text.removeprefix("The ")
    return text if len(text) <= letters else text[: letters - 1].rstrip() + "…"


def wrapped(text: str, room: float, size: float, most: int = 3) -> list[str]:
    """Lines that fit; the last one says by dots that there is more."""
    lines: list[str] = []
    for part in text.split():
        longer = f"{lines[-1]} {part}" if lines else part
        if lines and width_of(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(part)
    if len(lines) > most:
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return [shorten(each, room, size) for each in lines]
