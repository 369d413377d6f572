"""A duel of two models in close combat, fought with recorded dice until one is taken out of action (13, 14).

How it is played:

- Who charges is a D6: 1-3 the fighter, 4-6 the opponent. The charger has the first player turn, then they take
  turns; each turn is one round of combat, and who has the turn recovers first (8.4): a health point, and a
  better health state.
- What is held is chosen once, at the start; the opponent fills his hands. Attacks are spread as 13.6 demands, all
  that is free to the weapon that promises most. Nobody makes a special attack instead of the usual ones, and
  one-use things stay unused (ruling 129).
- Who goes down together with the opponent has not won (ruling 126).
- After `ROUNDS` rounds the crowd has seen enough: whoever has lost the smaller share of health points wins, and if
  it is the same, a D6 decides: 1-3 the fighter, 4-6 the opponent (ruling 127).

The fighter's own dice, and only those, may be rerolled with fate.
"""

from collections.abc import Sequence

from rules.engine.arms import CHARGED, CHARGING, LATER, Grip, grips
from rules.engine.attacks import DAZED, HEALTHY, KNOCKED_DOWN, STUNNED, Duellist, Side, attack, unsaved, wounds_of
from rules.engine.blows import allocate, expected_wounds
from rules.engine.equipment import starting_wares
from rules.engine.errors import InputError
from rules.engine.pack.schema import Pack
from rules.engine.questions import Option, Question
from rules.engine.run import StepRun
from rules.engine.stance import Stance, Strike, health_points, stance
from rules.engine.state import Fighter, Item
from rules.engine.traits import number_in, parse_rule

ROUNDS = 40
FIRE_STRENGTH = 4
ABLAZE_ON = 4
FEAR_HELPS = ("Fearless", "Fear")


def pit_fighter(pack: Pack, name: str) -> Fighter:
    """A model as its entry has it, with the things it comes with."""
    entry = pack.fighters.get(name)
    if entry is None:
        raise InputError("packs", f"there is no {name} to fight against", "a pack with that hireling")
    items = (Item(f"{name} {at}", ware, upgrades) for at, (ware, upgrades) in enumerate(starting_wares(entry, pack)))
    rules = tuple(parse_rule(text) for text in entry.rules)
    return Fighter(
        name, name, entry.kind, name, entry.species, entry.profile, rules=rules, skills=entry.skills, items=tuple(items)
    )


def duel(run: StepRun, fighter: Fighter, opponent: Fighter, label: str) -> bool:
    """Whether the fighter wins."""
    mine, theirs = (_enter(one, run.pack, one is fighter) for one in (fighter, opponent))
    theirs.held = grips(opponent, run.pack)[0]
    mine.held = _take_up(run, mine, theirs, label)
    charge = run.roll(f"{label}/charge", purpose=f"1-3 {fighter.name} charges, 4-6 {opponent.name}", fate=False)
    active, other = (mine, theirs) if charge.total <= 3 else (theirs, mine)
    for number in range(1, ROUNDS + 1):
        at = f"{label}/round {number}"
        if number > 1:
            _recover(run, active, at)
        if not active.out:
            _round(run, active, other, at, number == 1)
        if mine.out or theirs.out:
            return not mine.out
        active, other = other, active
    return _by_points(run, mine, theirs, label)


def _enter(fighter: Fighter, pack: Pack, mine: bool) -> Duellist:
    health = health_points(fighter, pack)
    return Duellist(fighter, pack, mine, health, health)


def _by_points(run: StepRun, mine: Duellist, theirs: Duellist, label: str) -> bool:
    left, enemy_left = mine.health * theirs.most, theirs.health * mine.most
    if left != enemy_left:
        return left > enemy_left
    purpose = f"1-3 {mine.fighter.name} wins, 4-6 {theirs.fighter.name}"
    return run.roll(f"{label}/verdict", purpose=purpose, fate=False).total <= 3


# Taking up arms ---------------------------------------------------------------------------------------


def _take_up(run: StepRun, mine: Duellist, theirs: Duellist, label: str) -> tuple[Item, ...]:
    """The player's choice (13.3), where there is one."""
    choices = grips(mine.fighter, run.pack)
    if len(choices) == 1:
        return choices[0]
    best = _best(mine, theirs, choices)
    keys = {"+".join(item.id for item in held) or "nothing": held for held in choices}
    options = tuple(Option(key, " and ".join(map(_label, held)) or "Bare hands") for key, held in keys.items())
    default = next(key for key, held in keys.items() if held == best)
    key = run.key(f"{label}/weapons")
    question = Question(key, "pits_weapons", options=options, fighter=mine.fighter.id, default=default)
    return keys[run.ask_one(question)]


