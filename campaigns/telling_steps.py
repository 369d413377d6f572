"""What the chronicle tells of a closed step: few events out of many changes. The ledger has the rest."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from msgspec import to_builtins

from accounts.models import User
from campaigns.models import Battle, Event
from campaigns.telling import event_of
from rules.engine.captives import EXECUTED, RANSOM, SOLD
from rules.engine.changes import (
    Change,
    FighterJoined,
    FighterSet,
    FighterVanquished,
    Gained,
    ItemGained,
    ModelsChanged,
    WarbandSet,
)
from rules.engine.phases.advancement import PROMOTED
from rules.engine.phases.player_trade import DEAL
from rules.engine.plain import change_to_plain
from rules.engine.stall import BOUGHT
from rules.engine.state import HERO
from rules.engine.state import Warband as State
from warbands import words
from warbands.models import Warband
from warbands.names import Names
from warbands.sentences import fate, item_text, rule_text

NOT_FOUND = (BOUGHT, DEAL, RANSOM, SOLD, EXECUTED)
"""Ways in which a thing comes into a stockpile that are no find."""

Kind = tuple[str, dict[str, Any]]


def step_events(
    battle: Battle, warband: Warband, changes: Sequence[Change], names: Names, actor: User | None = None
) -> list[Event]:
    """The changes of one warband in one step, as events that are not saved yet."""
    known = Names({**_passing(changes), **names.own}, names.foes)
    told = (*_single(changes, known), *_summed(changes, known))
    return [
        event_of(campaign=battle.campaign, kind=kind, actor=actor, battle=battle, warband=warband, **data)
        for kind, data in told
    ]


def _passing(changes: Sequence[Change]) -> dict[str, str]:
    """Somebody may have joined and gone in the same step, so the changes are asked for names too."""
    came_or_went = (change for change in changes if isinstance(change, FighterVanquished | FighterJoined))
    return {change.fighter.id: change.fighter.name for change in came_or_went}


def names_at(states: Sequence[Mapping[str, State]], warband: str) -> Names:
    """Everybody at a table by name, as they are and as they were: nobody has to be asked for."""
    own: dict[str, str] = {}
    foes: dict[str, str] = {}
    pattern = _("%(fighter)s of %(warband)s")
    for everybody in states:
        for key, state in everybody.items():
            foes[key] = state.name
            for fighter in state.fighters.values():
                foes[f"{key}/{fighter.id}"] = pattern % {"fighter": fighter.name, "warband": state.name}
                if key == warband:
                    own[fighter.id] = fighter.name
    return Names(own, foes)


# One event each -------------------------------------------------------------------------------------


def _single(changes: Sequence[Change], names: Names) -> Iterator[Kind]:
    for change in changes:
        found = _told(change, names)
        if found:
            yield found


def _told(change: Change, names: Names) -> Kind | None:
    match change:
        case FighterVanquished(fighter=fighter):
            how = fate(change_to_plain(change), names)
            return "fighter_vanquished", {"fighter": fighter.name, "key": fighter.id, "cause": how}
        case ModelsChanged(fighter=key, amount=amount, cause=cause) if amount < 0 and cause != PROMOTED:
            how = fate(change_to_plain(change), names)
            return "models_vanquished", _who(names, key) | {"count": -amount, "cause": how}
        case FighterJoined(fighter=fighter, cause=cause) if cause == PROMOTED:
            return "fighter_promoted", {"fighter": fighter.name, "key": fighter.id}
        case WarbandSet(field="leader", after=after) if after:
            return "leader_chosen", _who(names, after)
        case FighterSet():
            return _told_of_fighter(change, names)
    return None


def _told_of_fighter(change: FighterSet, names: Names) -> Kind | None:
    who, cause = _who(names, change.fighter), {"cause": words.cause(change.cause)}
    match change.field:
        case "captive_of" if change.after:
            return "fighter_captured", who | {"foe": names.foe(str(change.after))}
        case "captive_of":
            return "fighter_freed", who | cause
        case "hands_lost" if change.after > change.before:
            return "fighter_maimed", who | cause
        case "kind" if change.after == HERO:
            return "fighter_promoted", who
    return None


def _who(names: Names, key: str) -> dict[str, Any]:
    return {"fighter": names.fighter(key), "key": key}


# One event for all of a kind ------------------------------------------------------------------------


def _summed(changes: Sequence[Change], names: Names) -> Iterator[Kind]:
    gone = {change.fighter.id for change in changes if isinstance(change, FighterVanquished)}
    gained = [change for change in changes if isinstance(change, Gained) and change.fighter not in gone]
    found = [change for change in changes if isinstance(change, ItemGained) and change.cause not in NOT_FOUND]
    sums = {
        "fighters_injured": [_trait(change, names) for change in gained if change.what == "injury"],
        "skills_learned": [_trait(change, names) for change in gained if change.what == "skill"],
        "treasure_found": _counted([item_text(to_builtins(change.item)) for change in found]),
    }
    for kind, parts in sums.items():
        if parts:
            yield kind, {"what": words.several(parts)}


def _trait(change: Gained, names: Names) -> str:
    """`Joss Wynn (Smashed Leg)`."""
    trait = change.trait
    if isinstance(trait, str):
        what = trait
    else:
        what = rule_text(trait.name, getattr(trait, "value", ""), getattr(trait, "against", ""), names)
    return f"{names.fighter(change.fighter)} ({what})"


def _counted(things: Sequence[str]) -> list[str]:
    counts = {thing: things.count(thing) for thing in dict.fromkeys(things)}
    return [thing if count == 1 else f"{count} {thing}" for thing, count in counts.items()]
