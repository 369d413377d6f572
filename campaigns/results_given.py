"""A result of a file as it is kept until its battle is made, and as edits of the report."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct, field, structs

from campaigns.report import ALLIED, ALLIES, ALONE, END, FOUGHT, NOBODY, Cast, Edit, Ending, Line, Pairs, Paper, Side
from rules.engine.battle import DRAWN, WON, WON_ALLIED

KINDS = ((WON, ALONE), (WON_ALLIED, ALLIED), (DRAWN, NOBODY))


class GivenSide(Struct, frozen=True):
    warband: int
    result: str
    side: Side = Side()
    allies: tuple[int, ...] = ()


class Given(Struct, frozen=True):
    """One battle of the file; lines by their keys, only of those who are named."""

    name: str
    sides: tuple[GivenSide, ...]
    scenario: str = ""
    lines: dict[str, Line] = field(default_factory=dict)

    @property
    def warbands(self) -> list[int]:
        return [side.warband for side in self.sides]


def to_plain(given: Given) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(given)
    return plain


def from_plain(plain: Mapping[str, Any]) -> Given:
    return msgspec.convert(plain, Given)


def edits_of(given: Given, paper: Paper, cast: Cast) -> dict[str, Edit]:
    """Against the paper as it is. Who is not named took part without incident; who were not allied fought."""
    wanted: dict[str, Any] = {
        END: _ending(given),
        ALLIES: _allies(given, cast),
        FOUGHT: Pairs(tuple(key for key, *_both in cast.pairs if key not in _allies(given, cast).pairs)),
    }
    wanted |= {f"w{side.warband}": structs.replace(side.side) for side in given.sides}
    wanted |= given.lines
    parts = paper.parts()
    return {key: Edit(parts[key], part) for key, part in wanted.items() if key in parts}


def _ending(given: Given) -> Ending:
    for result, kind in KINDS:
        winners = tuple(sorted(side.warband for side in given.sides if side.result == result))
        if winners:
            return Ending(kind, winners)
    return Ending()


def _allies(given: Given, cast: Cast) -> Pairs:
    said = {(side.warband, ally) for side in given.sides for ally in side.allies}
    both = [
        key for key, one, other in cast.pairs if {(one.warband, other.warband), (other.warband, one.warband)} & said
    ]
    return Pairs(tuple(sorted(both)))
