"""What would become of a warband without one of its acts: the rest is folded on trial.

A change rests on an earlier one if it needs what that one left behind: a fighter, an item, a skill, a value that
it took over from there, points that it spent. Some values are set anew in every battle and rest on nothing; kills
and hands are counted, so they are added up instead of taken over.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from rules.engine import changes as c
from rules.engine.plain import change_from_plain
from rules.engine.settings import CampaignSettings
from rules.engine.state import HERO, Fighter, Item, Warband, evolve
from rules.engine.traits import thick_boxes
from warbands import models
from warbands.ledger import History, founded_state

PASSING = ("rating", "rarity_pool", "market_status", "fate_rerolls")
"""Values of a warband that each battle sets anew."""

COUNTED = ("melee_kills", "ranged_kills", "rolls_taken", "hands_lost")
"""Values of a fighter that only count."""

LOOSE = ("next_id", *PASSING)
DEFAULTS = CampaignSettings()
ACCIDENTAL = ("rules", "skills", "skill_lists", "spells", "injuries", "items", "advances", "addictions", "used")


@dataclass(frozen=True)
class Trial:
    """The state that came of it, and the acts that could not be done."""

    state: Warband
    fallen: tuple[UUID, ...]


@dataclass(frozen=True)
class Story:
    """What a ledger says, as far as it counts: where it began, and the changes of each act that stands."""

    beginning: Warband
    acts: Mapping[UUID, Sequence[c.Change]]

    def without(self, gone: Collection[UUID], forgiven: Collection[UUID] = ()) -> Trial:
        """Fold it without some acts; those that are forgiven are done even if they rest on what is gone."""
        state, fallen = self.beginning, []
        for act, changes in self.acts.items():
            if act in gone:
                continue
            after = _done(state, changes, strict=act not in forgiven)
            if after is None:
                fallen.append(act)
            else:
                state = after
        return Trial(state, tuple(fallen))

    def resting_on(self, act: UUID) -> tuple[UUID, ...]:
        """The later acts that could not have been done without this one, or without one of those."""
        anyway = self.without(()).fallen
        return self.without({act}, anyway).fallen


def read_story(warband: models.Warband, history: History) -> Story:
    """One query for the whole ledger."""
    rows = warband.ledger.order_by("sequence").values_list("act", "change")
    (first, founding), *rest = rows
    acts: dict[UUID, list[c.Change]] = {act: [] for act in history.live if act != first}
    for act, change in rest:
        if act in acts:
            acts[act].append(change_from_plain(change))
    return Story(founded_state(founding), acts)


def _done(state: Warband, changes: Iterable[c.Change], strict: bool) -> Warband | None:
    """All of an act or nothing of it."""
    before = state
    for change in changes:
        after = applied(change, state, strict)
        if after is None:
            return None
        state = after
    return state if is_sound(state) and (not strict or is_earned(before, state)) else None


def applied(change: c.Change, state: Warband, strict: bool = True) -> Warband | None:
    """The state after a change, or nothing if what it needs is not there."""
    if isinstance(change, c.FighterSet) and change.field in COUNTED and change.fighter in state.fighters:
        return recounted(change, state).apply(state)
    if strict and not holds(change, state):
        return None
    try:
        return change.apply(state)
    except (KeyError, ValueError):
        return None


def recounted(change: c.FighterSet, state: Warband) -> c.FighterSet:
    """The same number more or fewer, from where the count is now."""
    now = getattr(state.fighters[change.fighter], change.field)
    return evolve(change, before=now, after=max(0, now + change.after - change.before))


def is_sound(state: Warband) -> bool:
    """What must never be false, whatever is taken back."""
    leader = state.fighters.get(state.leader)
    return (
        state.treasury >= 0
        and (not state.leader or (leader is not None and leader.kind == HERO))
        and all(map(_is_possible, state.fighters.values()))
    )


def _is_possible(fighter: Fighter) -> bool:
    return fighter.models >= 1 and fighter.experience >= fighter.starting_experience


def is_earned(before: Warband, after: Warband) -> bool:
    """Nobody rolled for an advance without the experience for it; a campaign's own track may say otherwise."""
    return all(
        fighter.rolls_taken <= thick_boxes(fighter, DEFAULTS)
        for key, fighter in after.fighters.items()
        if key in before.fighters and fighter.rolls_taken > before.fighters[key].rolls_taken
    )


# What a change needs --------------------------------------------------------------------------------


def holds(change: c.Change, state: Warband) -> bool:
    """Whether everything that a change needs is as it left it."""
    match change:
        case c.WarbandSet(field=field):
            return field in PASSING or getattr(state, field) == change.before
        case c.EffectEnded():
            return change.effect in state.effects
        case c.FighterJoined():
            return change.fighter.id not in state.fighters
        case c.FighterVanquished():
            there = state.fighters.get(change.fighter.id)
            return there is not None and _sorted(there) == _sorted(change.fighter)
        case c.ItemGained() | c.ItemLost() | c.ItemMoved():
            return _item_holds(change, state)
        case c.TreasuryChanged() | c.IdsTaken() | c.EffectBegan() | c.Noted():
            return True
    return _fighter_holds(change, state)


def _fighter_holds(change: Any, state: Warband) -> bool:
    fighter = state.fighters.get(change.fighter)
    if fighter is None:
        return False
    match change:
        case c.FighterSet():
            return bool(getattr(fighter, change.field) == change.before)
        case c.Lost():
            return change.trait in getattr(fighter, c.LISTS[change.what])
        case c.ModelsChanged(amount=amount):
            return fighter.models + amount >= 1 and (amount > 0 or set(change.items) <= set(fighter.items))
    return True


def _item_holds(change: c.ItemGained | c.ItemLost | c.ItemMoved, state: Warband) -> bool:
    if isinstance(change, c.ItemGained):
        return change.holder == c.STOCKPILE or change.holder in state.fighters
    giver = change.giver if isinstance(change, c.ItemMoved) else change.holder
    taker = change.taker if isinstance(change, c.ItemMoved) else c.STOCKPILE
    return change.item in _held(state, giver) and (taker == c.STOCKPILE or taker in state.fighters)


def _held(state: Warband, holder: str) -> tuple[Item, ...]:
    if holder == c.STOCKPILE:
        return state.stockpile
    return state.fighters[holder].items if holder in state.fighters else ()


# Comparing ------------------------------------------------------------------------------------------


def alike(one: Warband, other: Warband) -> bool:
    """Equal but for the order of what has none by the rules, and for what each battle sets anew."""
    return _settled(one) == _settled(other)


def _settled(state: Warband) -> Warband:
    fighters = {key: _sorted(state.fighters[key]) for key in sorted(state.fighters)}
    things = {name: tuple(sorted(getattr(state, name), key=repr)) for name in ("stockpile", "effects")}
    return evolve(state, fighters=fighters, **things, **dict.fromkeys(LOOSE, 0))


def _sorted(fighter: Fighter) -> Fighter:
    return evolve(fighter, **{name: tuple(sorted(getattr(fighter, name), key=repr)) for name in ACCIDENTAL})
