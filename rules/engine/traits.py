"""What a fighter has and may do once everything that grants something is counted."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rules.engine.errors import InputError
from rules.engine.pack.schema import ARMOUR, Bonus, Item, Pack
from rules.engine.settings import CampaignSettings
from rules.engine.state import HENCHMEN, Fighter, Rule, Warband, evolve
from rules.engine.state import Item as Carried

_BRACKETS = re.compile(r"(?P<name>[^()]+?)(?: \((?P<inside>.*)\))?")

WIZARD, PRIEST = "Wizard", "Priest"
UNUSUAL_SHAPE = "Unusual Shape"


@lru_cache(maxsize=4096)
def parse_rule(text: str) -> Rule:
    """`Dodge (5+, against Shooting Attacks)` as a rule with a value and whom it is against."""
    match = _BRACKETS.fullmatch(text.strip())
    if match is None:
        raise InputError("rules", f"{text!r} is no rule", "a name, and in brackets a value or whom it is against")
    inside = match["inside"] or ""
    value, marker, against = inside.partition("against ")
    return Rule(match["name"], value.rstrip(", ") if marker else inside, against)


def number_in(text: str, rule: Rule) -> int:
    """A number from the brackets of a rule, as `4+`, `+1` or `2`; refused where there is none."""
    digits = text.strip("+ ")
    if not digits.isdecimal() or len(digits) > 3:
        raise InputError("rules", f"{rule} has no number where it needs one", f"{rule.name} with a number in brackets")
    return int(digits)


# Worked out once ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Belongings:
    """What rules, skills and things amount to. Every step asks, and the answers change only with these three."""

    own_rules: tuple[Rule, ...]
    own_skills: tuple[str, ...]
    items: tuple[Carried, ...]
    pack: Pack

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """Its own, those of skills and carried items, and what those bring along. Duplicates are kept."""
        pack, found = self.pack, list(self.own_rules)
        for skill in self.own_skills:
            learned = pack.skills.get(skill)
            bonuses = learned.bonuses if learned is not None else ()
            found += [parse_rule(text) for bonus in bonuses if not bonus.when for text in bonus.rules]
        for item in self.items:
            found += map(parse_rule, item_rules(item, pack))
        for rule in found:
            entry = pack.rules.get(rule.name)
            if entry is not None:
                found += [parse_rule(text) for text in entry.grants if parse_rule(text) not in found]
        return tuple(found)

    @cached_property
    def rule_names(self) -> frozenset[str]:
        """The names of all rules."""
        return frozenset(rule.name for rule in self.rules)

    @cached_property
    def entries(self) -> tuple[Item, ...]:
        """What a pack says about the things, one by one; what it does not know is left out."""
        entries = (self.pack.items.get(item.name) for item in self.items)
        return tuple(entry for entry in entries if entry is not None)

    @cached_property
    def skills(self) -> frozenset[str]:
        """Learned ones, and those that come with things."""
        lent = (name for entry in self.entries for bonus in entry.bonuses for name in bonus.skills)
        return frozenset((*self.own_skills, *lent))

    @cached_property
    def mechanisms(self) -> frozenset[str]:
        """What the skills work in the engine, by name."""
        known = self.pack.skills
        return frozenset(known[name].what for name in self.skills if name in known)

    @cached_property
    def uses(self) -> frozenset[str]:
        """What the things can be used for, by the names that the engine knows."""
        return frozenset(use.what for entry in self.entries for use in entry.uses)

    @cached_property
    def names(self) -> frozenset[str]:
        """Skills, mechanisms and uses together."""
        return self.skills | self.mechanisms | self.uses

    @cached_property
    def unusual(self) -> tuple[Carried, ...]:
        """Things that not every warband may keep: what the local market does not sell, and mounts."""
        return tuple(item for item in self.items if _is_unusual(item, self.pack))

    @cached_property
    def mount(self) -> Item | None:
        """What is ridden, if anything."""
        return next((entry for entry in self.entries if entry.category == "mount"), None)

    @cached_property
    def changes(self) -> Mapping[str, int]:
        """What the things add to values of a profile."""
        total: Counter[str] = Counter()
        for item in self.items:
            entry = self.pack.items.get(item.name)
            if entry is None:
                continue
            for bonus in (*entry.bonuses, *_upgrade_bonuses(item, self.pack)):
                _add(total, {} if bonus.when else bonus.changes)
            _add(total, entry.mount.rider if entry.mount is not None else {})
        return total


def _upgrade_bonuses(item: Carried, pack: Pack) -> list[Bonus]:
    return [bonus for name in item.upgrades if name in pack.upgrades for bonus in pack.upgrades[name].bonuses]


def _is_unusual(item: Carried, pack: Pack) -> bool:
    entries = [pack.items.get(name) or pack.upgrades.get(name) for name in (item.name, *item.upgrades)]
    kind = entries[0].category if isinstance(entries[0], Item) else ""
    return kind == "mount" or any(entry is not None and not entry.price for entry in entries)


def _add(total: Counter[str], changes: Mapping[str, int]) -> None:
    for name, by in changes.items():
        total[name] += by


MOST_BELONGINGS = 4096


def belongings(fighter: Fighter, pack: Pack) -> Belongings:
    """By what it has and not by who it is, so that its next state finds it again."""
    try:
        return pack.belongings[fighter.rules, fighter.skills, fighter.items]  # type: ignore[no-any-return]
    except KeyError:
        return _worked_out(fighter, pack)


def _worked_out(fighter: Fighter, pack: Pack) -> Belongings:
    """For the first time; a full memory starts anew."""
    if len(pack.belongings) >= MOST_BELONGINGS:
        pack.belongings.clear()
    contents = (fighter.rules, fighter.skills, fighter.items)
    known = pack.belongings[contents] = Belongings(*contents, pack)
    return known


_last: tuple[Mapping[str, Fighter], Pack | None, frozenset[str]] = ({}, None, frozenset())
"""Of those who were asked about last: a step asks several times before anybody changes."""


def between_them(warband: Warband, pack: Pack) -> frozenset[str]:
    """Skills, mechanisms and uses of everybody who is there (3.2), by name.

    Mostly nobody has what a step asks for, and that is soon said; where a name is here, somebody has it.
    """
    global _last  # noqa: PLW0603
    fighters, known, names = _last
    if fighters is not warband.fighters or known is not pack:
        names = frozenset().union(*[belongings(fighter, pack).names for fighter in warband.present()])
        _last = (warband.fighters, pack, names)
    return names


# Questions about a fighter ------------------------------------------------------------------------------


def granted_rules(fighter: Fighter, pack: Pack) -> tuple[Rule, ...]:
    """Its own rules, those of skills and carried items, and what those bring along. Duplicates are kept."""
    return belongings(fighter, pack).rules


def item_rules(item: Carried, pack: Pack) -> list[str]:
    """Rules that an item grants whoever carries it, its upgrades included."""
    entry = pack.items.get(item.name)
    if entry is not None and not (entry.bonuses or entry.mount or item.upgrades):
        return []
    texts = [text for bonus in (entry.bonuses if entry else ()) if not bonus.when for text in bonus.rules]
    for upgrade in map(pack.upgrades.get, item.upgrades):
        if upgrade is not None:
            texts = [text for text in texts if text not in upgrade.removes]
            texts += [text for bonus in upgrade.bonuses if not bonus.when for text in bonus.rules]
    if entry is not None and entry.mount is not None:
        texts += entry.mount.rules
    return texts


def has_rule(fighter: Fighter, name: str, pack: Pack) -> bool:
    """Of its own, or by something that grants it."""
    return name in belongings(fighter, pack).rule_names


def rule_value(fighter: Fighter, name: str, pack: Pack) -> str:
    """What stands in the brackets of a rule, empty if there is nothing or no such rule."""
    return next((rule.value for rule in granted_rules(fighter, pack) if rule.name == name), "")


def has_skill(fighter: Fighter, name: str, pack: Pack) -> bool:
    """Learned, or granted by something it carries."""
    return name in belongings(fighter, pack).skills


def is_caster(fighter: Fighter, kind: str) -> bool:
    """Whether it is a wizard, or a priest."""
    return fighter.has_rule(kind)


def is_mounted(fighter: Fighter, pack: Pack) -> bool:
    """Whether it rides."""
    return mount_of(fighter, pack) is not None


def mount_of(fighter: Fighter, pack: Pack) -> Item | None:
    """What it rides, if anything."""
    return belongings(fighter, pack).mount if fighter.items else None


def maximum(fighter: Fighter, characteristic: str, pack: Pack) -> int | None:
    """How far advancements may raise it (16.5.2); None for what has no maximum."""
    of_species = pack.maxima.get(fighter.species)
    if of_species is None or characteristic not in of_species:
        return None
    return of_species[characteristic] + fighter.maxima.get(characteristic, 0)


def room_for(fighter: Fighter, characteristic: str, pack: Pack) -> int | None:
    """By how much advancements may still raise it; None for what has no maximum."""
    highest = maximum(fighter, characteristic, pack)
    if highest is None:
        return None
    room = highest - fighter.profile[characteristic]
    return room if room > 0 else 0


def equipment_change(fighter: Fighter, characteristic: str, pack: Pack) -> int:
    """What all that its models wear, carry and ride adds to their rating or their upkeep."""
    return belongings(as_worn(fighter, pack), pack).changes.get(characteristic, 0) if fighter.items else 0


def as_worn(fighter: Fighter, pack: Pack) -> Fighter:
    """With only those suits that count: an Unusual Shape wears two that are alike as one, and one alone not (17.3)."""
    if not has_unusual_shape(fighter, pack):
        return fighter
    suits = Counter(item.kind for item in fighter.items if _is_suit(item, pack))
    left = {kind: min(max(count - fighter.models, 0), fighter.models) for kind, count in suits.items()}
    worn = []
    for item in fighter.items:
        if item.kind in suits:
            left[item.kind] -= 1
        if left.get(item.kind, 0) >= 0:
            worn.append(item)
    return evolve(fighter, items=tuple(worn))


def has_unusual_shape(fighter: Fighter, pack: Pack) -> bool:
    """By a rule of its own, or because it is Large (3.5.1)."""
    entry = pack.fighters.get(fighter.type)
    return (entry is not None and entry.large) or UNUSUAL_SHAPE in belongings(fighter, pack).rule_names


def _is_suit(item: Carried, pack: Pack) -> bool:
    entry = pack.items.get(item.name)
    return entry is not None and entry.category == "suit_of_armour"


def upkeep(fighter: Fighter, pack: Pack) -> int:
    """What it costs to keep for one game, all its models and mounts together (16.3.5)."""
    return fighter.profile["Upk"] * fighter.models + equipment_change(fighter, "Upk", pack)


LIQUOR_UPKEEP = "liquor_upkeep"
"""The effect that raises one fighter's upkeep until the warband phase (17.7.5); its target is the fighter."""


