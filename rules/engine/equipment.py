"""Who may carry what (16.8 and 17.7).

A group's things lie in one heap, so its limits are those of one model times its models; whether all its
models carry the same is another question, asked in the warband phase. Two small firearms fill a shooting
slot or one fills a close combat slot: any way of sorting them that works is allowed (17.7.2.1, ruling 113).
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from rules.engine.pack.schema import ARMOUR, WEAPONS, FighterType, Pack, Upgrade
from rules.engine.pack.schema import Item as Entry
from rules.engine.prices import fits, label, special_row, split_label
from rules.engine.state import HERO, HIRELING, Fighter, Item, Warband, evolve
from rules.engine.traits import as_worn, belongings, is_mounted, mount_of

CARRIED_ALONE = ("misc", "drug", "curiosity")
"""What heroes carry one of each of (17.7.5)."""

HANDS = 2
"""What a model holds things with, unless it lost one."""
FIRST_ONE_FREE = "First Dagger free"
BARDING = "Barding"
BULKY = ("Heavy Armour", "Plate Armour")
"""What an Unusual Shape cannot ride in (17.3)."""


@dataclass(frozen=True)
class Breach:
    """Something that a fighter carries against the rules."""

    code: str
    sentence: str
    fighter: str
    item: str = ""


def breaches(fighter: Fighter, pack: Pack) -> list[Breach]:
    """Everything that is wrong with what a fighter carries."""
    return list(_breaches(fighter, pack)) if fighter.items else []


def refusal(fighter: Fighter, item: Item, pack: Pack) -> Breach | None:
    """Why a fighter cannot have one more item, or nothing if it can."""
    return next(iter(new_breaches(fighter, evolve(fighter, items=(*fighter.items, item)), pack)), None)


def new_breaches(before: Fighter, after: Fighter, pack: Pack) -> list[Breach]:
    """What a change of its things makes wrong; what was wrong before is no reason to refuse it (ruling 119)."""
    known = Counter((breach.code, breach.item) for breach in breaches(before, pack))
    return [breach for breach in breaches(after, pack) if (breach.code, breach.item) not in known]


def _breaches(fighter: Fighter, pack: Pack) -> Iterator[Breach]:
    rules = rule_names(fighter, pack)
    if "Unarmed" in rules:
        yield Breach("unarmed", f"{fighter.name} is Unarmed and carries nothing.", fighter.id)
        return
    for item in fighter.items:
        reason = _why_not(fighter, item, rules, pack)
        if reason is not None:
            yield Breach(reason[0], reason[1], fighter.id, item.id)
    yield from _too_many(fighter, rules, pack)
    yield from _excluded(fighter, pack)


def rule_names(fighter: Fighter, pack: Pack) -> set[str]:
    """The names of its rules, with what being Large or clad in bulky armour brings along (3.5.1, 17.3)."""
    names = set(belongings(fighter, pack).rule_names)
    entry = pack.fighters.get(fighter.type)
    if entry is not None and entry.large:
        names |= {"Unusual Shape", "May not Ride"}
    if "Unusual Shape" in names and any(item.name in BULKY for item in fighter.items):
        names.add("May not Ride")
    return names


# One thing ----------------------------------------------------------------------------------------

Reason = tuple[str, str] | None


def _why_not(fighter: Fighter, item: Item, rules: set[str], pack: Pack) -> Reason:
    upgrade = pack.upgrades.get(item.name)
    if upgrade is not None:
        return _why_not_upgrade(fighter, upgrade, pack)
    entry = pack.items.get(item.name)
    if entry is None:
        return "unknown_item", f"Nobody knows what {item.name} is."
    if not entry.equippable:
        return "not_equippable", f"{entry.name} cannot be carried."
    if entry.only_mounted and not is_mounted(fighter, pack):
        return "only_mounted", f"{entry.name} is for riders, and {fighter.name} has no mount."
    if came_with(fighter, entry.name, pack):
        return _why_not_ride(fighter, rules) if entry.category == "mount" else None
    return _why_not_category(fighter, entry, rules, pack)


def _why_not_upgrade(fighter: Fighter, upgrade: Upgrade, pack: Pack) -> Reason:
    """Allocated to something that its bearer has (17.7.4.1)."""
    if any(fits(upgrade.name, item.name, pack) for item in fighter.items):
        return None
    return "upgrade_without_item", f"{fighter.name} has nothing that {upgrade.name} can be used with."


def _why_not_category(fighter: Fighter, entry: Entry, rules: set[str], pack: Pack) -> Reason:
    if entry.category in WEAPONS:
        return _why_not_proficient(fighter, entry, fighter.weapon_proficiencies)
    if entry.name == BARDING:
        return _why_not_barding(fighter, pack)
    if entry.category in ARMOUR:
        return _why_not_proficient(fighter, entry, fighter.armour_proficiencies)
    if fighter.kind == HIRELING:
        return "not_recruited_with", f"{fighter.name} was not recruited with {entry.name}, and hirelings get no other."
    if fighter.kind != HERO:
        return "heroes_only", f"{entry.name} is for heroes, and {fighter.name} is none."
    return _why_not_mount(fighter, entry, rules, pack) if entry.category == "mount" else None


def _why_not_proficient(fighter: Fighter, entry: Entry, known: tuple[str, ...]) -> Reason:
    if entry.name in known or entry.category in known:
        return None
    return "not_proficient", f"{fighter.name} has no proficiency with {entry.name}."


def _why_not_barding(fighter: Fighter, pack: Pack) -> Reason:
    """The mount's own armour: some can bear it (17.7.6)."""
    mount = mount_of(fighter, pack)
    if mount is not None and mount.mount is not None and mount.mount.barding:
        return None
    return "no_barding", f"{fighter.name} has no mount that can wear {BARDING}."


