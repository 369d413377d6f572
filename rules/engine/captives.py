"""Captives: the deal that is struck after the injuries, and what becomes of them in the player trade (16.2, 61).

A captive stays on its owner's roster with `captive_of` set (ruling 38). Its owner answers for the deal that both
sides agreed on. The deal is remembered as effects on the owner's warband, all with the captive's id in front:
`ransom_deal` with the points, one `ransom_item` an item and one `ransom_captive` a captive given in return.

The player trade step calls `settle`, which for every captive either upholds its deal (`exchange`) or goes the way
without one (`resolve_without_deal`). Where that is a round of its own, one effect `held_captives` a captor remembers
it until the warband phase.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rules.engine import acts
from rules.engine.changes import STOCKPILE, EffectBegan, FighterSet, TreasuryChanged
from rules.engine.errors import InputError, RuleViolation
from rules.engine.prices import label
from rules.engine.questions import ORDERS, Option, Question
from rules.engine.run import StepRun
from rules.engine.state import HIRELING, Effect, Fighter, Item, Warband
from rules.engine.traits import acting_leader

POINTS, ITEM, CAPTIVE = "ransom_deal", "ransom_item", "ransom_captive"
EFFECTS = (POINTS, ITEM, CAPTIVE)
HELD = "held_captives"
"""That the captives of this phase are settled, and with whom: its target is a captor."""

NOT_TRIED, WON, LOST = "not_tried", "won", "lost"
SELL, EXECUTE = "sell", "execute"

RANSOM, RESCUED, SOLD, EXECUTED = "ransom", "rescue mission", "sold as a slave", "execution"
SETTLED = "captives settled"
"""Causes of changes."""

SLAVE_PRICE = "D6x5"
EXECUTION_EXPERIENCE = 1


@dataclass(frozen=True)
class Deal:
    """What the owner gives for one captive. `captives` are `WARBAND/FIGHTER`: ids are a warband's own."""

    points: int = 0
    items: tuple[str, ...] = ()
    captives: tuple[str, ...] = ()


def captives_of_mine(run: StepRun) -> list[Fighter]:
    """Members whom somebody else holds."""
    return [fighter for fighter in run.state.fighters.values() if fighter.captive_of]


# Striking the deal ------------------------------------------------------------------------------------


def ask_for_deals(run: StepRun) -> None:
    """At the end of the injuries, if a trade is to follow (ruling 128): what was agreed with each captor of mine."""
    if run.settings.only_injury_and_warband:
        return
    for captive in captives_of_mine(run):
        facts = {
            "captor": captive.captive_of,
            "treasury": run.state.treasury,
            "items": {key: label(item.name, item.upgrades) for key, (_, item) in _goods(run.state).items()},
            "captives": _held_by_me(run),
        }
        key = run.key(f"ransom/{captive.id}")
        orders = run.ask_orders(Question(key, "ransom", ORDERS, fighter=captive.id, default=[], facts=facts))
        if len(orders) > 1:
            raise InputError(key, f"{len(orders)} deals for one captive", "one, or none")
        for order in orders:
            deal = read_deal(run, order, key)
            _refuse_promised(run.state, deal)
            remember(run, captive.id, deal)


def _held_by_me(run: StepRun) -> dict[str, str]:
    """Captives that could be given in return, as a deal names them, with their names."""
    others = (state for state in run.warbands.values() if state.id != run.me)
    held = ((state, fighter) for state in others for fighter in state.fighters.values() if fighter.captive_of == run.me)
    return {f"{state.id}/{fighter.id}": fighter.name for state, fighter in held}


def read_deal(run: StepRun, order: Mapping[str, Any], where: str) -> Deal:
    """A deal as an answer has it, refused where it gives what is not there to give."""
    for name in order:
        if name not in ("points", "items", "captives"):
            raise InputError(where, f"{name!r} is no part of a deal", "points, items, captives")
    points = order.get("points", 0)
    if isinstance(points, bool) or not isinstance(points, int) or points < 0:
        raise InputError(where, f"{points!r} is no price", "whole points, 0 or more")
    deal = Deal(points, _names(order, "items", where), _names(order, "captives", where))
    mine = _goods(run.state)
    for item in deal.items:
        if item not in mine:
            sentence = "A ransom is paid with your own equipment, not a hireling's or that of who is not here."
            raise RuleViolation("not_yours_to_give", sentence)
    for captive in deal.captives:
        _find_captive(run, captive, where)
    return deal


