"""What a blow needs to hit, to wound and to get through, and what a model's attacks promise (13.6, 13.7, 14.3-14.5)."""

from collections.abc import Iterable, Iterator

from rules.engine.stance import Stance, Strike
from rules.engine.state import Rule, evolve
from rules.engine.traits import number_in

SAVES = ("Aegis", "Dodge", "Fortitude")
HERE = ("Close Combat Attacks", "Melee Attacks")
"""What a protection can be against to count against every blow of a duel."""


def needed_to_hit(strike: Strike, own: Stance, foe: Stance, bonus: int = 0, penalty: int = 0) -> int:
    """Table 9, with modifiers; Block sets the skill of who uses it, Distracting adds to no other penalty."""
    defence = foe.defence + (0 if "Ignores Deflect" in strike.rules else foe.deflects)
    if foe.blocks and not own.multi_wields:
        defence = strike.off
    if "Distracting" in foe.names:
        penalty = max(penalty, 1)
    return max(2, min(by_skill(strike.off - defence) + penalty - bonus - strike.to_hit, 6))


def by_skill(difference: int) -> int:
    """Offensive less defensive skill."""
    for least, needed in ((4, 2), (1, 3), (-3, 4), (-7, 5)):
        if difference >= least:
            return needed
    return 6


def needed_to_wound(strike: Strike, foe: Stance) -> int:
    """Table 8; Tough makes it harder, Metalshifting asks for armour alone."""
    if "Metalshifting" in strike.rules:
        needed = 7 - foe.armour
    else:
        needed = 4 - max(-2, min(strike.strength - foe.resilience, 2))
    return max(2, min(needed + ("Tough" in foe.names and not strike.hits), 6))


def needed_to_save(armour: int, penetration: int) -> int:
    """Table 10; 7 is out of reach."""
    return max(2, min(7 - armour + penetration, 7))


def special_save(foe: Stance, down: bool, strike: Strike, lethal: bool) -> tuple[str, int]:
    """The best special save against this wound and what it needs; 7 if there is none (14.5)."""
    best = ("", 7)
    for kind in SAVES:
        if kind == "Dodge" and down:
            continue
        if kind == "Fortitude" and (lethal or "Flaming Attacks" in strike.rules):
            continue
        needed = _save_value(rule for rule in foe.rules if rule.name == kind and _guards(rule, strike))
        if needed < best[1]:
            best = (kind, needed)
    return best


def _guards(rule: Rule, strike: Strike) -> bool:
    """Whether a protection counts against this strike (17.3.1)."""
    if not rule.against or rule.against in strike.rules:
        return True
    return rule.against in HERE and not strike.hits


def _save_value(rules: Iterable[Rule]) -> int:
    """`4+`, or improved by `+1, max 3+`; an improvement of nothing is a save of its own."""
    needed = 7
    for rule in sorted(rules, key=lambda rule: rule.value.startswith("+")):
        better, _, limit = rule.value.partition(", max ")
        if better.startswith("+"):
            needed = min(needed, max(needed - number_in(better, rule), number_in(limit or "2", rule)))
        else:
            needed = min(needed, number_in(better, rule))
    return needed


def expected_wounds(own: Stance, foe: Stance) -> float:
    """Unsaved wounds that a round without a charge may bring."""
    return sum(strike.attacks * _promise(strike, own, foe) for strike in allocate(own, foe))


def _promise(strike: Strike, own: Stance, foe: Stance) -> float:
    """The chance that one attack leaves an unsaved wound, special rules of the dice aside."""
    hit = 1.0 if strike.hits else _chance(needed_to_hit(strike, own, foe))
    saved = _chance(needed_to_save(foe.armour, strike.ap))
    return hit * _chance(needed_to_wound(strike, foe)) * (1 - saved)


def _chance(needed: int) -> float:
    return max(0, 7 - needed) / 6


def allocate(own: Stance, foe: Stance) -> Iterator[Strike]:
    """Every weapon strikes at least once (13.6); loaded ones are fired; the rest goes to the most promising."""
    spare = own.attacks - len(own.weapons)
    best = max(own.weapons, key=lambda weapon: _promise(weapon, own, foe))
    for weapon in own.weapons:
        attacks = weapon.attacks + (spare if weapon is best else 0)
        first = attacks if weapon.shots is None else min(attacks, weapon.shots)
        yield evolve(weapon, attacks=first)
        if attacks > first and weapon.otherwise is not None:
            yield evolve(weapon.otherwise, attacks=attacks - first)
    yield from own.extra
