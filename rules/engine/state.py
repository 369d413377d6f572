"""What a warband is, between and during the steps. Frozen: a change makes a new state."""

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct, field, structs

HERO = "hero"
HENCHMEN = "henchmen"
HIRELING = "hireling"
KINDS = (HERO, HENCHMEN, HIRELING)

LOW, MEDIUM, HIGH = "low", "medium", "high"
DEVOTIONS = (LOW, MEDIUM, HIGH)

CHARACTERISTICS = ("Adv", "Mar", "Dis", "HP", "Def", "Res", "Arm", "Att", "Off", "Str", "AP", "Agi", "BS")
RATING, UPKEEP = "Rat", "Upk"
PROFILE = (*CHARACTERISTICS, RATING, UPKEEP)

Thing = TypeVar("Thing")


def evolve(thing: Thing, **fields: Any) -> Thing:
    """A copy with some fields changed."""
    if isinstance(thing, Struct):
        return structs.replace(thing, **fields)
    return dataclasses.replace(thing, **fields)  # type: ignore[type-var]


class Item(Struct, frozen=True, gc=False, cache_hash=True):
    """One thing that is carried or lies in the stockpile."""

    id: str
    name: str
    upgrades: tuple[str, ...] = ()
    detail: str = ""
    """What was randomised when it was acquired: the effect of an Enchanted weapon, the spell of a tome."""

    @property
    def kind(self) -> tuple[str, tuple[str, ...], str]:
        """Equal for items that are alike in all but identity."""
        return self.name, self.upgrades, self.detail


class Rule(Struct, frozen=True, gc=False, cache_hash=True):
    """A model rule with what stands in its brackets: a value, or whom it is against."""

    name: str
    value: str = ""
    against: str = ""
    """`fighter:WARBAND/ID`, `warband:ID`, `species:NAME`, `army:CODE`, or a kind of attack."""

    def __str__(self) -> str:
        inside = ", ".join(part for part in (self.value, f"against {self.against}" if self.against else "") if part)
        return f"{self.name} ({inside})" if inside else self.name


class Injury(Struct, frozen=True, gc=False):
    """A row of an injury table that hit this fighter, and in which battle."""

    name: str
    battle: str = ""
    by: str = ""


class Fighter(Struct, frozen=True, gc=False):
    """A hero, a henchmen group or a hireling."""

    id: str
    name: str
    kind: str
    type: str
    """Its entry in a pack; a promoted henchman keeps his."""
    species: str
    profile: Mapping[str, int]
    """The values on its profile now, rating and upkeep included."""
    models: int = 1
    experience: float = 0
    """Whole for everybody but slow learners, whose halves are exact."""
    starting_experience: float = 0
    rules: tuple[Rule, ...] = ()
    skills: tuple[str, ...] = ()
    skill_lists: tuple[str, ...] = ()
    spells: tuple[str, ...] = ()
    injuries: tuple[Injury, ...] = ()
    items: tuple[Item, ...] = ()
    weapon_proficiencies: tuple[str, ...] = ()
    armour_proficiencies: tuple[str, ...] = ()
    maxima: Mapping[str, int] = field(default_factory=dict)
    """Added to the species' maxima for this fighter alone."""
    advances: tuple[str, ...] = ()
    """Advancements applied, by name: a group gains each effect once."""
    addictions: tuple[str, ...] = ()
    delayed: bool = False
    coming_delays: int = 0
    """At the end of how many coming warband phases it becomes delayed."""
    hands_lost: int = 0
    captive_of: str = ""
    devotion: str = ""
    """A hireling's own; heroes and henchmen share their warband's."""
    rolls_taken: int = 0
    """Advancement rolls made for the thick boxes crossed since it was recruited."""
    recruited: str = ""
    """The battle in whose post-game it joined; a wanderer does not roll in that one."""
    melee_kills: int = 0
    ranged_kills: int = 0
    used: tuple[str, ...] = ()
    """Names of what it used in this battle, for side effects afterwards."""

    @property
    def is_group(self) -> bool:
        """Whether it is henchmen, who have several models and the lower tables."""
        return self.kind == HENCHMEN

    @property
    def is_higher(self) -> bool:
        """Heroes and hirelings use the higher tables and track."""
        return self.kind != HENCHMEN

    def has_rule(self, name: str) -> bool:
        """Whether its own profile has a rule; what things and skills grant is in `traits`."""
        return name in [rule.name for rule in self.rules]

    def has_skill(self, name: str) -> bool:
        """Whether it learned a skill."""
        return name in self.skills

    def carries(self, name: str) -> bool:
        """Whether it has a thing of this name."""
        return any(item.name == name for item in self.items)


class Effect(Struct, frozen=True, gc=False):
    """Something that lasts beyond the step that caused it: `next_exploration_dice`, `moneylender`, ..."""

    name: str
    value: int = 0
    target: str = ""


class Warband(Struct, frozen=True, gc=False):
    """Everything the rules ask about a warband."""

    id: str
    name: str
    army: str
    devotion: str = MEDIUM
    chaotic: bool = False
    """Set by the organiser; nothing in the rulebook says who is (ruling 2)."""
    treasury: int = 0
    leader: str = ""
    fighters: Mapping[str, Fighter] = field(default_factory=dict)
    stockpile: tuple[Item, ...] = ()
    effects: tuple[Effect, ...] = ()
    fate_rerolls: int = 0
    rarity_pool: int = 0
    market_status: int = 0
    rating: float = 0
    """As updated at the end of the last warband phase."""
    next_id: int = 1
    """Numbers for new fighters and items."""

    def effect(self, name: str) -> Effect | None:
        """The first effect of a name, if there is any."""
        for effect in self.effects:
            if effect.name == name:
                return effect
        return None

    @property
    def model_count(self) -> int:
        """All models, the delayed and the captives included."""
        return sum([fighter.models for fighter in self.fighters.values()])

    def present(self) -> list[Fighter]:
        """Who counts as part of the warband now: not delayed (3.2), not held captive."""
        return [fighter for fighter in self.fighters.values() if not fighter.delayed and not fighter.captive_of]