def _label(item: Item) -> str:
    return " ".join((*item.upgrades, item.name))


def _best(own: Duellist, enemy: Duellist, choices: Sequence[tuple[Item, ...]]) -> tuple[Item, ...]:
    """What promises most: expected wounds given, less those taken, in a round without a charge."""
    foe = enemy.stance(own)

    def promise(held: tuple[Item, ...]) -> float:
        mine = stance(Grip(own.fighter, own.pack, held, enemy_species=enemy.fighter.species))
        return expected_wounds(mine, foe) - expected_wounds(foe, mine)

    return max(choices, key=promise)


# Rounds -----------------------------------------------------------------------------------------------


def _recover(run: StepRun, one: Duellist, label: str) -> None:
    """8.4, and the fire that still burns (17.4)."""
    one.health = min(one.health + 1, one.most)
    one.state = {DAZED: HEALTHY, KNOCKED_DOWN: DAZED, STUNNED: KNOCKED_DOWN}.get(one.state, HEALTHY)
    if one.ablaze:
        one.ablaze = False
        _burn(run, one, f"{label}/ablaze")


def _burn(run: StepRun, one: Duellist, label: str) -> None:
    """A hit that takes one health point and leaves the health state as it is."""
    foe = stance(Grip(one.fighter, one.pack, one.held, healthy=one.state == HEALTHY))
    rules = frozenset({"Flaming Attacks"})
    fire = Strike("fire", 0, FIRE_STRENGTH, 0, 0, hits="1", rules=rules)
    attacker = Side(one, foe, one.state, False)
    one.burned = True
    if unsaved(run, wounds_of(run, [(fire, 0)], attacker, attacker, label), attacker, label):
        one.health -= 1
        one.out = one.health <= 0
    _catch_fire(run, one, label)


def _catch_fire(run: StepRun, one: Duellist, label: str) -> None:
    if one.burned and not one.out:
        roll = run.roll(f"{label}/{one.who} catches fire", purpose=f"set ablaze on {ABLAZE_ON}+", fate=one.mine)
        one.ablaze = one.ablaze or roll.total >= ABLAZE_ON
    one.burned = False


def _round(run: StepRun, active: Duellist, other: Duellist, label: str, first: bool) -> None:
    """One round, highest initiative first; strikes of one step are simultaneous (13.4)."""
    one, two = active.stance(other, CHARGING if first else LATER), other.stance(active, CHARGED if first else LATER)
    sides = (_side(run, active, one, two, label), _side(run, other, two, one, label))
    steps: dict[tuple[bool, int], dict[int, list[Strike]]] = {}
    for place, side in enumerate(sides):
        if side.duellist.can_strike:
            for strike in allocate(side.stance, sides[1 - place].stance):
                steps.setdefault((not strike.last, strike.agility), {}).setdefault(place, []).append(strike)
    for step in sorted(steps, reverse=True):
        if active.out or other.out:
            break
        for place in [place for place in steps[step] if sides[place].duellist.can_strike]:
            attack(run, sides[place], sides[1 - place], steps[step][place], label)
    for duellist in (active, other):
        _catch_fire(run, duellist, label)


def _side(run: StepRun, own: Duellist, stands: Stance, foe: Stance, label: str) -> Side:
    return Side(own, stands, own.state, _is_frightened(run, own, stands, foe, label))


def _is_frightened(run: StepRun, own: Duellist, stands: Stance, foe: Stance, label: str) -> bool:
    """A fear test at the start of the round (17.2), for who is not immune."""
    hated = ("", f"species:{own.fighter.species}", f"{own.fighter.species}s")
    fears = [number_in(rule.value or "0", rule) for rule in foe.rules if rule.name == "Fear" and rule.against in hated]
    if not fears or any(rule.name in FEAR_HELPS and not rule.against for rule in stands.rules):
        return False
    roll = run.roll(f"{label}/{own.who} fear", "2D6", purpose="fear test", fate=own.mine)
    return roll.total > stands.discipline - max(fears)
