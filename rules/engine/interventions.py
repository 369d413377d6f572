"""What a game master may do to a warband by hand: an order becomes changes, or is refused before anything happens.

An intervention belongs to no step and no battle. It uses the acts of the steps, so that a given skill does what a
learned one does, and what it did is taken back like anything else: by its inverse.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from rules.engine import acts
from rules.engine.apply import gain_skill
from rules.engine.battle import Battle
from rules.engine.changes import (
    STOCKPILE,
    Change,
    CharacteristicChanged,
    ExperienceGained,
    FighterJoined,
    FighterSet,
    Gained,
    ItemGained,
    ItemLost,
    MaximumChanged,
    WarbandSet,
)
from rules.engine.dice import DiceSource, Roll
from rules.engine.errors import InputError, RuleViolation
from rules.engine.pack.schema import Pack
from rules.engine.phases.injury import suffer
from rules.engine.questions import Choices, Policy
from rules.engine.rating import warband_rating
from rules.engine.run import StepRun
from rules.engine.settings import CampaignSettings
from rules.engine.state import DEVOTIONS, HERO, Fighter, Item, Warband

STEP = "intervention"
MOST = 10_000

Amount = Annotated[int, Meta(ge=-MOST, le=MOST)]
Word = Annotated[str, Meta(min_length=1, max_length=120)]


class Order(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """One thing to do by hand."""


class GivePoints(Order, tag="points", frozen=True, kw_only=True):
    """Into the treasury, or with a negative amount out of it."""

    amount: Amount


class GiveItem(Order, tag="give_item", frozen=True, kw_only=True):
    """Something new for a member, or for the stockpile if nobody is named."""

    item: Word
    upgrades: tuple[Word, ...] = ()
    fighter: str = STOCKPILE


class TakeItem(Order, tag="take_item", frozen=True, kw_only=True):
    """By its number, whoever holds it."""

    item: Word


class Experience(Order, tag="experience", frozen=True, kw_only=True):
    """Given or taken, as it stands on the sheet: nobody learns slowly by decree."""

    fighter: Word
    amount: Amount


class Injure(Order, tag="injure", frozen=True, kw_only=True):
    """A row of the injury table, with all that comes of it."""

    fighter: Word
    injury: Word


class Heal(Order, tag="heal", frozen=True, kw_only=True):
    """An injury is gone, and what it did to the fighter with it."""

    fighter: Word
    injury: Word


class GiveSkill(Order, tag="give_skill", frozen=True, kw_only=True):
    """A skill, without asking for its restrictions, and what happens once when it is gained."""

    fighter: Word
    skill: Word


class TakeSkill(Order, tag="take_skill", frozen=True, kw_only=True):
    """A skill is forgotten; what it brought once stays."""

    fighter: Word
    skill: Word


class Revive(Order, tag="revive", frozen=True, kw_only=True):
    """Back as he was when he fell, with what he carried."""

    fighter: Word


class Remove(Order, tag="remove", frozen=True, kw_only=True):
    """Gone for good, with everything he carries."""

    fighter: Word


class Devotion(Order, tag="devotion", frozen=True, kw_only=True):
    """The warband's, from now on."""

    devotion: Word


class Leader(Order, tag="leader", frozen=True, kw_only=True):
    """Another hero leads."""

    fighter: Word


AnyOrder = (
    GivePoints | GiveItem | TakeItem | Experience | Injure | Heal
    | GiveSkill | TakeSkill | Revive | Remove | Devotion | Leader
)  # fmt: skip


class Intervention(Struct, frozen=True):
    """What an order comes to: the changes, the dice that they needed, and the warband afterwards."""

    changes: tuple[Change, ...]
    rolls: tuple[Roll, ...]
    after: Warband


class Past(Struct, frozen=True):
    """What the ledger knows and the state does not: who fell, and what an injury once did."""

    fallen: Mapping[str, Fighter] = {}
    done: Sequence[Change] = ()
    """Changes that had the injury as their cause, oldest first."""


NO_PAST = Past()


def intervene(
    state: Warband,
    order: AnyOrder,
    pack: Pack,
    dice: DiceSource,
    settings: CampaignSettings,
    cause: str,
    past: Past = NO_PAST,
) -> Intervention:
    """The changes of an order; questions that come of it are answered by their defaults."""
    run = StepRun(STEP, {state.id: state}, state.id, Battle("", {}), pack, dice, Choices(), settings, Policy())
    DOINGS[type(order)](run, order, cause, past)
    if run.state.treasury < 0:
        raise RuleViolation("treasury_negative", f"The treasury holds {state.treasury} points, not more.")
    _rate(run, cause)
    return Intervention(tuple(run.changes), tuple(run.rolls), run.state)


def _rate(run: StepRun, cause: str) -> None:
    """The rating follows from the rest."""
    now = warband_rating(run.state, run.pack)
    if now != run.state.rating:
        run.change(WarbandSet(run.me, "rating", run.state.rating, now, cause))


def _points(run: StepRun, order: GivePoints, cause: str, past: Past) -> None:
    if not order.amount:
        raise InputError("amount", "0 changes nothing")
    acts.pay(run, order.amount, cause)


def _give_item(run: StepRun, order: GiveItem, cause: str, past: Past) -> None:
    _known(run.pack.items, order.item, "item")
    for upgrade in order.upgrades:
        _known(run.pack.upgrades, upgrade, "upgrade")
    if order.fighter != STOCKPILE:
        _member(run, order.fighter)
    run.change(ItemGained(run.me, order.fighter, acts.acquire(run, order.item, order.upgrades), cause))


