"""One fighter as a page shows it: every number with where it comes from. Structure, no markup, no query."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules.engine.equipped import equipped
from rules.engine.legality import Problem
from rules.engine.pack.schema import ARMOUR, WEAPONS, Pack
from rules.engine.rating import fighter_rating
from rules.engine.settings import CampaignSettings
from rules.engine.state import CHARACTERISTICS, UPKEEP, Fighter, Item
from rules.engine.traits import equipment_change, maximum
from warbands import words
from warbands.battles import battle_name
from warbands.names import Names
from warbands.sentences import rule_text
from warbands.terms import INJURY, RULE, SKILL, SPELL, THING, Term

LINE = (*CHARACTERISTICS, UPKEEP)

TITLES = (
    gettext_lazy("Weapons"), gettext_lazy("Armour"), gettext_lazy("Carries"), gettext_lazy("Skills"),
    gettext_lazy("Rules"), gettext_lazy("Spells"), gettext_lazy("Wounds"), gettext_lazy("Addicted to"),
)  # fmt: skip

Direction = Literal["", "up", "down"]


@dataclass(frozen=True, slots=True)
class Altered:
    """A change of one value as the ledger has it."""

    characteristic: str
    amount: int
    cause: str
    battle: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of the profile: with what it began, what it is, what things add, how far it can go."""

    short: str
    base: int
    value: int
    equipped: int
    highest: int | None

    @property
    def name(self) -> str:
        return words.characteristic(self.short)

    @property
    def change(self) -> Direction:
        return direction(self.value - self.base)


@dataclass(frozen=True, slots=True)
class Why:
    """`Att 2 to 3`, and because of what."""

    change: Direction
    what: str
    because: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A state in two or three words."""

    look: str
    icon: str
    text: str


@dataclass(frozen=True, slots=True)
class Track:
    boxes: int
    thick: tuple[int, ...]
    earned: int
    founded_with: int
    said: str


@dataclass(frozen=True)
class Card:
    """Everything a roster says about one fighter."""

    fighter: Fighter
    leads: bool
    names: Names
    pack: Pack
    settings: CampaignSettings
    altered: Sequence[Altered] = ()
    problems: Sequence[Problem] = field(default_factory=tuple)

    @property
    def key(self) -> str:
        return self.fighter.id

    @property
    def name(self) -> str:
        return self.fighter.name

    @property
    def kind_line(self) -> str:
        fighter = self.fighter
        if fighter.is_group:
            return _("%(models)s × %(type)s, %(species)s") % {
                "models": fighter.models, "type": fighter.type, "species": fighter.species,
            }  # fmt: skip
        return words.several(part for part in (fighter.type, fighter.species) if part)

    # Worth ------------------------------------------------------------------------------------------

    @cached_property
    def worth(self) -> str:
        return words.number(fighter_rating(self.fighter, self.pack))

    @property
    def counts(self) -> bool:
        """The delayed are no part of the warband's rating (3.2)."""
        return not self.fighter.delayed

    @cached_property
    def sum(self) -> str:
        """`18 + 15 Exp`, `(5 + 7 Exp) × 4`, and what things add."""
        fighter = self.fighter
        own = _("%(rating)s + %(experience)s Exp") % {
            "rating": fighter.profile["Rat"], "experience": words.number(fighter.experience),
        }  # fmt: skip
        if fighter.models > 1:
            own = f"({own}) × {fighter.models}"
        things = equipment_change(fighter, "Rat", self.pack)
        return f"{own} + {things}" if things else own

    # The stat line ----------------------------------------------------------------------------------

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        now, base, with_things = self.fighter.profile, self._base, equipped(self.fighter, self.pack)
        return tuple(
            Cell(short, base[short], now[short], with_things[short], maximum(self.fighter, short, self.pack))
            for short in LINE
        )

    @cached_property
    def _base(self) -> Mapping[str, int]:
        """As its type has it; for a type that no pack knows, what it was before the ledger changed it."""
        entry = self.pack.fighters.get(self.fighter.type)
        if entry is not None:
            return entry.profile
        since: Counter[str] = Counter()
        for change in self.altered:
            since[change.characteristic] += change.amount
        return {name: value - since[name] for name, value in self.fighter.profile.items()}

    @cached_property
    def why(self) -> list[Why]:
        """What changed and why, oldest first; values that changed together stand together."""
        lines = [line for line in self._steps() if line[0] in LINE]
        return [
            Why(direction(after - before), _moved([line[0] for line in together], before, after), because)
            for (before, after, because), together in _together(lines)
        ]

    def _steps(self) -> Iterator[tuple[str, int, int, str]]:
        value = {short: self._base[short] for short in LINE if short in self._base}
        for change in self.altered:
            before = value.get(change.characteristic)
            if before is not None:
                value[change.characteristic] = before + change.amount
                yield change.characteristic, before, before + change.amount, _because(change)
        for short, told in value.items():
            now = self.fighter.profile[short]
            if now != told:
                yield short, told, now, _("since it joined")

    @cached_property
    def with_equipment(self) -> str:
        """`Arm 2, Def 4`: what counts at the table while it carries its things."""
        return words.several(f"{cell.short} {cell.equipped}" for cell in self.cells if cell.equipped != cell.value)

    # States -----------------------------------------------------------------------------------------

    @cached_property
    def marks(self) -> list[Mark]:
        return list(self._marks())

    def _marks(self) -> Iterator[Mark]:
        fighter = self.fighter
        if fighter.captive_of:
            yield Mark("loss", "lock", _("Held by %(foe)s") % {"foe": self.names.foe(fighter.captive_of)})
        if fighter.delayed:
            yield Mark("loss", "clock", _("Delayed, misses the next battle"))
        elif fighter.coming_delays:
            yield Mark("loss", "clock", _missing(fighter.coming_delays))
        if self.problems:
            yield Mark("asks", "problem", _("Problem"))

    @property
    def gist(self) -> Why | None:
        """The one thing that changed, for a row that is shut."""
        if self.fighter.injuries and not self.why:
            return Why("down", self.fighter.injuries[-1].name, "")
        return self.why[-1] if self.why else None

    # What it has ------------------------------------------------------------------------------------

    @cached_property
    def facts(self) -> list[tuple[str, list[Term]]]:
        """Titles and terms, in the order of the sheet; what there is none of is left out."""
        fighter = self.fighter
        weapons, armour, rest = _sorted_things(fighter.items, self.pack)
        rows = (
            list(_things(weapons)),
            list(_things(armour)),
            list(_things(rest)),
            [Term(SKILL, name, name) for name in fighter.skills],
            list(self._rules()),
            [Term(SPELL, name, name) for name in fighter.spells],
            list(self._wounds()),
            [Term(THING, name, name) for name in fighter.addictions],
        )
        return [(str(title), terms) for title, terms in zip(TITLES, rows, strict=True) if terms]

    def _rules(self) -> Iterator[Term]:
        for rule in self.fighter.rules:
            yield Term(RULE, rule.name, rule_text(rule.name, rule.value, rule.against, self.names))

    def _wounds(self) -> Iterator[Term]:
        for injury in self.fighter.injuries:
            parts = [battle_name(injury.battle)] if injury.battle else []
            if injury.by:
                parts.append(_("by %(foe)s") % {"foe": self.names.foe(injury.by)})
            yield Term(INJURY, injury.name, injury.name, words.several(parts))

    @cached_property
    def track(self) -> Track:
        fighter, settings = self.fighter, self.settings
        higher = fighter.is_higher
        boxes = settings.higher_track if higher else settings.lower_track
        thick = settings.higher_thresholds if higher else settings.lower_thresholds
        return Track(boxes, thick, int(fighter.experience), int(fighter.starting_experience), self._said(boxes, thick))

    def _said(self, boxes: int, thick: Sequence[int]) -> str:
        fighter = self.fighter
        ahead = next((box for box in thick if box > fighter.experience), None)
        parts = [_("%(earned)s of %(boxes)s") % {"earned": words.number(fighter.experience), "boxes": boxes}]
        parts.append(_("next advance at %(box)s") % {"box": ahead} if ahead else _("no advance left"))
        if fighter.starting_experience:
            parts.append(_("founded with %(number)s") % {"number": words.number(fighter.starting_experience)})
        return " · ".join(parts)

    @cached_property
    def kills(self) -> str:
        melee, ranged = self.fighter.melee_kills, self.fighter.ranged_kills
        if not melee and not ranged:
            return ""
        parts = [_("%(count)s in melee") % {"count": melee}] if melee else []
        parts += [_("%(count)s from afar") % {"count": ranged}] if ranged else []
        return words.several(parts)


