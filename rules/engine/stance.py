"""How one model fights in a round of close combat: its numbers, and every way in which it strikes (13, 17.3-17.7).

Special attacks that are made instead of the usual ones are left out (ruling 129).
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from rules.engine.arms import CHARGED, CHARGING, LATER, Gains, Grip, is_attack, model_bonuses, weapon_bonuses
from rules.engine.equipped import limited_armour
from rules.engine.pack.schema import Item as Entry
from rules.engine.pack.schema import Pack
from rules.engine.state import Fighter, Item, Rule, evolve
from rules.engine.traits import parse_rule

TOP_AGILITY = 10
TOXIC_STRENGTH, PIERCING = 3, 10
"""The strength of Toxic Attacks, and the armour penetration of what goes through everything."""

BARE_HANDS = Entry(name="bare hands", category="close_combat", hands=0, strength="User", ap="User")
EXPERTS = {"Expert Axeman": "Axe", "Expert Halberdier": "Halberd", "Expert Swordsman": "Sword", "Whip Master": "Whip"}
UNSTRUNG = ("Flail", "Morning Star")
FIRED_WELL = "Duelling Pistol"


class Strike(Struct, frozen=True):
    """One way in which a model strikes: with a weapon, bare hands, its mount, or its mere weight."""

    name: str
    off: int
    strength: int
    ap: int
    agility: int
    attacks: int = 1
    last: bool = False
    hits: str = ""
    """So many hits without a roll, and no close combat attack: Impact Hits and Grind Attacks."""
    to_hit: int = 0
    rules: frozenset[str] = frozenset()
    grievous: tuple[str, ...] = ()
    critical: tuple[str, ...] = ()
    """More of them for critical wounds."""
    rerolls_hits: bool = False
    rerolls_wounds: bool = False
    item: str = ""
    shots: int | None = None
    """How many attacks of this kind there are, where shots run out."""
    otherwise: "Strike | None" = None
    """What is struck with instead once they have."""


class Stance(Struct, frozen=True):
    """A model in one round of combat."""

    attacks: int
    weapons: tuple[Strike, ...]
    extra: tuple[Strike, ...]
    """Strikes that take none of its attacks: the mount's, impact and grinding."""
    defence: int
    """Defensive skill without what Deflect adds."""
    deflects: int
    blocks: bool
    resilience: int
    armour: int
    discipline: int
    rules: tuple[Rule, ...]
    names: frozenset[str]
    """Rules, skills and things worn or held, by name."""

    @property
    def multi_wields(self) -> bool:
        """Whether it strikes with more than one weapon."""
        return len(self.weapons) > 1


def stance(grip: Grip) -> Stance:
    """The model's numbers and strikes in this round."""
    profile = grip.fighter.profile
    own = Gains(grip.fighter.rules)
    for bonus, times in model_bonuses(grip):
        own.add(bonus, times)
    if grip.moment == CHARGING:
        own.charge()
    own.complete(grip.pack)
    body = _body(grip, own)
    deflects = sum(rule.name == "Deflect" for rule in body.rules)
    names = {rule.name for rule in body.rules} | {item.name for item in grip.worn} | set(grip.fighter.skills)
    return Stance(
        attacks=max(1, profile["Att"] + own.changes["Att"] + max(0, len(grip.weapons) - 1)),
        weapons=tuple(_weapons(grip, own)),
        extra=tuple(_extra(grip, own)),
        defence=max(0, profile["Def"] + body.changes["Def"]),
        deflects=deflects,
        blocks="Block" in names or (deflects > 0 and _blocks(grip)),
        resilience=max(0, profile["Res"] + body.changes["Res"]),
        armour=_armour(grip, profile["Arm"] + body.changes["Arm"]),
        discipline=profile["Dis"] + body.changes["Dis"],
        rules=tuple(body.rules),
        names=frozenset(names),
    )


def _blocks(grip: Grip) -> bool:
    """Whether it holds something that blocks for who can deflect, and does not strike with it."""
    struck_with = [item for item, _ in grip.weapons]
    entries = [grip.pack.items[item.name] for item in grip.held if item not in struck_with]
    return any("Block" in bonus.rules for entry in entries for bonus in entry.bonuses if bonus.when == "with_deflect")


