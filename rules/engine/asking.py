"""Questions about the rules that a scenario file can just ask."""

from collections.abc import Mapping
from typing import Any

from rules.engine.pack.schema import Pack
from rules.engine.state import Warband


def ask(question: Any, warbands: Mapping[str, Warband], pack: Pack) -> Any:
    """Not written yet."""
    return None
