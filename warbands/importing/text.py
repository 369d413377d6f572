"""The file as JSON: whole, finite, not too deep, and with letters that a database can hold."""

import json
import math
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from rules.engine.errors import RuleViolation
from rules.texts import has_hidden
from warbands.portable import FORMAT, VERSION

DEEPEST = 24
LONGEST_NUMBER = 15
BEGUN = ("true", "false", "null", "-")
"""What a file may end in the middle of."""


class Refused(RuleViolation):
    """A file that cannot be taken."""

    def __init__(self, sentence: str) -> None:
        super().__init__("import_refused", sentence)


def parsed(content: bytes) -> Any:
    try:
        text = content.decode("utf-8-sig")
        return json.loads(
            text, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_float, parse_int=_int
        )
    except UnicodeDecodeError as error:
        raise Refused(_("This is not a JSON file: it is not even text.")) from error
    except RecursionError as error:
        raise Refused(_("The file is nested too deeply.")) from error
    except json.JSONDecodeError as error:
        raise _broken(text, error) from error


def _broken(text: str, error: json.JSONDecodeError) -> Refused:
    opened = text.lstrip()[:1] in ("{", "[")
    rest = text[error.pos :].rstrip()
    if opened and ("Unterminated" in error.msg or any(word.startswith(rest) for word in BEGUN)):
        return Refused(_("The file ends in the middle: a part of it is missing. Export it again."))
    return Refused(_("This is not a JSON file: line %(line)s cannot be read.") % {"line": error.lineno})


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) != len(pairs):
        names = [name for name, _value in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Refused(_("The file says %(name)s twice in one place.") % {"name": twice[:60]})
    return content


def _no_number(name: str) -> float:
    raise Refused(_("%(name)s in the file is no number.") % {"name": name})


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number) or abs(number) >= 10**LONGEST_NUMBER:
        return _no_number(text[:20])
    return number


def _int(text: str) -> int:
    return int(text) if len(text.lstrip("-")) <= LONGEST_NUMBER else int(_no_number(f"{text[:20]}…"))


def check_head(plain: Any) -> None:
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise Refused(_("This file is no warband that Aftermath exported."))
    version = plain.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise Refused(_("The file does not say which version of the format it is."))
    if version > VERSION:
        raise Refused(
            _("The file is of version %(version)s, and this site reads up to %(known)s. Update the site first.")
            % {"version": version, "known": VERSION}
        )


def check_plain(plain: Any) -> None:
    """Depth and letters, without recursion: the database holds neither every letter nor every depth."""
    level = [plain]
    for _depth in range(DEEPEST):
        if any(isinstance(thing, str) and has_hidden(thing) for thing in level):
            raise Refused(_("The file holds characters that nobody sees, or that turn the text around."))
        level = [inner for thing in level for inner in _inside(thing)]
    if level:
        raise Refused(_("The file is nested too deeply."))


def _inside(thing: Any) -> Iterator[Any]:
    if isinstance(thing, dict):
        yield from thing
        yield from thing.values()
    elif isinstance(thing, list):
        yield from thing