def upkeep_due(warband: Warband, fighter: Fighter, pack: Pack) -> int:
    """Its upkeep with what it drank in the last battle."""
    due = upkeep(fighter, pack)
    for effect in warband.effects:
        if effect.name == LIQUOR_UPKEEP and effect.target == fighter.id:
            due += effect.value
    return due


def is_immune_to_drugs(fighter: Fighter, pack: Pack) -> bool:
    """Drugs do nothing for Supernal and Undead models (17.7.5)."""
    return not belongings(fighter, pack).rule_names.isdisjoint(("Supernal", "Undead"))


def is_armour(item: Carried, pack: Pack) -> bool:
    """Whether an item is armour of any kind."""
    entry = pack.items.get(item.name)
    return entry is not None and entry.category in ARMOUR


def heroes(warband: Warband) -> list[Fighter]:
    """Its heroes, the delayed and the captives included."""
    return [fighter for fighter in warband.fighters.values() if fighter.kind == "hero"]


def acting_leader(warband: Warband) -> str:
    """The leader, if he is there: while he is delayed or held captive there is none (3.2, ruling 58)."""
    leader = warband.fighters.get(warband.leader)
    return "" if leader is None or leader.delayed or leader.captive_of else leader.id


def thick_boxes(fighter: Fighter, settings: CampaignSettings) -> int:
    """How many thick boxes of its track it crossed since it was recruited; only full boxes count (16.4, 16.5)."""
    boxes = settings.lower_thresholds if fighter.kind == HENCHMEN else settings.higher_thresholds
    return bisect_right(boxes, fighter.experience) - bisect_right(boxes, fighter.starting_experience)
