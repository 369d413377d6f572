"""States and changes as plain data for files and tables, and back without loss."""

from functools import cache
from typing import Any, get_type_hints

import msgspec

from rules.engine.changes import END, VOCABULARY, Change
from rules.engine.errors import InputError
from rules.engine.state import Injury, Rule, Warband

Plain = dict[str, Any]

_TRAITS: dict[str, type[Any]] = {"rule": Rule, "injury": Injury}
"""What is gained or lost as more than a name."""
_PLACE, _BY = {"place": END}, {"by": ""}
_SINCE: dict[str, Plain] = {
    "Gained": _PLACE, "Lost": _PLACE, "EffectBegan": _PLACE, "EffectEnded": _PLACE,
    "FighterJoined": _BY, "FighterVanquished": _BY, "ModelsChanged": _BY,
}  # fmt: skip
"""What changes say now and did not say at first: their place, and by whose hand somebody fell."""


def change_to_plain(change: Change) -> Plain:
    """A change as plain data, its kind first."""
    content: Plain = msgspec.to_builtins(change)
    return {"event": type(change).__name__} | content


def completed(plain: Plain) -> Plain:
    """A change with all that its kind says by now, as it was meant when it said less."""
    return _SINCE.get(plain.get("event", ""), {}) | plain


def change_from_plain(plain: Plain) -> Change:
    """The change that plain data stands for, refused where it stands for none.

    What was written before places were kept has none: it is read as standing at the end. So it is with who did it.
    """
    event = plain.get("event", "")
    kind = VOCABULARY.get(event) if isinstance(event, str) else None
    if kind is None:
        raise InputError("event", f"{event!r} is no kind of change", ", ".join(VOCABULARY))
    whole = completed(plain)
    hints = _hints(kind)
    return kind(**{name: _value(whole, name, hints[name], event) for name in kind.__struct_fields__})


@cache
def _hints(kind: type[Change]) -> dict[str, Any]:
    return get_type_hints(kind)


def _value(plain: Plain, name: str, hint: Any, event: str) -> Any:
    if name not in plain:
        raise InputError(f"{event}.{name}", "is missing")
    value = plain[name]
    if name == "trait":
        hint = _TRAITS.get(str(plain.get("what")), str)
    if hint is Any:
        return tuple(value) if isinstance(value, list) else value
    try:
        return msgspec.convert(value, hint)
    except msgspec.ValidationError as error:
        raise InputError(f"{event}.{name}", str(error)) from error


def state_to_plain(state: Warband) -> Plain:
    """A warband as plain data, the way it is kept in files and snapshots."""
    plain: Plain = msgspec.to_builtins(state)
    return plain


def state_from_plain(plain: Plain) -> Warband:
    """The warband that plain data describes, or an error that says where it does not."""
    try:
        return msgspec.convert(plain, Warband)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at `$")
        raise InputError(f"warband{path.rstrip('`')}", problem) from error
