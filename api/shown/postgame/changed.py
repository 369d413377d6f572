"""What a run has changed."""

from collections.abc import Sequence

from api.shapes import Out
from campaigns.walk.changed import Changed
from campaigns.walk.changed import Person as ChangedPerson
from warbands.described import Line as ChangeLine


class ChangeShown(Out):
    """`way` is up, down or nothing; what is new has no `before`."""

    what: str
    before: str
    after: str
    way: str
    cause: str


class FighterChanged(Out):
    """`fate` says that somebody joined or is gone, in words."""

    name: str
    fate: str
    changes: list[ChangeShown]


class RunChanges(Out):
    """A warband before and after its post-game, or as far as that is."""

    totals: list[ChangeShown]
    fighters: list[FighterChanged]
    same: list[str]
    stockpile: list[ChangeShown]


def run_changes(changed: Changed) -> RunChanges:
    return RunChanges(
        totals=_lines(changed.totals),
        fighters=[_fighter(one) for one in changed.people],
        same=list(changed.same),
        stockpile=_lines(changed.stockpile),
    )


def _fighter(one: ChangedPerson) -> FighterChanged:
    return FighterChanged(name=one.name, fate=str(one.fate), changes=_lines(one.lines))


def _lines(lines: Sequence[ChangeLine]) -> list[ChangeShown]:
    return [
        ChangeShown(what=str(one.what), before=one.before, after=one.after, way=one.way, cause=one.cause)
        for one in lines
    ]
