"""What a game master gave by hand in a post-game: which answers and which rolls, who it was, and why."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Run, RunStep

ANSWERS: Literal["answers"] = "answers"
ROLLS: Literal["rolls"] = "rolls"
What = Literal["answers", "rolls"]


def mark(run: Run, what: What, key: str, *, actor: User, reason: str) -> None:
    """The row is locked and saved by whoever calls."""
    known = run.by_hand.get(what, {})
    run.by_hand = run.by_hand | {what: known | {key: {"by": actor.name, "reason": reason}}}


def forget(run: Run, what: What, keys: Iterable[str]) -> None:
    """Somebody else has decided since."""
    gone = set(keys)
    known: Mapping[str, Any] = run.by_hand.get(what, {})
    if gone & known.keys():
        run.by_hand = run.by_hand | {what: {key: why for key, why in known.items() if key not in gone}}


def marks(rows: Iterable[Run | RunStep], what: What) -> dict[str, str]:
    """By key, in words."""
    return {
        key: _("%(by)s by hand: %(reason)s") % found for row in rows for key, found in row.by_hand.get(what, {}).items()
    }
