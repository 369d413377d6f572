"""The shape of a pack: what each file may say. Names are the keys; every name a pack uses exists in it."""

import re
from functools import cached_property
from typing import Any, Literal

from msgspec import Struct, field

from rules.engine.pack.effects import AnyEffect, Row

Category = Literal[
    "close_combat", "shooting", "small_firearm", "suit_of_armour", "cloak", "hand_held_armour", "other_armour",
    "misc", "drug", "mount", "curiosity",
]  # fmt: skip
"""What kind of thing an item is; a curiosity is found and has no rules of its own."""

WEAPONS = ("close_combat", "shooting", "small_firearm")
ARMOUR = ("suit_of_armour", "cloak", "hand_held_armour", "other_armour")


_CITED = re.compile(r"(?:^|(?<=\. ))(\d+(?:, \d+)*): ")


class Entry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What everything in a pack has: a name, one or two lines of ours, where it comes from, how it was read."""

    name: str
    text: str = ""
    section: str = ""
    ruling: str = ""
    """What rulings mean here, each after its number: `10: ... 28: ...`, or `10, 12: ...`."""

    @property
    def cites(self) -> tuple[int, ...]:
        """The numbers of the rulings in its note."""
        return tuple(int(number) for cited in _CITED.findall(self.ruling) for number in cited.split(", "))


class Ruling(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the project reads a place of the rulebook that is damaged, contradicts itself or says nothing."""

    number: int
    """To 100 those that were given to the project, from 101 on the ones it made itself."""
    weight: Literal["A", "B", "C"]
    """A changes results of the post-game sequence, B data or prices, C wording only."""
    section: str
    problem: str
    reading: str
    about: tuple[str, ...] = ()
    """Parts of the pack and names of entries that it concerns, beside the entries whose notes cite it."""
    setting: str = ""
    """The campaign settings that change it, commas between them; empty where none does."""
    ours: bool = False


