"""What the report of a battle says, as one paper that several people write on at once. Pure: no database.

A paper has parts, each with a key: `end` (who won), `allies`, `fought`, a side for each warband (`w12`) and a line for
each fighter (`w12-f3`). Somebody who saves a part also says how it was when they saw it, so what two people wrote is
put together field by field, and only where both changed the same thing somebody has to say which of the two it is.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import msgspec
from msgspec import Struct, structs

from rules.engine.battle import DRAWN, LOST, MELEE, OTHER, RANGED, WON, WON_ALLIED

END, ALLIES, FOUGHT = "end", "allies", "fought"
ALONE, ALLIED, NOBODY = "alone", "allied", "nobody"
HOWS = (MELEE, RANGED, OTHER)
RESULTS = {ALONE: WON, ALLIED: WON_ALLIED, NOBODY: DRAWN}
SETS = ("pairs", "achievements")
"""Fields in which two people can add different things without being in each other's way."""


# Who was there --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fighter:
    """Somebody with a line; who is not `able` was delayed or is held captive, and never took part."""

    warband: int
    id: str
    name: str
    models: int
    species: str = ""
    able: bool = True

    @property
    def key(self) -> str:
        return line_key(self.warband, self.id)


@dataclass(frozen=True)
class Band:
    warband: int
    name: str
    owner: int
    player: str
    rating: float
    fighters: tuple[Fighter, ...]

    @property
    def key(self) -> str:
        return f"w{self.warband}"


@dataclass(frozen=True)
class Cast:
    """Everybody in the battle."""

    bands: tuple[Band, ...]

    def band(self, warband: int) -> Band | None:
        return next((band for band in self.bands if band.warband == warband), None)

    @property
    def fighters(self) -> dict[str, Fighter]:
        return {fighter.key: fighter for band in self.bands for fighter in band.fighters}

    @property
    def pairs(self) -> list[tuple[str, Band, Band]]:
        """Every two of them, with the key of the pair."""
        both = combinations(self.bands, 2)
        return [(pair_key(one.warband, other.warband), one, other) for one, other in both]


def line_key(warband: int, fighter: str) -> str:
    return f"w{warband}-{fighter}"


def pair_key(one: int, other: int) -> str:
    return f"{min(one, other)}-{max(one, other)}"


# What is said ---------------------------------------------------------------------------------------


class Ending(Struct, frozen=True):
    """How it ended; `winners` are those who drew where nobody won."""

    kind: str = ""
    winners: tuple[int, ...] = ()


class Pairs(Struct, frozen=True):
    """Who was allied with whom in the end, or who fought whom."""

    pairs: tuple[str, ...] = ()


class Side(Struct, frozen=True):
    routed: int = 0
    markers: int = 0
    points: int = 0
    achievements: tuple[str, ...] = ()


class Line(Struct, frozen=True):
    """One fighter's battle. `by` is `WARBAND/FIGHTER`, `WARBAND/` where nobody is named, or empty for nobody at all."""

    took_part: bool = True
    out: int = 0
    by: str = ""
    how: str = OTHER
    melee: int = 0
    ranged: int = 0
    experience: int = 0

    @property
    def by_warband(self) -> int | None:
        number = self.by.partition("/")[0]
        return int(number) if number.isdecimal() else None

    @property
    def by_fighter(self) -> str:
        return self.by.partition("/")[2]

    @property
    def killer(self) -> str:
        """The key of the line of whoever did it, if somebody is named."""
        return line_key(self.by_warband or 0, self.by_fighter) if self.out and self.by_fighter else ""

    @property
    def kills(self) -> int:
        return self.melee + self.ranged

    @property
    def is_empty(self) -> bool:
        return not (self.out or self.kills or self.experience)


Part = Ending | Pairs | Side | Line


class Paper(Struct, frozen=True):
    """All of it."""

    ending: Ending = Ending()
    allies: Pairs = Pairs()
    fought: Pairs = Pairs()
    sides: dict[str, Side] = msgspec.field(default_factory=dict)
    lines: dict[str, Line] = msgspec.field(default_factory=dict)

    def parts(self) -> dict[str, Part]:
        return {END: self.ending, ALLIES: self.allies, FOUGHT: self.fought, **self.sides, **self.lines}

    def with_part(self, key: str, part: Part) -> "Paper":
        if isinstance(part, Ending):
            return structs.replace(self, ending=part)
        if isinstance(part, Pairs):
            return structs.replace(self, **{key: part})
        if isinstance(part, Side):
            return structs.replace(self, sides=self.sides | {key: part})
        return structs.replace(self, lines=self.lines | {key: part})

    def result(self, warband: int) -> str:
        """What the ending means for one of them; empty while nobody has said who won, or that nobody did."""
        kind, winners = self.ending.kind, self.ending.winners
        if not kind or (kind != NOBODY and not winners):
            return ""
        return RESULTS[kind] if warband in winners or not winners else LOST

    def others(self, pairs: Pairs, warband: int) -> list[int]:
        """Those whom one of them is paired with."""
        both = [tuple(map(int, pair.split("-"))) for pair in pairs.pairs]
        return sorted(sum(pair) - warband for pair in both if warband in pair)