def _take_item(run: StepRun, order: TakeItem, cause: str, past: Past) -> None:
    holder, item = _held(run.state, order.item)
    run.change(ItemLost(run.me, holder, item, cause))


def _held(state: Warband, key: str) -> tuple[str, Item]:
    holders = [(STOCKPILE, state.stockpile), *((fighter.id, fighter.items) for fighter in state.fighters.values())]
    for holder, items in holders:
        for item in items:
            if item.id == key:
                return holder, item
    raise InputError("item", f"{key!r} is no item of this warband")


def _experience(run: StepRun, order: Experience, cause: str, past: Past) -> None:
    fighter = _member(run, order.fighter)
    if not order.amount:
        raise InputError("amount", "0 changes nothing")
    if fighter.experience + order.amount < fighter.starting_experience:
        raise RuleViolation("too_little_experience", f"{fighter.name} cannot have less than at the start.")
    run.change(ExperienceGained(run.me, fighter.id, order.amount, cause))


def _injure(run: StepRun, order: Injure, cause: str, past: Past) -> None:
    fighter = _member(run, order.fighter)
    rows = run.pack.injury_lower if fighter.is_group else run.pack.injury_higher
    suffer(run, _known({row.name: row for row in rows}, order.injury, "injury"), fighter.id)


def _heal(run: StepRun, order: Heal, cause: str, past: Past) -> None:
    """What the injury changed is taken back, last first, as far as it still stands."""
    fighter = _member(run, order.fighter)
    injury = next((one for one in fighter.injuries if one.name == order.injury), None)
    if injury is None:
        known = ", ".join(one.name for one in fighter.injuries)
        raise InputError("injury", f"{fighter.name} has no {order.injury!r}", known)
    acts.lose(run, fighter.id, "injury", injury, cause)
    for change in reversed(past.done):
        _unsuffer(run, change, fighter.id, cause)


def _unsuffer(run: StepRun, change: Change, key: str, cause: str) -> None:
    match change:
        case CharacteristicChanged():
            acts.alter(run, key, change.characteristic, -change.amount, cause)
        case MaximumChanged():
            run.change(MaximumChanged(run.me, key, change.characteristic, -change.amount, cause))
        case Gained(what="rule", trait=rule) if rule in run.fighter(key).rules:
            acts.lose(run, key, "rule", rule, cause)
        case FighterSet(field="hands_lost"):
            now = run.fighter(key).hands_lost
            run.change(FighterSet(run.me, key, "hands_lost", now, now - (change.after - change.before), cause))


def _give_skill(run: StepRun, order: GiveSkill, cause: str, past: Past) -> None:
    fighter = _member(run, order.fighter)
    _known(run.pack.skills, order.skill, "skill")
    if fighter.has_skill(order.skill):
        raise RuleViolation("has_skill", f"{fighter.name} has {order.skill} already.")
    gain_skill(run, fighter.id, order.skill, cause)


def _take_skill(run: StepRun, order: TakeSkill, cause: str, past: Past) -> None:
    fighter = _member(run, order.fighter)
    if not fighter.has_skill(order.skill):
        raise InputError("skill", f"{fighter.name} has no {order.skill!r}", ", ".join(fighter.skills))
    acts.lose(run, fighter.id, "skill", order.skill, cause)


def _revive(run: StepRun, order: Revive, cause: str, past: Past) -> None:
    if order.fighter in run.state.fighters:
        raise RuleViolation("lives", f"{run.fighter(order.fighter).name} is on the roster.")
    run.change(FighterJoined(run.me, _known(past.fallen, order.fighter, "fighter"), len(run.state.fighters), cause))


def _remove(run: StepRun, order: Remove, cause: str, past: Past) -> None:
    acts.vanquish(run, _member(run, order.fighter).id, cause)


def _devotion(run: StepRun, order: Devotion, cause: str, past: Past) -> None:
    if order.devotion not in DEVOTIONS:
        raise InputError("devotion", f"{order.devotion!r} is no devotion", ", ".join(DEVOTIONS))
    if order.devotion == run.state.devotion:
        raise RuleViolation("same_devotion", "That is its devotion already.")
    run.change(WarbandSet(run.me, "devotion", run.state.devotion, order.devotion, cause))


def _leader(run: StepRun, order: Leader, cause: str, past: Past) -> None:
    fighter = _member(run, order.fighter)
    if fighter.kind != HERO or fighter.has_rule("Not a Leader"):
        raise RuleViolation("cannot_lead", f"{fighter.name} cannot be the leader.")
    if fighter.id == run.state.leader:
        raise RuleViolation("leads_already", f"{fighter.name} leads it already.")
    run.change(WarbandSet(run.me, "leader", run.state.leader, fighter.id, cause))


def _member(run: StepRun, key: str) -> Fighter:
    found: Fighter = _known(run.state.fighters, key, "fighter")
    return found


def _known(names: Mapping[str, Any], name: str, what: str) -> Any:
    if name not in names:
        raise InputError(what, f"there is no {what} {name!r} here", ", ".join(list(names)[:40]))
    return names[name]


DOINGS: dict[type, Callable[[StepRun, Any, str, Past], None]] = {
    GivePoints: _points,
    GiveItem: _give_item,
    TakeItem: _take_item,
    Experience: _experience,
    Injure: _injure,
    Heal: _heal,
    GiveSkill: _give_skill,
    TakeSkill: _take_skill,
    Revive: _revive,
    Remove: _remove,
    Devotion: _devotion,
    Leader: _leader,
}
