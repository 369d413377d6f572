"""The draft of a pack as its editor sees it. Without one, what would be its next begins as the newest edition was."""

from dataclasses import dataclass
from typing import Any

from rules.engine.pack.content import Problem, check
from rules.library import sources
from rules.models import GamePack, PackEdition


@dataclass(frozen=True)
class Draft:
    """`version` is what a form carries; 0 for a draft that is not there yet."""

    content: dict[str, Any]
    notes: str
    version: int
    number: int
    is_saved: bool


def draft_of(pack: GamePack) -> Draft:
    newest = pack.editions.order_by("-number").first()
    if newest is None:
        return Draft({}, "", 0, 1, is_saved=False)
    if newest.state == PackEdition.State.DRAFT:
        return Draft(newest.content, newest.notes, newest.version, newest.number, is_saved=True)
    return Draft(newest.content, "", 0, newest.number + 1, is_saved=False)


def problems_of(draft: Draft) -> list[Problem]:
    return check(draft.content, sources())
