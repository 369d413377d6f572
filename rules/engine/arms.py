"""What one model holds in close combat, and which bonuses and rules count while it does (13.3, 17.3-17.7).

Only what matters in a duel is read: bonuses against shooting, near trees, or against several enemies are left out.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations

from msgspec import Struct, field

from rules.engine.equipment import HANDS
from rules.engine.pack.schema import Bonus, MountProfile, Pack
from rules.engine.pack.schema import Item as Entry
from rules.engine.state import Fighter, Item, Rule
from rules.engine.traits import as_worn, mount_of, parse_rule

CHARGING, CHARGED, LATER = "charging", "charged", "later"
"""The first round of who charged, the first round of the other one, and all rounds after it."""

CLUB = Entry(name="Club", category="close_combat", hands=1, strength="User", ap="User")
FLINTLOCK = Entry(name="Flintlock Axe", category="close_combat", hands=2, strength="+1", ap="User")
"""How a gun with an axe below its barrel is used as one (17.7.2)."""

_GAIN = re.compile(r"([+-]\d{1,3}) (.+)")
_SHORT = {
    "Strength": "Str", "Armour Penetration": "AP", "Attack Value": "Att", "Offensive Skill": "Off", "Agility": "Agi",
}  # fmt: skip


class Grip(Struct, frozen=True, dict=True):
    """A fighter, what it holds, and the moment."""

    fighter: Fighter
    pack: Pack
    held: tuple[Item, ...]
    moment: str = LATER
    healthy: bool = True
    shots_fired: Mapping[str, int] = field(default_factory=dict)
    enemy_species: str = ""

    @cached_property
    def weapons(self) -> list[tuple[Item, Entry]]:
        """What it strikes with; a shield too for who knows Shield Smash."""
        found = [(item, entry) for item, entry in self._entries() if entry.category != "hand_held_armour"]
        if "Shield Smash" in self.fighter.skills and not any(_is_single(entry) for _, entry in found):
            found += [(item, entry) for item, entry in self._entries() if entry.name == "Shield"]
        return found

    def _entries(self) -> list[tuple[Item, Entry]]:
        entries = [(item, in_close_combat(item, self.pack)) for item in self.held]
        return [(item, entry) for item, entry in entries if entry is not None]

    @cached_property
    def mount(self) -> MountProfile | None:
        """What it rides, if anything."""
        entry = mount_of(self.fighter, self.pack)
        return entry.mount if entry is not None else None

    @cached_property
    def worn(self) -> list[Item]:
        """All that counts of what it carries, but for hand-held armour that is not held."""
        return [item for item in as_worn(self.fighter, self.pack).items if self._is_worn(item)]

    def _is_worn(self, item: Item) -> bool:
        entry = self.pack.items.get(item.name)
        return entry is None or entry.category != "hand_held_armour" or item in self.held


# What is held -----------------------------------------------------------------------------------------


def in_close_combat(item: Item, pack: Pack) -> Entry | None:
    """What an item is in the hand, if anything: a small firearm is a club, a bayonet makes a gun a spear."""
    entry = pack.items.get(item.name)
    if item.name == "Bayonet":
        return pack.items.get("Spear")
    if entry is None:
        return None
    if entry.category == "small_firearm":
        return CLUB
    if entry.category == "shooting":
        return FLINTLOCK if "close_combat" in entry.slots else None
    return entry if entry.category in ("close_combat", "hand_held_armour") else None


def _is_single(entry: Entry) -> bool:
    return "Single Wield" in entry.keywords


def grips(fighter: Fighter, pack: Pack) -> list[tuple[Item, ...]]:
    """Every way to fill its hands, the fullest first. It fights with a weapon if it has one, but for pugilists."""
    mounted = mount_of(fighter, pack) is not None
    things = [(item, entry) for item in fighter.items if (entry := in_close_combat(item, pack)) is not None]
    usable = [(item, entry) for item, entry in things if not (entry.not_mounted if mounted else entry.only_mounted)]
    hands = max(0, HANDS - fighter.hands_lost)
    found: dict[tuple[object, ...], tuple[Item, ...]] = {}
    for count in range(min(hands, len(usable)), -1, -1):
        for choice in combinations(usable, count):
            if _fits([entry for _, entry in choice], hands):
                held = tuple(item for item, _ in choice)
                found.setdefault(tuple(item.kind for item in held), held)
    armed = [held for held in found.values() if Grip(fighter, pack, held).weapons]
    if armed and "Pugilist" not in fighter.skills:
        return armed
    return armed + [held for held in found.values() if held not in armed]


def _fits(entries: Sequence[Entry], hands: int) -> bool:
    """Hands that are not known are taken for one (ruling 10)."""
    weapons = [entry for entry in entries if entry.category != "hand_held_armour"]
    if len(entries) - len(weapons) > 1 or (len(weapons) > 1 and any(_is_single(entry) for entry in weapons)):
        return False
    return sum(entry.hands if entry.hands is not None else 1 for entry in entries) <= hands


# What counts ------------------------------------------------------------------------------------------

ALWAYS = ("", "close_combat", "in_building")
"""Conditions that hold throughout a duel; the pits count as a building (16.2, 65)."""

CONDITIONS: dict[str, Callable[[Grip], int]] = {
    "on_foot": lambda grip: grip.mount is None,
    "mounted": lambda grip: grip.mount is not None,
    "healthy": lambda grip: grip.healthy,
    "multi_wielding": lambda grip: len(grip.weapons) > 1,
    "without_weapons": lambda grip: not grip.weapons,
    "each_axe": lambda grip: sum(entry.name == "Axe" for _, entry in grip.weapons),
    "only_mithril": lambda grip: bool(grip.weapons) and all("Mithril" in item.upgrades for item, _ in grip.weapons),
}
"""How often a bonus counts for the whole model. What is not named never does."""


def _times(bonus: Bonus, grip: Grip) -> int:
    if bonus.when in ALWAYS:
        return 1
    return int(CONDITIONS[bonus.when](grip)) if bonus.when in CONDITIONS else 0


def _counts_with(entry: Entry, bonus: Bonus, grip: Grip) -> bool:
    """Whether a bonus of a weapon in use counts."""
    if bonus.when == "with_two":
        return sum(other.name == entry.name for _, other in grip.weapons) > 1
    return bonus.when == "with_it" or (bonus.when == "charged" and grip.moment == CHARGED)


def model_bonuses(grip: Grip) -> Iterator[tuple[Bonus, int]]:
    """Bonuses of skills and of everything worn or held, and how often they count."""
    skills = (grip.pack.skills[name] for name in grip.fighter.skills)
    bonuses = [bonus for skill in skills if skill.rule_kind != "attack_shooting" for bonus in skill.bonuses]
    seen = set()
    for item in grip.worn:
        for source in (item.name, *item.upgrades):
            entry = grip.pack.items.get(source) or grip.pack.upgrades.get(source)
            own = entry.bonuses if entry is not None else ()
            bonuses += [bonus for bonus in own if not (bonus.once and source in seen)]
            seen.add(source)
    for bonus in bonuses:
        if times := _times(bonus, grip):
            yield bonus, times


def weapon_bonuses(grip: Grip, item: Item, entry: Entry) -> list[Bonus]:
    """What a weapon in use adds, by itself and by its upgrades."""
    upgrades = [bonus for upgrade in item.upgrades for bonus in grip.pack.upgrades[upgrade].bonuses]
    return [bonus for bonus in (*entry.bonuses, *upgrades) if _counts_with(entry, bonus, grip)]


class Gains:
    """Changes and rules while they are added up."""

    def __init__(self, rules: Sequence[Rule] = ()) -> None:
        self.changes: defaultdict[str, int] = defaultdict(int)
        self.rules = list(rules)

    def add(self, bonus: Bonus, times: int = 1) -> None:
        """Count a bonus, as often as it counts."""
        self.count(bonus.changes, times)
        self.rules += [parse_rule(text) for text in bonus.rules] * times

    def count(self, changes: Mapping[str, int], times: int = 1) -> None:
        """Count changes alone."""
        for name, by in changes.items():
            self.changes[name] += by * times

    def read(self, parts: Sequence[str]) -> None:
        """`+2 Str` in brackets, or `Flaming Attacks` and `+1 Strength` of an enchantment."""
        for part in parts:
            gain = _GAIN.fullmatch(part)
            if gain is not None:
                self.changes[_SHORT.get(gain[2], gain[2])] += int(gain[1])
            elif part:
                self.rules.append(parse_rule(part))

    def charge(self) -> None:
        """Add what every Devastating Charge says; they add up (17.4)."""
        for rule in [rule for rule in self.rules if rule.name == "Devastating Charge"]:
            self.read(rule.value.split(", "))

    def complete(self, pack: Pack) -> None:
        """Add the rules that come with others."""
        for rule in self.rules:
            entry = pack.rules.get(rule.name)
            for text in entry.grants if entry is not None else ():
                if parse_rule(text) not in self.rules:
                    self.rules.append(parse_rule(text))

    def attack_rules(self, pack: Pack) -> list[Rule]:
        """Those that are about its attacks and not about the model."""
        return [rule for rule in self.rules if is_attack(rule, pack)]


def is_attack(rule: Rule, pack: Pack) -> bool:
    """Whether a rule is about attacks; one that no pack knows is taken for such."""
    entry = pack.rules.get(rule.name)
    return entry is None or entry.kind == "attack"