def to_plain(paper: Paper) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(paper)
    return plain


def from_plain(plain: Mapping[str, Any]) -> Paper:
    return msgspec.convert(plain, Paper)


# Writing on it --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Edit:
    """A part as somebody wants it, and as they saw it."""

    seen: Part
    mine: Part


@dataclass(frozen=True)
class Clash:
    """Two people wrote different things in the same place: these fields of a part."""

    theirs: Part
    mine: Part
    fields: tuple[str, ...]


@dataclass(frozen=True)
class Edited:
    paper: Paper
    clashes: Mapping[str, Clash] = field(default_factory=dict)


def edited(paper: Paper, cast: Cast, edits: Mapping[str, Edit]) -> Edited:
    """The paper with these edits on it, but for those that clash, and with what follows from them."""
    now, clashes = paper.parts(), {}
    after = paper
    for key, edit in edits.items():
        fields = _clashing(now[key], edit)
        if fields:
            clashes[key] = Clash(now[key], edit.mine, fields)
        else:
            after = after.with_part(key, _tidy(_merged(now[key], edit), now[key]))
    after = _with_kills(paper, after, cast, edits)
    return Edited(_with_fights(paper, after, cast), clashes)


def _wanted(edit: Edit) -> Iterator[str]:
    for name in edit.mine.__struct_fields__:
        if getattr(edit.mine, name) != getattr(edit.seen, name):
            yield name


def _clashing(now: Part, edit: Edit) -> tuple[str, ...]:
    def clashes(name: str) -> bool:
        current = getattr(now, name)
        return name not in SETS and current not in (getattr(edit.seen, name), getattr(edit.mine, name))

    return tuple(name for name in _wanted(edit) if clashes(name))


def _merged(now: Part, edit: Edit) -> Part:
    values = {}
    for name in _wanted(edit):
        seen, mine, current = (getattr(part, name) for part in (edit.seen, edit.mine, now))
        values[name] = _united(current, seen, mine) if name in SETS else mine
    return structs.replace(now, **values)


def _united(current: tuple[str, ...], seen: tuple[str, ...], mine: tuple[str, ...]) -> tuple[str, ...]:
    kept = [name for name in current if name in mine or name not in seen]
    return tuple(sorted({*kept, *(name for name in mine if name not in seen)}))


def _tidy(part: Part, before: Part) -> Part:
    """What goes without saying: who was not there did nothing, who stands was taken out by nobody, and of whom it
    is only said that he won, he won alone."""
    if isinstance(part, Ending) and part.winners and not part.kind:
        return Ending(ALONE if len(part.winners) == 1 else ALLIED, part.winners)
    if not isinstance(part, Line) or not isinstance(before, Line):
        return part
    if before.took_part and not part.took_part and structs.replace(part, took_part=True) == before:
        return Line(took_part=False)
    if not part.out:
        return structs.replace(part, by="", how=OTHER)
    if part.by_fighter and not before.by_fighter and part.how == OTHER == before.how:
        return structs.replace(part, how=MELEE)
    return part


def _with_kills(before: Paper, after: Paper, cast: Cast, edits: Mapping[str, Edit]) -> Paper:
    """Who is named for a casualty gets the kill, unless their own kills were just written by hand."""
    changed = [key for key, line in after.lines.items() if line != before.lines.get(key)]
    by_hand = {key for key in edits if any(name in ("melee", "ranged") for name in _wanted(edits[key]))}
    for key in changed:
        for line, sign in ((before.lines.get(key), -1), (after.lines[key], +1)):
            if line is not None and line.killer in after.lines and line.killer not in by_hand and line.how != OTHER:
                killer = after.lines[line.killer]
                number = max(0, getattr(killer, line.how) + sign * line.out)
                if killer.took_part:
                    after = after.with_part(line.killer, structs.replace(killer, **{line.how: number}))
    return after


def _with_fights(before: Paper, after: Paper, cast: Cast) -> Paper:
    """Who took somebody out has fought them; with only two at the table, whoever has kills."""
    known = cast.fighters
    new = set()
    for key, line in after.lines.items():
        if line == before.lines.get(key) or key not in known:
            continue
        own, other = known[key].warband, line.by_warband
        if line.out and other is not None and other != own and cast.band(other):
            new.add(pair_key(own, other))
        if line.kills and len(cast.bands) == 2:
            new.update(pair for pair, *_both in cast.pairs)
    pairs = tuple(sorted({*after.fought.pairs, *new}))
    return structs.replace(after, fought=Pairs(pairs))


# Comparing ------------------------------------------------------------------------------------------


def differences(one: Paper, other: Paper) -> list[tuple[str, str, Any, Any]]:
    """Where two papers differ: the part, the field, and both values."""
    mine, theirs = one.parts(), other.parts()
    found = []
    for key, part in mine.items():
        beside = theirs.get(key, part)
        for name in part.__struct_fields__:
            if getattr(part, name) != getattr(beside, name):
                found.append((key, name, getattr(part, name), getattr(beside, name)))
    return found