def _why_not_mount(fighter: Fighter, entry: Entry, rules: set[str], pack: Pack) -> Reason:
    kind = pack.fighters.get(fighter.type)
    if kind is None or entry.name not in kind.mounts:
        return "mount_not_allowed", f"{fighter.name} cannot have {entry.name} as a mount."
    return _why_not_ride(fighter, rules)


def _why_not_ride(fighter: Fighter, rules: set[str]) -> Reason:
    return ("may_not_ride", f"{fighter.name} may not ride.") if "May not Ride" in rules else None


def came_with(fighter: Fighter, name: str, pack: Pack) -> bool:
    """Whether its entry brings this item along: such things it can have, and have again (16.8)."""
    kind = pack.fighters.get(fighter.type)
    return kind is not None and bool(kind.equipment) and name in {ware for ware, _ in starting_wares(kind, pack)}


def starting_wares(kind: FighterType, pack: Pack) -> list[tuple[str, tuple[str, ...]]]:
    """What one model of a type is recruited with."""
    return [split_label(text, pack, f"equipment of {kind.name}") for text in kind.equipment]


# All things together ------------------------------------------------------------------------------


_SUITS = {1: (1, "suit of armour"), 2: (2, "suits of armour")}
_ONE_EACH = {"cloak": (1, "cloak"), "hand_held_armour": (1, "piece of hand held armour"), "mount": (1, "mount")}
"""How many of a kind one model can carry, and what to call them."""


def _too_many(fighter: Fighter, rules: set[str], pack: Pack) -> Iterator[Breach]:
    entries = [pack.items[item.name] for item in fighter.items if item.name in pack.items]
    taken: Counter[str] = Counter(slot for entry in entries for slot in (entry.slots or (entry.category,)))
    yield from _weapon_slots(fighter, rules, taken, sum(FIRST_ONE_FREE in entry.keywords for entry in entries))
    suits = 2 if "Unusual Shape" in rules else 1
    for category, (limit, what) in (_ONE_EACH | {"suit_of_armour": _SUITS[suits]}).items():
        if taken[category] > limit * fighter.models:
            yield _over(fighter, f"too_many_{category}", limit, what)
    if suits == 2:
        yield from _different_suits(fighter, pack)
    names = Counter(entry.name for entry in entries if entry.category in (*CARRIED_ALONE, "other_armour"))
    for name, count in names.items():
        if count > fighter.models:
            yield _over(fighter, "duplicate", 1, name)


def _weapon_slots(fighter: Fighter, rules: set[str], taken: Counter[str], daggers: int) -> Iterator[Breach]:
    """Up to two weapons for close combat and one for shooting (17.7.1, 17.7.2)."""
    if taken["shooting"] > fighter.models:
        yield _over(fighter, "too_many_shooting", 1, "shooting weapon")
    limit = 3 if "Weapon Master" in rules else 2
    holstered = 2 * max(0, fighter.models - taken["shooting"])
    in_hand = taken["close_combat"] - min(daggers, fighter.models) + max(0, taken["small_firearm"] - holstered)
    if in_hand > limit * fighter.models:
        yield _over(fighter, "too_many_close_combat", limit, "close combat weapons")


def _over(fighter: Fighter, code: str, limit: int, what: str) -> Breach:
    who = f"Each model of {fighter.name}" if fighter.models > 1 else fighter.name
    return Breach(code, f"{who} can carry only {limit} {what}.", fighter.id)


