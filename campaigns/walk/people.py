"""Who is meant by the keys in a story, without asking the database: the table has everybody."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import Run
from campaigns.postgame import Table
from rules.engine.state import Warband as State
from warbands.names import Names

Plain = Mapping[str, Any]


def names_at(table: Table, run: Run, stories: Iterable[Plain]) -> Names:
    """Those who came from the battle, those who joined since, and those who are there now."""
    own = {key: fighter["name"] for key, fighter in run.state_before.get("fighters", {}).items()}
    for story in stories:
        own |= _joined(story, str(run.warband_id))
    state = table.states[str(run.warband_id)]
    own |= {key: fighter.name for key, fighter in state.fighters.items()}
    return Names(own, _foes(table.states.values()))


def _joined(story: Plain, warband: str) -> dict[str, str]:
    changes = (change for line in story.get("lines", ()) for change in line.get("changes", ()))
    return {
        change["fighter"]["id"]: change["fighter"]["name"]
        for change in changes
        if change["event"] == "FighterJoined" and change["warband"] == warband
    }


def _foes(states: Iterable[State]) -> dict[str, str]:
    found = {}
    for state in states:
        found[state.id] = state.name
        for key, fighter in state.fighters.items():
            facts = {"fighter": fighter.name, "warband": state.name}
            found[f"{state.id}/{key}"] = _("%(fighter)s of %(warband)s") % facts
    return found