class Bonus(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Changes while the thing is carried or the rule is had; `when` names a condition, empty for always."""

    changes: dict[str, int] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    """Rules granted, with their brackets: `Fear (0)`, `Dodge (5+, against Shooting Attacks)`."""
    skills: tuple[str, ...] = ()
    when: str = ""
    once: bool = False
    """Counted once, however many of the thing are carried."""


class Use(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that is used: when, how often, and what it does to dice that the campaign rolls."""

    when: Literal["pre_game", "recovery", "injury", "exploration", "game", "start_of_post_game", "trading"]
    one_use: bool = False
    per_game: int = 0
    what: str = ""
    """A mechanism of the engine by name, as `city_map`, `tarot`, `dowser`, `healing_herb`; empty at the table only."""
    bonus: Bonus | None = None
    addictive: bool = False


class Item(Entry, frozen=True):
    """Anything on the market or in a stockpile, mounts included."""

    category: Category
    price: str = ""
    """Empty: it cannot be bought, and so not be sold."""
    rarity: int = 0
    hands: int | None = None
    range: int | None = None
    shots: int | None = None
    strength: str = ""
    ap: str = ""
    keywords: tuple[str, ...] = ()
    bonuses: tuple[Bonus, ...] = ()
    uses: tuple[Use, ...] = ()
    sellable: bool = True
    equippable: bool = True
    only_mounted: bool = False
    not_mounted: bool = False
    only_large: bool = False
    slots: tuple[Category, ...] = ()
    """The slots it takes, where that is not one of its own category."""
    excludes: tuple[str, ...] = ()
    """Items or categories that its bearer cannot have."""
    excludes_from: int = 1
    """So many of it exclude them."""
    rarity_roll: int = 0
    """Added to the rarity roll while it lies in the stockpile."""
    extra_models: int = 0
    """Added to the largest size of the warband while somebody carries it."""
    drug: bool = False
    mount: "MountProfile | None" = None
    details: tuple[Row, ...] = ()
    """Randomised when acquired."""


class MountProfile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A mount's numbers. `rider` adds to the rider's own values; `own` are the mount's offensive ones."""

    species: str
    adv: int
    mar: int
    rider: dict[str, int]
    own: dict[str, int]
    rules: tuple[str, ...] = ()
    barding: bool = False


class Upgrade(Entry, frozen=True):
    """An equipment upgrade. Inbuilt ones are bought with the item, allocated ones are things of their own."""

    kind: Literal["armour", "close_combat", "shooting"]
    fits: tuple[str, ...]
    """Item names, or a category."""
    price: str
    rarity: int
    inbuilt: bool = False
    one_use: bool = False
    pre_game: bool = False
    single_shot: bool = False
    bonuses: tuple[Bonus, ...] = ()
    removes: tuple[str, ...] = ()
    """Rules that the item no longer grants."""
    details: tuple[Row, ...] = ()
    """Randomised when acquired, as the effect of Enchanted."""


class Skill(Entry, frozen=True):
    """Something that a fighter can learn."""

    lists: tuple[str, ...]
    rule_kind: str = ""
    only: tuple[Literal["wizard", "priest"], ...] = ()
    """Only for wizards, only for priests, or for either."""
    never: tuple[str, ...] = ()
    """Not for `wizard`, `priest`, or models of an army code."""
    most_per_warband: int = 0
    repeatable: bool = False
    effects: tuple[AnyEffect, ...] = ()
    """What happens once, when it is gained."""
    bonuses: tuple[Bonus, ...] = ()
    choose_proficiencies: str = ""
    """`close_combat`, `shooting` or `cloak`: three names from the local market."""
    what: str = ""
    """A mechanism of the engine by name: `explorer`, `haggle`, `espionage`, `streetwise`, `master_of_poison`, ..."""


class ModelRule(Entry, frozen=True):
    """A rule that models have by nature, by a skill or by a thing."""

    kind: Literal["universal", "protection", "attack", "special", "ours"]
    scope: tuple[Literal["weapons", "close_combat", "shooting"], ...] = ()
    """Which attacks an attack attribute is for: a weapon's own, or all of a model's in close combat or shooting."""
    parameter: str = ""
    cumulative: bool = False
    """Several of it add up, against the general rule for duplicates (17.1)."""
    grants: tuple[str, ...] = ()
    """Rules that come with it, with their brackets."""
    bonuses: tuple[Bonus, ...] = ()
    what: str = ""
    """A mechanism of the engine by name: `never_learns`, `slow_learner`, `wanderer`, `regeneration`, ..."""


class InjuryRow(Entry, frozen=True):
    """A row of an injury table."""

    low: int
    high: int
    effects: tuple[AnyEffect, ...] = ()


class AdvanceOption(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`key` is remembered by a group that gained it, because most come once."""

    key: str
    effects: tuple[AnyEffect, ...]
    once: bool = False


class AdvanceRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of an advancement table; with several options the player chooses."""

    low: int
    high: int
    options: tuple[AdvanceOption, ...]
    text: str = ""


class ExplorationResult(Entry, frozen=True):
    """`faces` is the set of multiples: `11`, `222`, `666666`."""

    faces: str
    effects: tuple[AnyEffect, ...]


class Band(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A range of numbers, open at either end, and a value for it."""

    low: int | None = None
    high: int | None = None
    value: int


class DevotionRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a devotion means: fate rerolls, exploration dice, and a step of its relations."""

    fate_rerolls: str
    exploration_dice: int
    relation: int


class Achievement(Entry, frozen=True):
    """A deed that brings victory points."""

    points: int


class Scenario(Entry, frozen=True):
    """A row of a chart of common scenarios."""

    players: str
    """`2` or `2-6`."""
    roll: int


class Spell(Entry, frozen=True):
    """A spell of a path, or a prayer of a faith."""

    path: str
    number: int
    casting: str
    range: str = ""
    type: str = ""
    duration: str = ""


class FighterType(Entry, frozen=True):
    """A kind of hero, henchman or hireling that can be recruited."""

    kind: Literal["hero", "henchmen", "hireling"]
    species: str
    profile: dict[str, int]
    """All thirteen characteristics, rating and upkeep."""
    price: int
    rarity: int = 0
    leader: bool = False
    least: int = 0
    most: int = 99
    group: int = 1
    """The largest group."""
    starting_experience: int = 0
    rules: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    skill_lists: tuple[str, ...] = ()
    weapons: tuple[str, ...] = ()
    armour: tuple[str, ...] = ()
    mounts: tuple[str, ...] = ()
    equipment: tuple[str, ...] = ()
    """What it comes with, upgrades first: `Sharpened Sword`."""
    paths: tuple[str, ...] = ()
    spells: int = 0
    devotion: str = ""
    army: str = ""
    """A hireling's own army, for relations."""
    hirers: tuple[str, ...] = ()
    """The armies that may hire it; none named means all."""
    large: bool = False
    found_only: bool = False
    """Not for sale: it joins through a result of a table."""


class SpecialPrice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of an army's own market."""

    item: str
    price: str
    rarity: int = 0


class Army(Entry, frozen=True):
    """What a warband can be made of: its types, its limits, its own market and its names."""

    code: str
    largest: int
    smallest: int = 4
    most_heroes: int = 6
    starting_points: int = 500
    fighters: tuple[FighterType, ...] = ()
    market: tuple[SpecialPrice, ...] = ()
    names: tuple[str, ...] = ()
    warband_names: tuple[str, ...] = ()


class Track(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An experience track: how many boxes it has, and which of them are thick, an advancement roll each."""

    boxes: int
    thick: tuple[int, ...]


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`pack.yaml`: who a pack is."""

    id: str
    version: str
    title: str
    text: str = ""
    ours: bool = False
    """True where the content is the project's own and no rulebook's."""
    requires: tuple[str, ...] = ()


class Files(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the files of a pack may hold, taken together; every part is optional."""

    relations: dict[str, dict[str, Literal["T", "S", "D"]]] = field(default_factory=dict)
    army_names: dict[str, str] = field(default_factory=dict)
    devotion: dict[Literal["high", "medium", "low"], DevotionRow] = field(default_factory=dict)
    underdog: tuple[Band, ...] = ()
    income: tuple[Band, ...] = ()
    injury_lower: tuple[InjuryRow, ...] = ()
    injury_higher: tuple[InjuryRow, ...] = ()
    advancement_lower: tuple[AdvanceRow, ...] = ()
    advancement_higher: tuple[AdvanceRow, ...] = ()
    maxima: dict[str, dict[str, int]] = field(default_factory=dict)
    tracks: dict[Literal["higher", "lower"], Track] = field(default_factory=dict)
    """Thresholds for campaigns that set none themselves; the usual ones are the engine's settings (ruling 4)."""
    exploration: tuple[ExplorationResult, ...] = ()
    achievements: tuple[Achievement, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    city_map: tuple[Row, ...] = ()
    items: tuple[Item, ...] = ()
    upgrades: tuple[Upgrade, ...] = ()
    skills: tuple[Skill, ...] = ()
    rules: tuple[ModelRule, ...] = ()
    armies: tuple[Army, ...] = ()
    hirelings: tuple[FighterType, ...] = ()
    spells: tuple[Spell, ...] = ()
    rulings: tuple[Ruling, ...] = ()


class Pack(Struct, frozen=True, kw_only=True, dict=True):
    """One or more packs laid over each other, by name. This is what the engine reads."""

    headers: tuple[Header, ...]
    relations: dict[str, dict[str, Literal["T", "S", "D"]]]
    army_names: dict[str, str]
    devotion: dict[str, DevotionRow]
    underdog: tuple[Band, ...]
    income: tuple[Band, ...]
    injury_lower: tuple[InjuryRow, ...]
    injury_higher: tuple[InjuryRow, ...]
    advancement_lower: tuple[AdvanceRow, ...]
    advancement_higher: tuple[AdvanceRow, ...]
    maxima: dict[str, dict[str, int]]
    tracks: dict[str, Track]
    exploration: dict[str, ExplorationResult]
    achievements: dict[str, Achievement]
    scenarios: tuple[Scenario, ...]
    city_map: tuple[Row, ...]
    items: dict[str, Item]
    upgrades: dict[str, Upgrade]
    skills: dict[str, Skill]
    rules: dict[str, ModelRule]
    armies: dict[str, Army]
    fighters: dict[str, FighterType]
    """Every fighter type by name, hirelings included."""
    spells: dict[str, Spell]
    rulings: dict[int, Ruling]

    # Worked out once: these are no part of a pack and go with it.

    @cached_property
    def wares(self) -> dict[str, tuple[str, ...]]:
        """What the local market sells, by category, in the order of the pack."""
        found: dict[str, tuple[str, ...]] = {}
        for entry in self.items.values():
            if entry.price:
                found[entry.category] = (*found.get(entry.category, ()), entry.name)
        return found

    def skills_in(self, lists: frozenset[str]) -> tuple[Skill, ...]:
        """The skills of some lists, in the order of the pack."""
        known = self._skills_in.get(lists)
        if known is None:
            known = tuple(skill for skill in self.skills.values() if not lists.isdisjoint(skill.lists))
            self._skills_in[lists] = known
        return known

    @cached_property
    def _skills_in(self) -> dict[frozenset[str], tuple[Skill, ...]]:
        return {}

    @cached_property
    def belongings(self) -> dict[Any, Any]:
        """The memory of `traits.belongings`."""
        return {}