def _different_suits(fighter: Fighter, pack: Pack) -> Iterator[Breach]:
    suits = [(item.name, item.upgrades) for item in fighter.items if _category(item, pack) == "suit_of_armour"]
    if len(suits) > fighter.models and len(set(suits)) > 1:
        yield Breach("different_suits", f"{fighter.name} needs two identical suits of armour.", fighter.id)


def _category(item: Item, pack: Pack) -> str:
    entry = pack.items.get(item.name)
    return entry.category if entry is not None else ""


def _excluded(fighter: Fighter, pack: Pack) -> Iterator[Breach]:
    """Things that cannot be had together; for a group, what each of its models has."""
    held = Counter(item.name for item in fighter.items)
    for name, count in held.items():
        entry = pack.items.get(name)
        if entry is None or not entry.excludes or count // fighter.models < entry.excludes_from:
            continue
        for item in fighter.items:
            if (item.name in entry.excludes or _category(item, pack) in entry.excludes) and (
                held[item.name] >= fighter.models
            ):
                yield Breach("excluded", f"{name} and {item.name} cannot be carried together.", fighter.id, item.id)


def useless(fighter: Fighter, pack: Pack) -> list[Breach]:
    """What may be carried but not used: a Spear in the saddle, a Hand Cannon of who is not Large (ruling 111).

    Who lost a hand cannot use what takes two (16.2, 23), nor an Unusual Shape a single suit (17.3).
    """
    worn = {item.kind for item in as_worn(fighter, pack).items}
    mounted = is_mounted(fighter, pack)
    kind = pack.fighters.get(fighter.type)
    large = kind is not None and kind.large
    found = []
    for item in fighter.items:
        entry = pack.items.get(item.name)
        if entry is None:
            continue
        if entry.not_mounted and mounted:
            found.append(Breach("useless_mounted", f"{entry.name} cannot be used when mounted.", fighter.id, item.id))
        if entry.only_large and not large:
            found.append(Breach("useless_small", f"Only Large models can use {entry.name}.", fighter.id, item.id))
        if entry.category == "suit_of_armour" and item.kind not in worn:
            sentence = f"{fighter.name} needs two {item_label(item)} to wear one."
            found.append(Breach("useless_suit", sentence, fighter.id, item.id))
        if (entry.hands or 0) > HANDS - fighter.hands_lost:
            sentence = f"{fighter.name} has not enough hands for {entry.name}."
            found.append(Breach("useless_hands", sentence, fighter.id, item.id))
    return found


# Groups and warbands ------------------------------------------------------------------------------


def is_uneven(fighter: Fighter) -> bool:
    """Whether the models of a group carry different things (16.9)."""
    return fighter.models > 1 and bool(fighter.items) and _is_uneven(fighter.items, fighter.models)


@lru_cache(maxsize=4096)
def _is_uneven(items: tuple[Item, ...], models: int) -> bool:
    return any(count % models for count in Counter(item.kind for item in items).values())


def is_foreign(item: Item, army: str, pack: Pack) -> bool:
    """Whether it is only found on the special market of other armies (16.8)."""
    return any(_sold_only_elsewhere(name, army, pack) for name in (item.name, *item.upgrades))


def _sold_only_elsewhere(name: str, army: str, pack: Pack) -> bool:
    entry = pack.items.get(name) or pack.upgrades.get(name)
    if entry is None or entry.price:
        return False
    sellers = [code for code, other in pack.armies.items() if special_row(name, other) is not None]
    return bool(sellers) and army not in sellers


def mount_allowed(name: str, warband: Warband, pack: Pack) -> bool:
    """Whether the configuration has riders for it, or a hireling came with one (17.7.6)."""
    army = pack.armies.get(warband.army)
    if army is None or any(name in kind.mounts for kind in army.fighters):
        return True
    return any(came_with(fighter, name, pack) for fighter in warband.fighters.values() if fighter.kind == HIRELING)


def proficiency_choices(fighter: Fighter, kind: str, pack: Pack) -> list[str]:
    """What a specialist or cloak wearer can become proficient with: things of the local market (17.6)."""
    categories = ("shooting", "small_firearm") if kind == "shooting" else (kind,)
    known = {*fighter.weapon_proficiencies, *fighter.armour_proficiencies}
    left = [category for category in categories if category not in known]
    return [name for category in left for name in pack.wares.get(category, ()) if name not in known]


def item_label(item: Item) -> str:
    """What an item is called, its upgrades first."""
    return label(item.name, item.upgrades)
