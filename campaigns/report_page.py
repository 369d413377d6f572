"""A report as its pages show it: each part with what it needs to be drawn, and what follows from the whole."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import msgspec
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.battle_sheet import settings_of
from campaigns.report import (
    ALLIED,
    ALLIES,
    ALONE,
    END,
    FOUGHT,
    NOBODY,
    Band,
    Clash,
    Fighter,
    Line,
    Paper,
    Side,
    differences,
)
from campaigns.report_checks import TOTALS, Finding, Totals, findings, totals
from campaigns.report_rows import FILLED_IN, Table, as_the_engine_reads_it
from campaigns.ticks import figure
from campaigns.underdogs import ahead_of, bonus_of
from rules.engine.battle import MELEE, OTHER, RANGED, Battle
from rules.engine.campaign import ACHIEVEMENTS, DECIDED, PROOFS, Counted, victory_points
from rules.engine.pack.schema import Achievement

KINDS: dict[str, str | Promise] = {
    ALONE: gettext_lazy("Alone"),
    ALLIED: gettext_lazy("In alliance"),
    NOBODY: gettext_lazy("Nobody"),
}
HOWS: dict[str, str | Promise] = {
    MELEE: gettext_lazy("Melee"),
    RANGED: gettext_lazy("Ranged"),
    OTHER: gettext_lazy("Other"),
}
FELL: dict[str, str | Promise] = {MELEE: gettext_lazy("in melee"), RANGED: gettext_lazy("at range")}
FIELDS: dict[str, str | Promise] = {
    "kind": gettext_lazy("How it ended"),
    "winners": gettext_lazy("Who won"),
    "allies": gettext_lazy("Allies in the end"),
    "fought": gettext_lazy("Who fought whom"),
    "routed": gettext_lazy("Order of routing"),
    "markers": gettext_lazy("Markers"),
    "points": gettext_lazy("Scenario points"),
    "achievements": gettext_lazy("Achievements"),
    "took_part": gettext_lazy("Took part"),
    "out": gettext_lazy("Out of action"),
    "by": gettext_lazy("Taken out by"),
    "how": gettext_lazy("How"),
    "melee": gettext_lazy("Melee kills"),
    "ranged": gettext_lazy("Ranged kills"),
    "experience": gettext_lazy("Scenario experience"),
}


@dataclass(frozen=True)
class Shown:
    """A part on the page: how it is, how a form says that it was seen, and what is to be said about it."""

    key: str
    part: Any
    """As it is drawn: where two people clash, as this one wants it."""
    seen: str
    version: int
    findings: tuple[Finding, ...] = ()
    clash: "tuple[Difference, ...]" = ()

    @property
    def routing(self) -> list[Finding]:
        return [found for found in self.findings if found.routing]

    @property
    def others(self) -> list[Finding]:
        return [found for found in self.findings if not found.routing]

    @property
    def has_trouble(self) -> bool:
        return bool(self.clash) or any(found.grave for found in self.findings)


@dataclass(frozen=True)
class Difference:
    """One field of a part in two versions, in words."""

    about: str
    field: str
    one: str
    other: str


@dataclass(frozen=True)
class ShownLine:
    fighter: Fighter
    shown: Shown
    said: str
    """The line in a few words."""
    killers: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]

    @property
    def line(self) -> Line:
        line: Line = self.shown.part
        return line

    @property
    def is_group(self) -> bool:
        return self.fighter.models > 1


@dataclass(frozen=True)
class ShownBand:
    band: Band
    shown: Shown
    result: str
    lines: tuple[ShownLine, ...]
    claims: tuple[tuple[Achievement, bool, bool], ...]
    """Each achievement: whether it is claimed, whether the report proves it."""

    @property
    def side(self) -> Side:
        side: Side = self.shown.part
        return side


@dataclass(frozen=True)
class Meaning:
    """What the report brings a warband, as far as it can be said before the dice."""

    band: Band
    points: int
    why: str


@dataclass(frozen=True)
class Underdog:
    band: Band
    bonus: int
    stronger: str


@dataclass(frozen=True)
class Sheet:
    """The whole page. `paper` may differ from what is stored: somebody's own version, or one that was refused."""

    table: Table
    paper: Paper
    clashes: Mapping[str, Clash] = field(default_factory=dict)
    refused: tuple[Finding, ...] = ()
    is_copy: bool = False
    """A version of one's own, which is not saved line by line."""

    @cached_property
    def findings(self) -> list[Finding]:
        found = findings(self.table.cast, self.paper, self.table.pack.achievements)
        return [*self.refused, *(one for one in found if one not in self.refused)]

    @property
    def graves(self) -> list[Finding]:
        return [found for found in self.findings if found.grave]

    @property
    def trouble(self) -> int:
        return len(self.graves) + len(self.clashes)

    # Parts ------------------------------------------------------------------------------------------

    def _shown(self, key: str) -> Shown:
        clash, part = self.clashes.get(key), self.paper.parts()[key]
        seen = self.table.paper.parts()[key]
        return Shown(
            key,
            clash.mine if clash else part,
            msgspec.json.encode(seen).decode(),
            self.table.versions[key],
            tuple(found for found in self.findings if found.where == key),
            self._both(key, clash) if clash else (),
        )

    def _both(self, key: str, clash: Clash) -> tuple[Difference, ...]:
        found = ((name, getattr(clash.mine, name), getattr(clash.theirs, name)) for name in clash.fields)
        return tuple(self._difference(key, name, mine, theirs) for name, mine, theirs in found)

    @cached_property
    def ending(self) -> Shown:
        return self._shown(END)

    @cached_property
    def allies(self) -> Shown:
        return self._shown(ALLIES)

    @cached_property
    def fought(self) -> Shown:
        return self._shown(FOUGHT)

    @property
    def kinds(self) -> list[tuple[str, str | Promise]]:
        return list(KINDS.items())

    @property
    def hows(self) -> list[tuple[str, str | Promise]]:
        return list(HOWS.items())

    @property
    def pairs(self) -> list[dict[str, Any]]:
        """Every two warbands, and how far their ratings are apart."""
        return [
            {"key": key, "one": one, "other": other, "apart": figure(abs(one.rating - other.rating))}
            for key, one, other in self.table.cast.pairs
        ]

    @cached_property
    def bands(self) -> list[ShownBand]:
        return [self._band(band) for band in self.table.cast.bands]

    def _band(self, band: Band) -> ShownBand:
        shown = self._shown(band.key)
        claimed, proven = shown.part.achievements, self._proven[band.warband]
        known = self.table.pack.achievements.items()
        shown_ones = [(name, one) for name, one in known if name in proven or name not in DECIDED]
        claims = [(one, name in claimed, name in proven) for name, one in shown_ones]
        lines = tuple(self._line(fighter) for fighter in band.fighters)
        return ShownBand(band, shown, self.paper.result(band.warband), lines, tuple(claims))

    def _line(self, fighter: Fighter) -> ShownLine:
        shown = self._shown(fighter.key)
        return ShownLine(fighter, shown, self._said(fighter, shown.part), self._killers[fighter.warband])

    @cached_property
    def _killers(self) -> dict[int, tuple[tuple[str, tuple[tuple[str, str], ...]], ...]]:
        """Whom the fighters of each warband can have been taken out by."""
        cast = self.table.cast
        return {
            band.warband: tuple((other.name, tuple(_options(other))) for other in cast.bands if other != band)
            for band in cast.bands
        }

    def _said(self, fighter: Fighter, line: Line) -> str:
        if not line.took_part:
            return _("took no part")
        said = []
        if line.out:
            said.append(self._fall(fighter, line))
        if line.melee:
            said.append(_("%(number)s in melee") % {"number": line.melee})
        if line.ranged:
            said.append(_("%(number)s at range") % {"number": line.ranged})
        if line.experience:
            said.append(_("+%(number)s Experience") % {"number": line.experience})
        return " · ".join(said)

    def _fall(self, fighter: Fighter, line: Line) -> str:
        words = {"number": line.out, "by": self._killer(line.by)}
        if not line.by:
            return _("%(number)s out of action") % words if fighter.models > 1 else _("out of action")
        many = _("%(number)s out of action, by %(by)s") % words
        fell = many if fighter.models > 1 else _("out of action, by %(by)s") % words
        return f"{fell}, {FELL[line.how]}" if line.how in FELL else fell

    def _killer(self, by: str) -> str:
        warband, _slash, fighter = by.partition("/")
        one = self.table.cast.fighters.get(f"w{warband}-{fighter}")
        band = self.table.cast.band(int(warband)) if warband.isdecimal() else None
        return one.name if one else band.name if band else _("nobody")

    # What follows -----------------------------------------------------------------------------------

    @cached_property
    def totals(self) -> list[Totals]:
        return totals(self.table.cast, self.paper)

    @property
    def sums(self) -> list[Finding]:
        """What is odd about them."""
        return [found for found in self.findings if found.where == TOTALS]

    @property
    def out(self) -> int:
        return sum(line.out for line in self.paper.lines.values())

    @cached_property
    def _counted(self) -> Counted:
        states = {str(pk): state for pk, state in self.table.states.items()}
        return Counted(self._fight, states, self.table.pack)

    @cached_property
    def _fight(self) -> Battle:
        return as_the_engine_reads_it(self.table, self._countable)

    @property
    def underdogs(self) -> list[Underdog]:
        """Who gets something for having fought a stronger warband, as far as the report says whom it fought."""
        settings = settings_of(self.table.battle)
        found = [
            Underdog(band, bonus_of(self._fight, key, settings, self.table.pack), figure(ahead_of(self._fight, key)))
            for band in self.table.cast.bands
            for key in [str(band.warband)]
        ]
        return [one for one in found if one.bonus]

    @property
    def _countable(self) -> Paper:
        """Without claims that there are not: a form may say anything."""
        sides = {
            key: Side(
                side.routed,
                side.markers,
                side.points,
                tuple(filter(self.table.pack.achievements.__contains__, side.achievements)),
            )
            for key, side in self.paper.sides.items()
        }
        return msgspec.structs.replace(self.paper, sides=sides)

    @cached_property
    def _proven(self) -> dict[int, set[str]]:
        """What the report alone proves; once the battle is past, all that was counted then."""
        if self.table.battle.state not in FILLED_IN:
            return {part.warband_id: set(part.achieved) for part in self.table.parts}
        keys = [band.warband for band in self.table.cast.bands]
        return {key: {name for name, proof in PROOFS.items() if proof(self._counted, str(key))} for key in keys}

    @cached_property
    def meanings(self) -> list[Meaning]:
        """Victory points, by the campaign's way of counting them."""
        if not self.paper.ending.kind or self.table.battle.state not in FILLED_IN:
            return []
        house = self.table.battle.campaign.house_rules
        tallies = victory_points(self._counted, house.points)
        worth = house.achievement_points if house.points == ACHIEVEMENTS else {}
        return [
            _meaning(band, [(name, worth.get(name, points)) for name, points in tallies[str(band.warband)].lines])
            for band in self.table.cast.bands
        ]

    # Two versions -----------------------------------------------------------------------------------

    def beside(self, other: Paper) -> list[Difference]:
        """Where another version differs from this one."""
        return [self._difference(*found) for found in differences(self.paper, other)]

    def _difference(self, key: str, name: str, one: Any, other: Any) -> Difference:
        label = FIELDS[key if name == "pairs" else name]
        return Difference(self._about(key), str(label), self._words(name, one), self._words(name, other))

    def _about(self, key: str) -> str:
        one = self.table.cast.fighters.get(key)
        if one is not None:
            band = self.table.cast.band(one.warband)
            return f"{one.name}, {band.name}" if band else one.name
        return next((band.name for band in self.table.cast.bands if band.key == key), _("The battle"))

    def _words(self, name: str, value: Any) -> str:
        names = {band.warband: band.name for band in self.table.cast.bands}
        if name == "winners":
            return ", ".join(names.get(pk, "?") for pk in value) or _("nobody")
        if name == "pairs":
            called = {
                key: _("%(one)s and %(other)s") % {"one": a.name, "other": b.name}
                for key, a, b in self.table.cast.pairs
            }
            return ", ".join(called.get(key, "?") for key in value) or _("none")
        if name == "achievements":
            return ", ".join(value) or _("none")
        if name == "by":
            return self._killer(value)
        if name == "took_part":
            return _("yes") if value else _("no")
        if name == "routed":
            return str(value) if value else _("held")
        return str({**KINDS, **HOWS, "": _("nothing yet")}.get(value, value))


def _options(band: Band) -> Iterable[tuple[str, str]]:
    for fighter in band.fighters:
        if fighter.able:
            yield f"{band.warband}/{fighter.id}", fighter.name
    yield f"{band.warband}/", _("Somebody of %(name)s") % {"name": band.name}


def _meaning(band: Band, lines: list[tuple[str, int]]) -> Meaning:
    why = ", ".join(f"{name} {points}" for name, points in lines if points)
    return Meaning(band, sum(points for _name, points in lines), why)
