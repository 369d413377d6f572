"""Calendars as RFC 5545 wants them: text that every calendar program reads."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

PRODUCT = "-//Aftermath//Campaign calendar//EN"
LINE = 75
"""Octets, without the line break (3.1)."""
CONFIRMED, TENTATIVE, CANCELLED = "CONFIRMED", "TENTATIVE", "CANCELLED"


@dataclass(frozen=True)
class Entry:
    """One date; without an end it is a moment."""

    uid: str
    start: datetime
    summary: str
    end: datetime | None = None
    description: str = ""
    location: str = ""
    url: str = ""
    sequence: int = 0
    status: str = CONFIRMED


def written(name: str, entries: Iterable[Entry], *, now: datetime) -> str:
    """The whole calendar; `now` is when it was written."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:{PRODUCT}",
        "CALSCALE:GREGORIAN",
        f"X-WR-CALNAME:{text(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        *(line for entry in entries for line in _entry(entry, now)),
        "END:VCALENDAR",
    ]
    return "".join(f"{folded(line)}\r\n" for line in lines)


def _entry(entry: Entry, now: datetime) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{text(entry.uid)}"
    yield f"DTSTAMP:{moment(now)}"
    yield f"DTSTART:{moment(entry.start)}"
    if entry.end is not None:
        yield f"DTEND:{moment(entry.end)}"
    yield f"SEQUENCE:{entry.sequence}"
    yield f"STATUS:{entry.status}"
    yield f"SUMMARY:{text(entry.summary)}"
    for name, value in (("DESCRIPTION", entry.description), ("LOCATION", entry.location)):
        if value:
            yield f"{name}:{text(value)}"
    if entry.url:
        yield f"URL:{entry.url}"
    yield "END:VEVENT"


def moment(when: datetime) -> str:
    """In UTC, which needs no time zones in the file (3.3.5)."""
    return when.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def text(value: str) -> str:
    """Escaped (3.3.11). Other control characters are not allowed at all."""
    plain = value.replace("\r\n", "\n").replace("\r", "\n")
    kept = "".join(letter for letter in plain if letter in "\n\t" or (letter >= " " and letter != "\x7f"))
    for letter in ("\\", ";", ","):
        kept = kept.replace(letter, f"\\{letter}")
    return kept.replace("\n", "\\n")


def folded(line: str) -> str:
    """In pieces of at most 75 octets, each after the first behind a space; no letter is cut in two."""
    pieces, current, size = [], "", 0
    for letter in line:
        octets = len(letter.encode())
        if size + octets > LINE:
            pieces.append(current)
            current, size = "", 1
        current, size = current + letter, size + octets
    return "\r\n ".join([*pieces, current])