def _refuse_promised(state: Warband, deal: Deal) -> None:
    """Deals must be upheld (16.2, 61), so nothing is promised for two captives."""
    promised = {part.target.partition("/")[2] for part in state.effects if part.name in (ITEM, CAPTIVE)}
    if not promised.isdisjoint((*deal.items, *deal.captives)):
        raise RuleViolation("promised_already", "This was promised for another captive already.")


def _names(order: Mapping[str, Any], part: str, where: str) -> tuple[str, ...]:
    names = order.get(part, [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        raise InputError(where, f"{names!r} is no list of different ids in {part}")
    return tuple(names)


def _find_captive(run: StepRun, captive: str, where: str) -> tuple[str, Fighter]:
    """Whether it is held can only be told when everybody's injuries are done."""
    owner, _, fighter = captive.partition("/")
    found = run.warbands[owner].fighters.get(fighter) if owner in run.warbands and owner != run.me else None
    if found is None:
        raise InputError(where, f"{captive!r} is nobody", "WARBAND/FIGHTER of another warband")
    return owner, found


def remember(run: StepRun, fighter: str, deal: Deal) -> None:
    """Keep a deal until the player trade, as effects on the owner."""
    parts = [Effect(POINTS, deal.points, fighter)]
    parts += [Effect(ITEM, 0, f"{fighter}/{item}") for item in deal.items]
    parts += [Effect(CAPTIVE, 0, f"{fighter}/{captive}") for captive in deal.captives]
    run.change(*(EffectBegan(run.me, part, RANSOM) for part in parts))


def deal_for(warband: Warband, fighter: str) -> Deal | None:
    """The deal that was struck for a captive of this warband."""
    parts = list(_parts(warband, fighter))
    points = next((part.value for part in parts if part.name == POINTS), None)
    if points is None:
        return None
    start = len(fighter) + 1
    items = tuple(part.target[start:] for part in parts if part.name == ITEM)
    return Deal(points, items, tuple(part.target[start:] for part in parts if part.name == CAPTIVE))


def _parts(warband: Warband, fighter: str) -> Iterator[Effect]:
    for effect in warband.effects:
        if effect.name in EFFECTS and (effect.target == fighter or effect.target.startswith(f"{fighter}/")):
            yield effect


# In the player trade -----------------------------------------------------------------------------------


def settle(run: StepRun) -> None:
    """Every captive of mine comes home or is lost, and no deal is left over."""
    for captive in captives_of_mine(run):
        if is_promised(run, captive.id) or exchange(run, captive.id):
            continue
        resolve_without_deal(run, captive.id)
    for effect in run.state.effects:
        if effect.name in EFFECTS:
            acts.end_effect(run, effect, RANSOM)


def settle_first(run: StepRun) -> None:
    """Settle in a round before the deals, once; who held captives remains a partner, whatever becomes of them."""
    if run.state.effect(HELD) is not None:
        return
    captors = dict.fromkeys(captive.captive_of for captive in captives_of_mine(run))
    settle(run)
    run.change(*(EffectBegan(run.me, Effect(HELD, target=captor), SETTLED) for captor in captors))


def settle_left(run: StepRun) -> None:
    """After that round: whom a captor had promised to give back, in a deal that then was none, or has passed on.

    Nothing was decided about them, so the way without a deal is gone now (ruling 125).
    """
    for captive in captives_of_mine(run):
        if not is_promised(run, captive.id):
            resolve_without_deal(run, captive.id)


def is_promised(run: StepRun, fighter: str) -> bool:
    """Its captor gives this captive back as part of the ransom for one of his own."""
    captor = run.warbands.get(run.fighter(fighter).captive_of)
    if captor is None:
        raise InputError("warbands", f"the captor of {fighter} is not among them", ", ".join(run.warbands))
    return promises(captor, run.me, fighter)


def promises(captor: Warband, owner: str, fighter: str) -> bool:
    """Whether a deal of the captor's is to give this captive back."""
    mine = f"/{owner}/{fighter}"
    return any(effect.name == CAPTIVE and effect.target.endswith(mine) for effect in captor.effects)


def exchange(run: StepRun, fighter: str) -> bool:
    """Uphold the deal: the price to the captor, the captive home with all it carries. False if there is none to uphold.

    A deal whose price is no longer there (the points went for upkeep, the sword fell into a well) cannot be upheld,
    and counts as none (ruling 125).
    """
    deal = deal_for(run.state, fighter)
    if deal is None:
        return False
    if not is_payable(run, deal):
        run.note("deal not upheld", fighter, RANSOM)
        return False
    captor = run.fighter(fighter).captive_of
    if deal.points:
        run.change(TreasuryChanged(run.me, -deal.points, RANSOM), TreasuryChanged(captor, deal.points, RANSOM))
    goods = _goods(run.state)
    for item in deal.items:
        holder, carried = goods[item]
        acts.hand_over(run, holder, carried, captor, RANSOM)
    for captive in deal.captives:
        _pass_on(run, captive, captor)
    release(run, fighter, RANSOM)
    return True


def is_payable(run: StepRun, deal: Deal) -> bool:
    """Whether everything that was promised is still there to be given."""
    goods = _goods(run.state)
    held = (_is_held(run, captive) for captive in deal.captives)
    return run.state.treasury >= deal.points and all(item in goods for item in deal.items) and all(held)


def _is_held(run: StepRun, captive: str) -> bool:
    """Whether I hold it; its owner may have given it up since it was promised."""
    owner, _, fighter = captive.partition("/")
    found = run.warbands[owner].fighters.get(fighter) if owner in run.warbands else None
    return found is not None and found.captive_of == run.me


def _goods(state: Warband) -> dict[str, tuple[str, Item]]:
    """What a warband can give away, with its holder: not what hirelings and absent members have.

    Those keep it (rulings 108 and 109).
    """
    goods = {item.id: (STOCKPILE, item) for item in state.stockpile}
    for fighter in state.present():
        if fighter.kind != HIRELING:
            goods |= {item.id: (fighter.id, item) for item in fighter.items}
    return goods


def _pass_on(run: StepRun, captive: str, captor: str) -> None:
    """A captive that I held: home if it is the captor's own, otherwise from now on his captive."""
    owner, fighter = _find_captive(run, captive, RANSOM)
    after = "" if owner == captor else captor
    run.change(FighterSet(owner, fighter.id, "captive_of", run.me, after, RANSOM))


def release(run: StepRun, fighter: str, cause: str) -> None:
    """A captive of mine comes home, with all it carries."""
    captor = run.fighter(fighter).captive_of
    run.change(FighterSet(run.me, fighter, "captive_of", captor, "", cause))


def resolve_without_deal(run: StepRun, fighter: str) -> None:
    """A rescue mission if the owner forces one; unless it is won, the captor does as he likes."""
    options = (
        Option(NOT_TRIED, "No rescue mission", "The captor decides"),
        Option(WON, "Rescue mission won", "The captive is free"),
        Option(LOST, "Rescue mission lost", "The captor decides"),
    )
    key = run.key(f"rescue/{fighter}")
    captor = run.fighter(fighter).captive_of
    question = Question(key, "rescue", options=options, fighter=fighter, default=NOT_TRIED, facts={"captor": captor})
    if run.ask_one(question) == WON:
        release(run, fighter, RESCUED)
    elif _fate(run, fighter, captor) == SELL:
        _sell(run, fighter, captor)
    else:
        _execute(run, fighter, captor)


def _fate(run: StepRun, fighter: str, captor: str) -> str:
    """Only chaotic captors have a choice (ruling 2). `asked` says that it is the captor's player who answers."""
    if not run.warbands[captor].chaotic:
        return SELL
    options = (
        Option(SELL, "Sell as a slave", f"{SLAVE_PRICE} points for the captor"),
        Option(EXECUTE, "Execute", f"+{EXECUTION_EXPERIENCE} experience for the captor's leader"),
    )
    facts = {"captor": captor, "asked": captor}
    key = run.key(f"captive_fate/{fighter}")
    return run.ask_one(Question(key, "captive_fate", options=options, fighter=fighter, default=SELL, facts=facts))


def _sell(run: StepRun, fighter: str, captor: str) -> None:
    """The captor's roll, so none of the owner's fate rerolls."""
    price = run.roll(f"captive/{fighter}/sale", SLAVE_PRICE, purpose=SOLD, fate=False).total
    run.change(TreasuryChanged(captor, price, SOLD))
    lose(run, fighter, captor, SOLD)


def _execute(run: StepRun, fighter: str, captor: str) -> None:
    leader = acting_leader(run.warbands[captor])
    if leader:
        acts.learn(run, leader, EXECUTION_EXPERIENCE, EXECUTED, captor)
    lose(run, fighter, captor, EXECUTED)


def lose(run: StepRun, fighter: str, captor: str, cause: str) -> None:
    """Vanquished in his hands; what it carried is the captor's, not lost (ruling 39)."""
    carried = run.fighter(fighter).items
    acts.vanquish(run, fighter, cause)
    for item in carried:
        acts.receive(run, captor, item, cause)
