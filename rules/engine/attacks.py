"""One model's attacks in a step of a round, from the roll to hit to the damage (14.2-14.7)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

from rules.engine.arms import LATER, Grip
from rules.engine.blows import needed_to_hit, needed_to_save, needed_to_wound, special_save
from rules.engine.expressions import DiceExpression, dice_of
from rules.engine.pack.schema import Pack
from rules.engine.run import StepRun
from rules.engine.stance import PIERCING, Stance, Strike, stance
from rules.engine.state import Fighter, Item
from rules.engine.traits import mount_of

HEALTHY, DAZED, KNOCKED_DOWN, STUNNED = range(4)
"""Health states by severity (14.7). Nobody flees: the only test for it needs two enemies."""

HEALTH = "health"


@dataclass
class Duellist:
    """One of the two while they fight."""

    fighter: Fighter
    pack: Pack
    mine: bool
    most: int
    health: int
    held: tuple[Item, ...] = ()
    state: int = HEALTHY
    out: bool = False
    ablaze: bool = False
    burned: bool = False
    """Hit by fire in this phase."""
    shots_fired: dict[str, int] = field(default_factory=dict)
    stances: dict[Any, Stance] = field(default_factory=dict)
    """Worked out once for each moment that is alike."""

    @property
    def who(self) -> str:
        """How rolls call it."""
        return "fighter" if self.mine else "opponent"

    @property
    def can_strike(self) -> bool:
        """Who lies on the ground does not."""
        return not self.out and self.state in (HEALTHY, DAZED)

    def stance(self, enemy: "Duellist", moment: str = LATER) -> Stance:
        """How it fights against this enemy at this moment."""
        healthy = self.state == HEALTHY
        alike = moment, healthy, self.held, tuple(self.shots_fired.items())
        if alike not in self.stances:
            grip = Grip(self.fighter, self.pack, self.held, moment, healthy, self.shots_fired, enemy.fighter.species)
            self.stances[alike] = stance(grip)
        return self.stances[alike]

    def has(self, name: str) -> bool:
        """Whether it learned a skill."""
        return name in self.fighter.skills


class Side(Struct, frozen=True):
    """A duellist in one round: how it stands, and what it was like when the round began."""

    duellist: Duellist
    stance: Stance
    began: int
    frightened: bool


def attack(run: StepRun, own: Side, foe: Side, strikes: list[Strike], label: str) -> None:
    """All that one model strikes in one step, and the damage it does (14.2)."""
    label = f"{label}/{own.duellist.who}"
    if foe.began == STUNNED and any(not strike.hits for strike in strikes):
        foe.duellist.out = True
        return
    wounds = []
    for strike in strikes:
        at = f"{label} {strike.name}"
        wounds += _strike(run, strike, own, foe, at)
        if strike.shots is not None:
            fired = own.duellist.shots_fired
            fired[strike.item] = fired.get(strike.item, 0) + strike.attacks
    hurt = unsaved(run, wounds, foe, label)
    if hurt:
        blunt = any("Blunt Attacks" in strike.rules for strike in strikes)
        _damage(run, own.duellist, foe, hurt, blunt, label)


class Wound(Struct, frozen=True):
    """A hit that wounded and was not saved yet."""

    strike: Strike
    critical: bool
    lethal: bool


def _strike(run: StepRun, strike: Strike, own: Side, foe: Side, label: str) -> list[Wound]:
    """Hits and wounds of one weapon. A rapier turns failed wounds into new attacks, each wave harder to land."""
    attacks, wave = strike.attacks, 0
    wounds: list[Wound] = []
    while attacks:
        hits = _hits(run, strike, attacks, own, foe, label, wave)
        wave += 1
        made = wounds_of(run, hits, own, foe, label)
        wounds += made
        attacks = len(hits) - len(made) if "Extra attacks" in strike.rules else 0
    if strike.hits:
        hits = [(strike, 0)] * _number(run, strike.hits, f"{label}/number", own.duellist.mine)
        wounds += wounds_of(run, hits, own, foe, label)
    return wounds


Hit = tuple[Strike, int]
"""A strike that hit, and the face it hit with: 0 if nothing was rolled."""


def _hits(run: StepRun, strike: Strike, attacks: int, own: Side, foe: Side, label: str, wave: int) -> list[Hit]:
    """13.7. Who lay on the ground when the round began is hit without a roll."""
    if foe.began == KNOCKED_DOWN:
        faces = [0] * attacks
    else:
        needed = needed_to_hit(strike, own.stance, foe.stance, foe.frightened, own.frightened + wave)
        faces = _roll(run, attacks, f"{label}/hit", f"to hit on {needed}+", needed, strike.rerolls_hits, own.duellist)
    if faces and "Flaming Attacks" in strike.rules:
        foe.duellist.burned = True
    return [(strike, face) for face in faces]


def _roll(run: StepRun, count: int, label: str, purpose: str, needed: int, again: bool, roller: Duellist) -> list[int]:
    """The faces of those dice that succeed; failures are rerolled if they may be, unless fate did that already."""
    purpose = f"{roller.fighter.name} {purpose}"
    roll = run.roll(label, dice_of(count), purpose=purpose, fate=roller.mine)
    good = [face for face in roll.faces if face >= needed]
    failed = count - len(good) - sum(roll.faces[reroll.die] < needed for reroll in roll.rerolls)
    if again and failed:
        faces = run.roll(f"{label}/again", dice_of(failed), purpose=purpose, fate=False).faces
        good += [face for face in faces if face >= needed]
    return good


def wounds_of(run: StepRun, hits: list[Hit], own: Side, foe: Side, label: str) -> list[Wound]:
    """14.3. Poison needs no roll after a natural 6 to hit; a natural 6 is critical where less would do."""
    if not hits:
        return []
    strike = hits[0][0]
    poisoned = sum("Poison Attacks" in strike.rules and face == 6 for _, face in hits)
    wounds = [Wound(strike, False, False)] * poisoned
    if len(hits) == poisoned:
        return wounds
    needed = needed_to_wound(strike, foe.stance)
    again = _rerolls_wounds(strike, foe.stance)
    faces = _roll(run, len(hits) - poisoned, f"{label}/wound", f"to wound on {needed}+", needed, again, own.duellist)
    lethal = "Lethal Strike" in strike.rules
    criticals = [face == 6 and needed < 6 for face in faces]
    return wounds + [Wound(strike, critical, critical and lethal) for critical in criticals]


def _rerolls_wounds(strike: Strike, foe: Stance) -> bool:
    holy = "Holy Attacks" in strike.rules and foe.names & {"Undead", "Supernal"}
    fire = "Flaming Attacks" in strike.rules and "Flammable" in foe.names
    return strike.rerolls_wounds or bool(holy) or fire


def unsaved(run: StepRun, wounds: list[Wound], foe: Side, label: str) -> list[Wound]:
    """Armour saves, then special saves, wounds of one kind together (14.4, 14.5)."""
    left = []
    for kind in dict.fromkeys(wounds):
        count = wounds.count(kind)
        at = f"{label} {kind.strike.name}" + ("/critical" if kind.critical else "")
        penetration = PIERCING if kind.lethal else kind.strike.ap + kind.critical
        needed = needed_to_save(foe.stance.armour, penetration)
        count -= _saved(run, count, needed, f"{at}/armour", "armour save", foe.duellist)
        save, needed = special_save(foe.stance, foe.duellist.state > DAZED, kind.strike, kind.lethal)
        divine = save == "Aegis" and "Divine Attacks" in kind.strike.rules
        saved = _saved(run, count, needed, f"{at}/{save}", f"{save} save", foe.duellist)
        if divine:
            saved = _saved(run, saved, needed, f"{at}/{save} again", f"{save} save", foe.duellist)
        left += [kind] * (count - saved)
    return left


def _saved(run: StepRun, count: int, needed: int, label: str, what: str, roller: Duellist) -> int:
    if not count or needed > 6:
        return 0
    return len(_roll(run, count, label, f"{what} on {needed}+", needed, False, roller))


# Damage -----------------------------------------------------------------------------------------------


def _damage(run: StepRun, own: Duellist, side: Side, wounds: list[Wound], blunt: bool, label: str) -> None:
    """14.6: 2D3, a D3 more for each further wound, and what the worst Grievous Attacks add."""
    foe = side.duellist
    purpose = f"{own.fighter.name} does damage"
    lost = run.roll(f"{label} damage", f"{len(wounds) + 1}D3", purpose=purpose, fate=own.mine).total
    grievous = [value for wound in wounds for value in _grievous(wound)]
    if grievous:
        lost += _number(run, max(grievous, key=_average), f"{label} grievous", own.mine)
    foe.health -= lost
    run.note(HEALTH, row=f"{foe.fighter.name} {max(foe.health, 0)} of {foe.most}")
    if foe.health <= 0:
        foe.out = True
        return
    gained = _state_after(run, side, blunt, label)
    if gained > foe.state:
        _become(run, foe, own, gained, label)


def _grievous(wound: Wound) -> Sequence[str]:
    if not wound.critical:
        return wound.strike.grievous
    return ("1", *wound.strike.grievous, *wound.strike.critical)


def _average(value: str) -> float:
    dice = DiceExpression.parse(value)
    mean = {3: 2.0, 6: 3.5}.get(dice.sides, 0.0)
    return dice.count * mean * dice.times + dice.plus


def _number(run: StepRun, value: str, label: str, fate: bool) -> int:
    dice = DiceExpression.parse(value)
    return run.roll(label, dice, purpose=str(dice), fate=fate).total if dice.count else dice.plus


def _state_after(run: StepRun, side: Side, blunt: bool, label: str) -> int:
    """Table 11; blunt attacks and a helmet settle what 2 health points mean, or cancel each other."""
    left = side.duellist.health
    if left > 3:
        return HEALTHY
    stunned = left == 1
    if left == 2:
        stunned = blunt
        if blunt == ("Helmet" in side.stance.names):
            stunned = run.roll(f"{label} state", purpose="1-3 knocked down, 4-6 stunned", fate=False).total > 3
    return STUNNED if stunned and "Feel no Pain" not in side.stance.names else KNOCKED_DOWN


def _become(run: StepRun, one: Duellist, enemy: Duellist, state: int, label: str) -> None:
    """Some get up again at once, and some take the enemy down with them (17.6.7, 17.6.8)."""
    on_foot = mount_of(one.fighter, one.pack) is None
    if state == KNOCKED_DOWN and on_foot and one.has("Jump Back Up"):
        roll = run.roll(f"{label} jump back up", "D3", purpose="up again with 4, health points added", fate=one.mine)
        if roll.total + one.health >= 4:
            one.state = max(one.state, DAZED)
            return
    one.state = state
    if state == KNOCKED_DOWN and on_foot and one.has("Throw Sand"):
        enemy.state = max(enemy.state, KNOCKED_DOWN)
