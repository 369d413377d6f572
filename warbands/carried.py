"""What a warband was founded and played by, as far as it goes along with a copy or a file.

The campaign itself stays behind: it is another's, or on another site.
"""

from typing import Any

from rules.engine.pack.load import STANDARD
from warbands.models import Warband
from warbands.settings import pack_for

Carried = dict[str, Any]
"""In the form of `Warband.founded_for`; empty where it is all as usual."""


def carried(overrides: dict[str, Any], packs: dict[str, str]) -> Carried:
    whole = {"overrides": overrides, "house": {"packs": packs} if packs else {}}
    return whole if overrides or packs else {}


def carried_from(warband: Warband) -> Carried:
    """What its draft was built by, and the game masters' packs that explain what it has by now."""
    own = {header.id: header.version for header in pack_for(warband).headers if header.id not in STANDARD}
    return carried(warband.founded_for.get("overrides") or {}, own)
