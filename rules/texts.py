"""What people type: pages, calls and files refuse the same characters, those that nobody sees and that mislead."""

import re
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from rules.engine.errors import RuleViolation

HIDDEN = "hidden_character"
_CONTROLS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufff9-\ufffb]"
)
"""Those of ASCII and Latin-1 but tabs and line ends, those of Unicode that turn the text around them, and halves."""
_UNSEEN = r"\s\u0300-\u036f\u200b-\u200f\u2060-\u206f\ufeff"
ONE_LINE = rf"^[^\n\r\t]*[^{_UNSEEN}][^\n\r\t]*$"
"""With something to see in it."""
_SEEN = re.compile(rf"[^{_UNSEEN}]")


def has_hidden(text: str) -> bool:
    return not text.isprintable() and _CONTROLS.search(text) is not None


def hidden_in(value: Any, where: str) -> Iterator[str]:
    """The places of plain data that hold such a character, in names as well as in values."""
    if isinstance(value, str):
        if has_hidden(value):
            yield where
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from hidden_in(name, where)
            yield from hidden_in(inner, f"{where}.{name}")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from hidden_in(inner, f"{where}[{place}]")


def hidden_sentence() -> str:
    return _("There is a character in it that nobody sees, or that turns the text around. Type it anew.")


def plain_text(text: str) -> str:
    """As it is, with its lines and tabs."""
    if has_hidden(text):
        raise RuleViolation(HIDDEN, hidden_sentence())
    return text


def plain_line(text: str) -> str:
    """One line, with one space between words; empty if there is nothing to see in it."""
    tidy = " ".join(plain_text(text).split())
    return tidy if _SEEN.search(tidy) else ""
