"""Calendars that every program reads (RFC 5545)."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.ical import LINE, Entry, folded, moment, text, written

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
WHEN = datetime(2026, 11, 20, 19, 30, tzinfo=timezone(timedelta(hours=1)))


def unfolded(calendar: str) -> list[str]:
    return calendar.replace("\r\n ", "").split("\r\n")


def test_a_calendar_has_all_that_the_standard_asks_for() -> None:
    entry = Entry(
        "battle-7@aftermath.example", WHEN, "Wardens, Oath; a\\b", WHEN + timedelta(hours=3), "one\ntwo", "Cellar",
        "https://aftermath.example/campaigns/1/battles/7/", 4,
    )  # fmt: skip
    assert unfolded(written("The thaw", [entry], now=NOW)) == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Aftermath//Campaign calendar//EN",
        "CALSCALE:GREGORIAN",
        "X-WR-CALNAME:The thaw",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "BEGIN:VEVENT",
        "UID:battle-7@aftermath.example",
        "DTSTAMP:20261116T120000Z",
        "DTSTART:20261120T183000Z",
        "DTEND:20261120T213000Z",
        "SEQUENCE:4",
        "STATUS:CONFIRMED",
        "SUMMARY:Wardens\\, Oath\\; a\\\\b",
        "DESCRIPTION:one\\ntwo",
        "LOCATION:Cellar",
        "URL:https://aftermath.example/campaigns/1/battles/7/",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]


def test_an_entry_without_an_end_is_a_moment() -> None:
    assert "DTEND" not in written("x", [Entry("a", WHEN, "b")], now=NOW)


def test_times_are_in_utc() -> None:
    assert moment(WHEN) == "20261120T183000Z"


@pytest.mark.parametrize(
    ("given_text", "expected"),
    [("a,b;c\\d", "a\\,b\\;c\\\\d"), ("a\r\nb\rc\nd", "a\\nb\\nc\\nd"), ("bell\x07 null\x00 del\x7f", "bell null del")],
)
def test_text_is_escaped(given_text: str, expected: str) -> None:
    assert text(given_text) == expected


def test_nobody_smuggles_a_line_in() -> None:
    calendar = written("x", [Entry("a", WHEN, "end\r\nEND:VEVENT\r\nBEGIN:VEVENT")], now=NOW)
    assert calendar.count("\r\nBEGIN:VEVENT\r\n") == 1


@given(st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc"))))
def test_lines_are_short_and_come_back_whole(line: str) -> None:
    pieces = folded(line).split("\r\n")
    assert all(len(piece.encode()) <= LINE for piece in pieces)
    assert all(piece.startswith(" ") for piece in pieces[1:])
    assert pieces[0] + "".join(piece[1:] for piece in pieces[1:]) == line
