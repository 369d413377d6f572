"""States and changes as plain data for files and tables, and back without loss."""

from typing import Any, get_type_hints

import msgspec

from rules.engine.changes import VOCABULARY, Change
from rules.engine.errors import InputError
from rules.engine.state import Injury, Rule, Warband

Plain = dict[str, Any]

_TRAITS: dict[str, type[Any]] = {"rule": Rule, "injury": Injury}
"""What is gained or lost as more than a name."""


def change_to_plain(change: Change) -> Plain:
    """A change as plain data, its kind first."""
    content: Plain = msgspec.to_builtins(change)
    return {"event": type(change).__name__} | content


def change_from_plain(plain: Plain) -> Change:
    kind = VOCABULARY.get(plain.get("event", ""))
    if kind is None:
        raise InputError("event", f"{plain.get('event')!r} is no kind of change", ", ".join(VOCABULARY))
    hints = get_type_hints(kind)
    return kind(**{name: _value(plain, name, hints[name]) for name in kind.__struct_fields__})


def _value(plain: Plain, name: str, hint: Any) -> Any:
    value = plain[name]
    if name == "trait":
        return msgspec.convert(value, _TRAITS.get(plain["what"], str))
    if hint is Any:
        return tuple(value) if isinstance(value, list) else value
    return msgspec.convert(value, hint)


def state_to_plain(state: Warband) -> Plain:
    plain: Plain = msgspec.to_builtins(state)
    return plain


def state_from_plain(plain: Plain) -> Warband:
    try:
        return msgspec.convert(plain, Warband)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at `$")
        raise InputError(f"warband{path.rstrip('`')}", problem) from error
