"""Warbands that never were: founded at random, with a past of random acts, for tests of what holds for all of them."""

from random import Random

from accounts.models import User
from rules.engine import changes as c
from rules.engine.errors import InputError, RuleViolation
from rules.engine.state import Effect, Injury, Item, Rule, evolve
from rules.engine.state import Warband as State
from rules.library import pack
from warbands.models import LedgerEntry, Warband
from warbands.projection import read_state
from warbands.services.apply_changes import apply_changes
from warbands.services.draft import begin_draft, edit_draft
from warbands.services.found import begin_ledger

ITEMS = ("Sword", "Torch", "Bow", "Shield")
SKILLS = ("Haggle", "Streetwise")


def random_draft(owner: User, chance: Random) -> Warband:
    """Whoever can be hired, in an order of their own."""
    army = chance.choice(sorted(pack().armies))
    row = begin_draft(actor=owner, name=f"Band {chance.randrange(1000)} “ä€”", army=army, devotion="medium")
    for entry in chance.choices(pack().armies[army].fighters, k=6):
        order = {"do": "hire", "type": entry.name, "models": chance.randint(1, 3), "path": next(iter(entry.paths), "")}
        _tried(owner, row, [order])
    keys = list(read_state(row).fighters)
    for key in chance.sample(keys, len(keys) // 2):
        _tried(owner, row, [{"do": "reorder", "fighter": key, "where": chance.choice(["up", "down"])}])
    row.refresh_from_db()
    return row


def _tried(owner: User, row: Warband, orders: list[dict[str, object]]) -> None:
    try:
        edit_draft(actor=owner, warband=row, orders=orders)
    except (RuleViolation, InputError):
        return


def random_warband(owner: User, chance: Random, acts: int = 8) -> Warband:
    """Founded whether it is legal or not: a file and a ledger do not ask."""
    row = random_draft(owner, chance)
    row.status = Warband.Status.READY
    row.version += 1
    row.save(update_fields=["status", "version"])
    begin_ledger(row, owner)
    for number in range(acts):
        act(row, owner, chance, f"b{number // 3}")
    row.refresh_from_db()
    return row


def act(row: Warband, owner: User | None, chance: Random, battle: str = "") -> list[LedgerEntry]:
    """A few changes that are possible one after another."""
    row.refresh_from_db()
    state, done = read_state(row), list[c.Change]()
    for _ in range(chance.randint(1, 5)):
        for change in _change(state, chance):
            state = change.apply(state)
            done.append(change)
    if state.treasury < 0:
        done.append(c.TreasuryChanged(state.id, -state.treasury, "a loan"))
    roll = {
        "key": f"{row.pk}/injury/f1", "purpose": "injury", "expression": "2D6", "faces": [2, 5], "kept": [0, 1],
        "modifier": 0, "total": 7, "rerolls": [], "may_reroll": [], "physical": False,
    }  # fmt: skip
    apply_changes(warband=row, changes=done, actor=owner, cause="injury", rolls=[roll], step="injury", battle=battle)
    row.refresh_from_db()
    return list(row.ledger.order_by("-sequence")[: len(done)])


def _change(state: State, chance: Random) -> list[c.Change]:
    makers = [_points, _found] + ([_learn, _hurt, _trait, _set, _lose, _hand, _effect] if state.fighters else [])
    return chance.choice(makers)(state, chance)


def _points(state: State, chance: Random) -> list[c.Change]:
    return [c.TreasuryChanged(state.id, chance.randint(-40, 60), "luck")]


def _found(state: State, chance: Random) -> list[c.Change]:
    item = Item(f"i{state.next_id}", chance.choice(ITEMS))
    return [c.IdsTaken(state.id, 1), c.ItemGained(state.id, "", item, "found")]


def _somebody(state: State, chance: Random) -> str:
    return chance.choice(list(state.fighters))


def _learn(state: State, chance: Random) -> list[c.Change]:
    return [c.ExperienceGained(state.id, _somebody(state, chance), chance.choice([0.5, 1, 2]), "participation")]


def _hurt(state: State, chance: Random) -> list[c.Change]:
    who = _somebody(state, chance)
    value = state.fighters[who].profile["Str"]
    return [
        c.Gained(state.id, who, "injury", Injury("Leg Wound", "b1", "77/f3"), "Leg Wound"),
        c.CharacteristicChanged(state.id, who, "Str", -1 if value > 1 else 1, "Leg Wound"),
    ]


def _trait(state: State, chance: Random) -> list[c.Change]:
    who = _somebody(state, chance)
    skills = state.fighters[who].skills
    if skills and chance.random() < 0.4:
        place = chance.randrange(len(skills))
        return [c.Lost(state.id, who, "skill", skills[place], "forgotten", place)]
    if chance.random() < 0.3:
        return [c.Gained(state.id, who, "rule", Rule("Hatred", "", "warband:77"), "Bitter Enmity")]
    return [c.Gained(state.id, who, "skill", chance.choice(SKILLS), "advance")]


def _set(state: State, chance: Random) -> list[c.Change]:
    who = _somebody(state, chance)
    fighter = state.fighters[who]
    return [
        c.FighterSet(state.id, who, "delayed", fighter.delayed, not fighter.delayed, "late"),
        c.FighterSet(state.id, who, "melee_kills", fighter.melee_kills, fighter.melee_kills + 1, "battle"),
        c.WarbandSet(state.id, "rarity_pool", state.rarity_pool, chance.randint(0, 18), "rarity roll"),
    ]


def _lose(state: State, chance: Random) -> list[c.Change]:
    """Somebody dies; a fallen leader leads no more, and what the dead carried may be picked up first."""
    if len(state.fighters) < 3 or chance.random() < 0.5:
        return []
    who = _somebody(state, chance)
    changes: list[c.Change] = []
    if state.leader == who:
        changes.append(c.WarbandSet(state.id, "leader", who, "", "Dead"))
    fighter = state.fighters[who]
    if fighter.items and chance.random() < 0.5:
        changes.append(c.ItemMoved(state.id, fighter.items[0], who, "", "picked up"))
        fighter = evolve(fighter, items=fighter.items[1:])
    place = list(state.fighters).index(who)
    return [*changes, c.FighterVanquished(state.id, fighter, place, "Dead")]


def _hand(state: State, chance: Random) -> list[c.Change]:
    if not state.stockpile:
        return []
    item = chance.choice(state.stockpile)
    return [c.ItemMoved(state.id, item, "", _somebody(state, chance), "allocated")]


def _effect(state: State, chance: Random) -> list[c.Change]:
    if state.effects and chance.random() < 0.5:
        return [c.EffectEnded(state.id, state.effects[0], "over", 0)]
    return [c.EffectBegan(state.id, Effect("moneylender", chance.randint(1, 9)), "found")]