def _body(grip: Grip, own: Gains) -> Gains:
    """What concerns the whole model: mount and weapons in use included, attack attributes left aside."""
    body = Gains([rule for rule in own.rules if not is_attack(rule, grip.pack)])
    body.count(own.changes)
    seen = set()
    for item, entry in grip.weapons:
        body.rules += [parse_rule(text) for text in entry.keywords if text == "Deflect"]
        unstrung = "Unstring" in grip.fighter.skills and entry.name in UNSTRUNG
        for bonus in weapon_bonuses(grip, item, entry):
            if (bonus.once and entry.name in seen) or unstrung:
                continue
            body.changes["Def"] += bonus.changes.get("Def", 0)
            body.rules += [parse_rule(text) for text in bonus.rules if text == "Deflect"]
        seen.add(entry.name)
    if len(grip.weapons) > 1 and "Paired Fighter" not in grip.fighter.skills:
        body.changes["Def"] -= 1
    if grip.mount is not None:
        body.count(grip.mount.rider)
        mounts = (parse_rule(text) for text in grip.mount.rules)
        body.rules += [rule for rule in mounts if not is_attack(rule, grip.pack)]
    body.complete(grip.pack)
    return body


def _armour(grip: Grip, value: int) -> int:
    entries = (grip.pack.items.get(item.name) for item in grip.worn)
    return max(0, limited_armour(value, (entry for entry in entries if entry is not None)))


def health_points(fighter: Fighter, pack: Pack) -> int:
    """What it starts a fight with, things and mount counted."""
    grip = Grip(fighter, pack, ())
    bonus = sum(bonus.changes.get("HP", 0) * times for bonus, times in model_bonuses(grip))
    return fighter.profile["HP"] + bonus + (grip.mount.rider.get("HP", 0) if grip.mount is not None else 0)


def _weapons(grip: Grip, own: Gains) -> list[Strike]:
    if not grip.weapons:
        return [_strike(grip, own, None, BARE_HANDS)]
    return [_with_shots(grip, own, item, entry) for item, entry in grip.weapons]


def _strike(grip: Grip, own: Gains, item: Item | None, entry: Entry, name: str = "") -> Strike:
    """A weapon in this fighter's hand: its own rules and those of all the fighter's attacks."""
    weapon = _weapon_gains(grip, item, entry)
    rules = own.attack_rules(grip.pack) + weapon.rules
    names = frozenset(rule.name for rule in rules)
    profile = grip.fighter.profile
    changes = {name: own.changes[name] + weapon.changes[name] for name in ("Off", "Str", "AP")}
    strength = _of(entry.strength, TOXIC_STRENGTH if "Toxic Attacks" in names else profile["Str"])
    ap = PIERCING if names & {"Toxic Attacks", "Metalshifting"} else _of(entry.ap, profile["AP"])
    slow = "Strikes Last" in names
    swift = "Lightning Reflexes" in names
    return Strike(
        name=name or entry.name,
        off=max(0, profile["Off"] + changes["Off"]),
        strength=max(0, strength + changes["Str"]),
        ap=PIERCING if "Armour Penetration 10" in names else ap + changes["AP"],
        agility=_agility(grip, profile["Agi"], "Agility 10 when charged" in entry.keywords, own.changes["Agi"]),
        attacks=1 + weapon.changes["Att"],
        last=slow and not swift and "Strong Arms" not in grip.fighter.skills,
        to_hit=(swift and not slow) + (item is not None and "Lucky" in item.upgrades),
        rules=names,
        grievous=tuple(rule.value for rule in rules if rule.name == "Grievous Attacks"),
        critical=tuple(_critical(grip, item)),
        rerolls_hits=_rerolls_hits(grip, rules, entry),
        rerolls_wounds="Reroll failed to-wound rolls" in names,
        item=item.id if item is not None else "",
    )


