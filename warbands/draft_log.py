"""The last edits of a draft, so that whoever edits it on two devices is told what came in between.

A draft has no ledger: nothing of it has happened yet. What was done is kept as data and told when somebody reads it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.engine.state import Warband as State
from warbands import words
from warbands.models import Warband

MOST = 20

TOLD: dict[str, str | Promise] = {
    "hire": gettext_lazy("%(what)s was hired."),
    "dismiss": gettext_lazy("%(fighter)s was dismissed."),
    "enlarge": gettext_lazy("More models joined %(fighter)s."),
    "shrink": gettext_lazy("Models left %(fighter)s."),
    "equip": gettext_lazy("%(fighter)s got %(what)s."),
    "unequip": gettext_lazy("%(fighter)s put %(what)s back."),
    "lead": gettext_lazy("%(fighter)s leads the warband."),
    "rename": gettext_lazy("%(fighter)s is called %(what)s."),
    "suggest": gettext_lazy("%(fighter)s is called %(what)s."),
    "devotion": gettext_lazy("The devotion is %(what)s."),
    "reorder": gettext_lazy("%(fighter)s has another place in the list."),
}
"""A sentence for each order that a draft takes."""


def log_edits(row: Warband, orders: Sequence[Mapping[str, Any]], before: State, after: State) -> None:
    """Onto the row, to be written with the state that they lead to, which is its next version."""
    done = [_entry(row.version + 1, order, before, after) for order in orders]
    row.draft_log = [*row.draft_log, *done][-MOST:]


def _entry(version: int, order: Mapping[str, Any], before: State, after: State) -> dict[str, Any]:
    key = str(order.get("fighter", ""))
    return {
        "version": version,
        "do": order["do"],
        "fighter": _name(key, before) or _name(key, after) or before.name,
        "what": _what(order, key, after),
        "at": timezone.now().isoformat(),
    }


def _name(key: str, state: State) -> str:
    return state.fighters[key].name if key in state.fighters else ""


def _what(order: Mapping[str, Any], key: str, after: State) -> str:
    if order["do"] in ("rename", "suggest"):
        return _name(key, after) or after.name
    return str(order.get("item") or order.get("devotion") or order.get("name") or order.get("type") or "")


def edits_since(row: Warband, version: int) -> list[str]:
    """A sentence for each edit after a version, oldest first."""
    newer = [entry for entry in row.draft_log if entry["version"] > version]
    told = [_told(entry) for entry in newer]
    reaches_back = bool(newer) and newer[0]["version"] <= version + 1
    return told if reaches_back or not told else [_("What came first is no longer listed."), *told]


def _told(entry: Mapping[str, Any]) -> str:
    what = str(words.DEVOTIONS.get(entry["what"], entry["what"])) if entry["do"] == "devotion" else entry["what"]
    return str(TOLD[entry["do"]]) % {"fighter": entry["fighter"], "what": what}
