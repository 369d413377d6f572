"""Step 8: the market status, the rarity roll, and then buying, selling and recruiting in any order (16.7)."""

from rules.engine import acts, stall
from rules.engine.changes import WarbandSet
from rules.engine.dice import Roll
from rules.engine.errors import RuleViolation
from rules.engine.prices import RAREST
from rules.engine.questions import ORDERS, Option, Question
from rules.engine.run import StepRun
from rules.engine.state import Fighter, evolve
from rules.engine.traits import belongings, between_them

RARITY_DICE = 3
COATINGS = "D3-1"
"""How many coatings a master of poison has to offer (17.6.2)."""
KEEP = "keep"
MONEYLENDER = "moneylender"
THIS_PHASE_ONLY = ("rarity_once", "rarity_maximised", stall.HALF_HIRELING, stall.HALF_MOUNT)


def trading(run: StepRun) -> None:
    """Status and rarity are rolled before the player's orders; the moneylender pays last."""
    if run.settings.only_injury_and_warband:
        return
    status = _market_status(run)
    _set(run, "rarity_pool", _rarity_pool(run), "rarity roll")
    _trade(run, status)
    loans = sum(effect.name == MONEYLENDER for effect in run.state.effects)
    acts.pay(run, status * loans, MONEYLENDER)
    for effect in run.state.effects:
        if effect.name in THIS_PHASE_ONLY:
            acts.end_effect(run, effect, "end of the trading phase")
    _set(run, "market_status", 0, "end of the trading phase")


def _set(run: StepRun, field: str, after: int, cause: str) -> None:
    before = getattr(run.state, field)
    if before != after:
        run.change(WarbandSet(run.me, field, before, after, cause))


def _market_status(run: StepRun) -> int:
    """One D6 for everybody; where one of the others has rolled it already, it is set."""
    if not run.state.market_status:
        _set(run, "market_status", run.shared_roll("market_status", purpose="market status").total, "market status")
    return run.state.market_status


def _trade(run: StepRun, status: int) -> None:
    """The player's orders, one after the other, each against what the ones before it left."""
    coatings = _coatings(run)
    key = run.key("orders")
    if run.takes_default(key):
        return
    market = stall.Stall(run, status, coatings)
    orders = run.ask_orders(Question(key, "trade", ORDERS, default=[], facts=market.facts()))
    for place, order in enumerate(orders):
        market.carry_out(order, f"{key}[{place}]")


# The rarity roll ----------------------------------------------------------------------------------


def _rarity_pool(run: StepRun) -> int:
    modifier, maximised = rarity_modifier(run), rarity_maximised(run)
    roll = run.roll(
        "rarity", f"{RARITY_DICE}D6", purpose="rarity roll", modifier=modifier, maximised=maximised, highest=RAREST
    )
    place = len(run.rolls) - 1
    faces = list(roll.faces)
    rerolled = {reroll.die for reroll in roll.rerolls}
    for fighter in _skilled(run, "Streetwise"):
        die = _streetwise(run, fighter, roll, faces, rerolled)
        if die is not None:
            rerolled.add(die)
    if rerolled:
        run.rolls[place] = evolve(roll, may_reroll=tuple(die for die in roll.may_reroll if die not in rerolled))
    return min(RAREST, sum(sorted(faces)[-RARITY_DICE:]) + modifier)


def rarity_modifier(run: StepRun) -> int:
    """Finds, for once or for good, and what lies in the stockpile; a second coach adds nothing (ruling 115)."""
    found = sum(effect.value for effect in run.state.effects if effect.name in ("rarity_once", "rarity_lasting"))
    entries = (run.pack.items.get(name) for name in {item.name for item in run.state.stockpile})
    return found + sum(entry.rarity_roll for entry in entries if entry is not None)


def rarity_maximised(run: StepRun) -> int:
    """How many maximised rolls the rarity roll is: finds, and members who are well connected."""
    found = sum(effect.value for effect in run.state.effects if effect.name == "rarity_maximised")
    return found + len(_skilled(run, "Well Connected"))


def _skilled(run: StepRun, skill: str) -> list[Fighter]:
    """Members with a skill who are there: the delayed are no part of the warband (3.2)."""
    if skill not in between_them(run.state, run.pack):
        return []
    return [fighter for fighter in run.state.present() if skill in belongings(fighter, run.pack).skills]


def _streetwise(run: StepRun, fighter: Fighter, roll: Roll, faces: list[int], rerolled: set[int]) -> int | None:
    """One die may be thrown again, unless it was before; a 6 makes who knew the street delayed (ruling 42)."""
    key = run.key(f"rarity/{fighter.id}/streetwise")
    late = f"On a 6 {fighter.name} will be delayed"
    options = [Option(str(die), f"Reroll the {face}", late) for die, face in enumerate(faces) if die not in rerolled]
    if not options:
        return None
    _refuse_second_reroll(run, key, rerolled)
    options.insert(0, Option(KEEP, "Keep the roll", "The dice count as they are"))
    facts = {"total": roll.total, "faces": list(faces)}
    chosen = run.ask_one(Question(key, "streetwise", "one", tuple(options), fighter.id, KEEP, facts=facts))
    if chosen == KEEP:
        return None
    again = run.roll(f"rarity/{fighter.id}/streetwise reroll", purpose=f"Streetwise: {fighter.name}", fate=False)
    faces[int(chosen)] = again.total
    if again.natural == 6:
        acts.delay(run, fighter.id, 1, "Streetwise")
    return int(chosen)


def _refuse_second_reroll(run: StepRun, key: str, rerolled: set[int]) -> None:
    if run.choices.answers.get(key) in [str(die) for die in rerolled]:
        raise RuleViolation("no_reroll", "This die was rerolled already, and a die is rerolled once.")


def _coatings(run: StepRun) -> int:
    """What the masters of poison have to offer (17.6.2)."""
    rolls = [
        run.roll(f"{fighter.id}/poison", COATINGS, purpose=f"Master of Poison: {fighter.name}", lowest=0)
        for fighter in _skilled(run, "Master of Poison")
    ]
    return sum(roll.total for roll in rolls)
