"""Step 7: captives and their ransoms, then deals between players (16.6).

A deal is `{with: W2, give: {points: 10, items: [i3]}, take: {points: 0, items: [i8]}}`. It is applied to both
warbands at once, in the step of the one that carries it; a deal is carried by one of the two only.

`player_trade` does it all in one run. Where captives are to be home before anybody makes deals, everybody does
`homecoming` first, run as the step `player_trade`; `player_trade` then finds them settled and leaves only the deals,
and those captives who were promised to somebody and are not home after all.
"""

from collections.abc import Mapping
from typing import Any

from rules.engine import acts, captives
from rules.engine.battle import Battle
from rules.engine.changes import ItemLost, TreasuryChanged
from rules.engine.errors import InputError, RuleViolation
from rules.engine.questions import ORDERS, Question
from rules.engine.run import StepRun
from rules.engine.stall import find_item, within_reach
from rules.engine.state import Injury, Item, Warband

DEAL = "deal"
ALLIES, NEVER_FOUGHT, CAPTIVE = "allies", "never fought", "captive"
"""Why two players may trade."""
CAPTURED = "Captured"
"""The injury that makes captor and owner partners (16.2)."""


def player_trade(run: StepRun) -> None:
    """Captives come home or are lost before anybody trades; with nobody to trade with, nobody is asked for deals."""
    if run.settings.only_injury_and_warband:
        return
    key = run.key("deals")
    open_to = {} if run.takes_default(key) else partners(run.battle, run.warbands, run.me)
    if run.state.effect(captives.HELD) is None:
        captives.settle(run)
    else:
        captives.settle_left(run)
    if not open_to and key not in run.choices.answers:
        return
    deals = run.ask_orders(Question(key, "player_trade", ORDERS, default=[], facts={"partners": open_to}))
    for place, deal in enumerate(deals):
        _deal(run, deal, open_to, f"{key}[{place}]")


def homecoming(run: StepRun) -> None:
    """The captives alone; a second time changes nothing."""
    if not run.settings.only_injury_and_warband:
        captives.settle_first(run)


def partners(battle: Battle, warbands: Mapping[str, Warband], me: str) -> dict[str, str]:
    """Who of the others in this battle may trade with this warband, and why (16.6, 8.3)."""
    reasons = ((other, _why_partner(battle, warbands, me, other)) for other in battle.participants if other != me)
    return {other: reason for other, reason in reasons if reason and other in warbands}


def _why_partner(battle: Battle, warbands: Mapping[str, Warband], me: str, other: str) -> str:
    """Allied when the game ended or when one of them routed: either counts (ruling 66)."""
    mine, theirs = battle.participants[me], battle.participants[other]
    if other in mine.allies or me in theirs.allies:
        return ALLIES
    if other not in mine.fought and me not in theirs.fought:
        return NEVER_FOUGHT
    pairs = ((me, other), (other, me))
    return CAPTIVE if any(_took_captive(warbands, battle, owner, captor) for owner, captor in pairs) else ""


def _took_captive(warbands: Mapping[str, Warband], battle: Battle, owner: str, captor: str) -> bool:
    """Holds one, or did before the captives of this phase were settled."""
    if owner not in warbands:
        return False
    if any(effect.name == captives.HELD and effect.target == captor for effect in warbands[owner].effects):
        return True
    fighters = warbands[owner].fighters.values()
    return any(
        fighter.captive_of == captor or any(_is_capture(injury, battle.id, captor) for injury in fighter.injuries)
        for fighter in fighters
    )


def _is_capture(injury: Injury, battle: str, captor: str) -> bool:
    return (injury.name, injury.battle, injury.by.partition("/")[0]) == (CAPTURED, battle, captor)


def _deal(run: StepRun, deal: Mapping[str, Any], open_to: Mapping[str, str], where: str) -> None:
    """Both sides are looked at before anything changes hands, so that nobody pays with what he is about to get."""
    for field in deal:
        if field not in ("with", "give", "take"):
            raise InputError(where, f"{field!r} is no part of a deal", "with, give, take")
    other = deal.get("with")
    if not isinstance(other, str) or other not in run.warbands or other == run.me:
        raise InputError(where, f"{other!r} is no other warband", ", ".join(open_to))
    if other not in open_to:
        raise RuleViolation("no_partner", f"There is no trading with {run.warbands[other].name} after this battle.")
    given = _side(run, run.me, deal.get("give") or {}, f"{where}.give")
    taken = _side(run, other, deal.get("take") or {}, f"{where}.take")
    _hand_over(run, run.me, other, *given)
    _hand_over(run, other, run.me, *taken)


Goods = list[tuple[str, Item]]


def _side(run: StepRun, giver: str, side: Any, where: str) -> tuple[int, Goods]:
    if not isinstance(side, dict) or not {"points", "items"} >= side.keys():
        raise InputError(where, f"{side!r} is no side of a deal", "points and items")
    points, ids = side.get("points", 0), side.get("items", [])
    if isinstance(points, bool) or not isinstance(points, int) or points < 0:
        raise InputError(where, f"{points!r} is no amount of points", "0 or more")
    if not isinstance(ids, list) or len({str(key) for key in ids}) < len(ids):
        raise InputError(where, f"{ids!r} is no list of different items")
    state = run.warbands[giver]
    if points > state.treasury:
        raise RuleViolation("too_expensive", f"{state.name} has {state.treasury} points and cannot give {points}.")
    goods = [find_item(state, key, where) for key in ids]
    for holder, item in goods:
        within_reach(state, holder, item)
    return points, goods


def _hand_over(run: StepRun, giver: str, taker: str, points: int, goods: Goods) -> None:
    if points:
        run.change(TreasuryChanged(giver, -points, DEAL), TreasuryChanged(taker, points, DEAL))
    for holder, item in goods:
        run.change(ItemLost(giver, holder, item, DEAL))
        acts.receive(run, taker, item, DEAL)