def direction(by: int) -> Direction:
    return "up" if by > 0 else "down" if by < 0 else ""


def _missing(battles: int) -> str:
    said = ngettext("Will miss %(count)s battle", "Will miss %(count)s battles", battles)
    return said % {"count": battles}


def _because(change: Altered) -> str:
    where = [battle_name(change.battle)] if change.battle else []
    return words.several([words.cause(change.cause), *where])


def _together(
    lines: Iterable[tuple[str, int, int, str]],
) -> Iterator[tuple[tuple[int, int, str], list[tuple[str, int, int, str]]]]:
    for key, group in groupby(lines, key=lambda line: line[1:]):
        yield key, list(group)


def _moved(shorts: Sequence[str], before: int, after: int) -> str:
    return _("%(what)s %(before)s to %(after)s") % {"what": words.several(shorts), "before": before, "after": after}


def _sorted_things(items: Sequence[Item], pack: Pack) -> tuple[list[Item], list[Item], list[Item]]:
    weapons: list[Item] = []
    armour: list[Item] = []
    rest: list[Item] = []
    for item in items:
        entry = pack.items.get(item.name)
        category = entry.category if entry is not None else ""
        (weapons if category in WEAPONS else armour if category in ARMOUR else rest).append(item)
    return weapons, armour, rest


def _things(items: Iterable[Item]) -> Iterator[Term]:
    """Things that are alike are counted: `3 Halberd`."""
    for (name, upgrades, detail), count in Counter(item.kind for item in items).items():
        label = " ".join([*upgrades, name])
        yield Term(THING, name, f"{count} × {label}" if count > 1 else label, detail)