def _weapon_gains(grip: Grip, item: Item | None, entry: Entry) -> Gains:
    """What the weapon brings by its keywords, upgrades and enchantment."""
    gains = Gains([parse_rule(text) for text in entry.keywords])
    if item is not None:
        gains.read(item.detail.split(" and "))
        for bonus in weapon_bonuses(grip, item, entry):
            gains.add(bonus)
    if grip.moment == CHARGING:
        gains.charge()
    gains.complete(grip.pack)
    return gains


def _of(text: str, own: int) -> int:
    """`User`, `+1` or `4`."""
    if text in ("", "User", "-"):
        return own
    return own + int(text) if text[0] in "+-" else int(text)


def _agility(grip: Grip, value: int, set_against_charge: bool = False, more: int = 0) -> int:
    """Who is dazed is slow, who charges is as fast as can be, and so are some whom others charge."""
    quick = set_against_charge or "Quick Reflexes" in grip.fighter.skills
    if not grip.healthy:
        value = 1
    elif grip.moment == CHARGING or (grip.moment == CHARGED and quick):
        value = TOP_AGILITY
    return max(1, min(value + more, TOP_AGILITY))


def _rerolls_hits(grip: Grip, rules: Sequence[Rule], entry: Entry) -> bool:
    if any(rule.name == "Reroll failed to-hit rolls" for rule in rules):
        return True
    if grip.moment == CHARGING and any(EXPERTS.get(skill) == entry.name for skill in grip.fighter.skills):
        return True
    hated = ("", grip.enemy_species, f"species:{grip.enemy_species}")
    return grip.moment != LATER and any(rule.name == "Hatred" and rule.against in hated for rule in rules)


def _critical(grip: Grip, item: Item | None) -> Iterator[str]:
    """Grievous Attacks that only critical wounds have."""
    skills = [grip.pack.skills[name] for name in grip.fighter.skills]
    bonuses = [bonus for skill in skills if skill.rule_kind != "attack_shooting" for bonus in skill.bonuses]
    for upgrade in item.upgrades if item is not None else ():
        bonuses += grip.pack.upgrades[upgrade].bonuses
    for bonus in bonuses:
        if bonus.when == "critical_wound":
            yield from (parse_rule(text).value for text in bonus.rules)


def _with_shots(grip: Grip, own: Gains, item: Item, entry: Entry) -> Strike:
    """A small firearm is fired while it is loaded: nobody reloads in combat (17.7.2)."""
    club = _strike(grip, own, item, entry)
    gun = grip.pack.items.get(item.name)
    if gun is None or gun.category != "small_firearm":
        return club
    shots = 2 if "Double-barrelled" in item.upgrades else gun.shots or 0
    left = shots - grip.shots_fired.get(item.id, 0) if "Slow Reload" in gun.keywords else None
    if left is not None and left <= 0:
        return club
    shooting = Entry(name=gun.name, category="close_combat", hands=1, strength=gun.strength, ap=gun.ap)
    fired = _strike(grip, own, item, shooting, f"{gun.name} fired")
    aim = fired.to_hit + (gun.name == FIRED_WELL)
    return evolve(fired, to_hit=aim, shots=left, otherwise=club)


def _extra(grip: Grip, own: Gains) -> Iterator[Strike]:
    """The mount's strikes, and the weight of a model that charges or grinds; one of these two a round."""
    profile = grip.fighter.profile
    if grip.mount is not None and grip.mount.own.get("Att", 0):
        numbers = grip.mount.own
        rules = frozenset(rule.name for rule in map(parse_rule, grip.mount.rules) if is_attack(rule, grip.pack))
        agility = _agility(grip, numbers["Agi"])
        yield Strike("mount", numbers["Off"], numbers["Str"], numbers["AP"], agility, numbers["Att"], rules=rules)
    weight = {rule.name: rule.value for rule in own.rules if rule.name in ("Impact Hits", "Grind Attacks")}
    name = "Impact Hits" if grip.moment == CHARGING and "Impact Hits" in weight else "Grind Attacks"
    if name in weight:
        yield Strike(name, 0, profile["Str"], profile["AP"], _agility(grip, profile["Agi"]), 0, hits=weight[name])
