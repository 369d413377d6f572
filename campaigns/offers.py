"""What may be offered and what an offer holds. Whoever asks has read the table, mostly under its lock.

An open offer holds what a side that stands by it has put in: no item is promised twice, and no more points than
there are. What is only asked of the other side is not held, or anybody could tie up a stranger's things.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Battle, Run
from campaigns.postgame import FUNCTIONS, INJURY, TRADE, Outcome, Table, is_before, resolve_step, waits_on
from campaigns.walk.trace import Traced
from market.models import Offer, OfferItem
from rules.engine.changes import STOCKPILE
from rules.engine.errors import InputError, RuleViolation
from rules.engine.phases.player_trade import partners
from rules.engine.prices import label
from rules.engine.questions import Choices
from rules.engine.run import resolve
from rules.engine.stall import find_item, within_reach
from rules.engine.state import Fighter, Item
from rules.engine.state import Warband as State
from warbands.statements import as_json, send

MOST_POINTS = 100_000
"""More than any treasury has ever held."""


@dataclass(frozen=True)
class Side:
    """What one side gives."""

    points: int = 0
    items: tuple[str, ...] = ()
    captives: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.points or self.items or self.captives)


@dataclass(frozen=True)
class Good:
    """A thing that can be given, and who has it."""

    key: str
    name: str
    holder: str = ""

    @property
    def text(self) -> str:
        where = _("carried by %(name)s") % {"name": self.holder} if self.holder else _("in the stockpile")
        return f"{self.name}, {where}"


def item_name(item: Item) -> str:
    name = label(item.name, item.upgrades)
    return f"{name} ({item.detail})" if item.detail else name


def goods_of(state: State) -> list[Good]:
    """What a warband can give away: the stockpile first, then what is carried by those who are here."""
    found = [Good(item.id, item_name(item)) for item in state.stockpile]
    for fighter in state.fighters.values():
        free = (item for item in fighter.items if _is_free(state, fighter, item))
        found += [Good(item.id, item_name(item), fighter.name) for item in free]
    return found


def _is_free(state: State, fighter: Fighter, item: Item) -> bool:
    try:
        within_reach(state, fighter.id, item)
    except RuleViolation:
        return False
    return True


def standing_offers(battle: Battle) -> list[Offer]:
    """Those that are open, and those that both have agreed to."""
    found = Offer.objects.filter(battle=battle.key).exclude(state=Offer.State.WITHDRAWN)
    return list(found.prefetch_related("items"))


def open_offers(battle: Battle) -> list[Offer]:
    return list(Offer.objects.filter(battle=battle.key, state=Offer.State.OPEN).prefetch_related("items"))


STAND = """
SELECT id, state, version, maker_agrees_to, taker_agrees_to FROM market_offer
WHERE battle = %s AND coalesce(%s::bigint IN (maker_id, taker_id), true) ORDER BY id
"""


def stand_of(battle: Battle, warband: int | None = None) -> list[tuple[Any, ...]]:
    """How the offers after a battle stand, or those of one warband: it differs when anything about them does."""
    found: list[tuple[Any, ...]] = send(STAND, battle.key, warband).fetchall()
    return found


def promised(offers: Iterable[Offer], warband: int, but: Offer | None = None) -> int:
    """Points in open trades that this warband stands by."""
    mine = (offer for offer in offers if offer.kind == Offer.Kind.TRADE and warband in offer.sides and offer != but)
    return sum(offer.points_of(warband) for offer in mine if offer.agrees(warband))


def held_items(offers: Iterable[Offer], warband: int, but: Offer | None = None) -> dict[str, str]:
    """Keys and names of what this warband has promised elsewhere."""
    return {
        item.item_key: item.name
        for offer in offers
        if offer != but
        for item in offer.items.all()
        if item.held and item.warband_id == warband
    }


def side_of(offer: Offer, warband: int) -> Side:
    items = tuple(item.item_key for item in offer.items.all() if item.warband_id == warband)
    captives = tuple(offer.in_return) if warband == offer.maker_id else ()
    return Side(offer.points_of(warband), items, captives)


def names_of_side(offer: Offer, warband: int, table: Table | None = None) -> list[str]:
    """In words: `30 points`, `Sharpened Sword`, `Snag of Tuskers`."""
    points = offer.points_of(warband)
    found = [ngettext("%(count)s point", "%(count)s points", points) % {"count": points}] if points else []
    found += [item.name for item in offer.items.all() if item.warband_id == warband]
    if warband == offer.maker_id:
        found += [captive_name(table, captive) for captive in offer.in_return]
    return found


def captive_name(table: Table | None, captive: str) -> str:
    owner, _slash, key = captive.partition("/")
    state = table.states.get(owner) if table else None
    if state is None:
        return _("a captive")
    name = state.fighters[key].name if key in state.fighters else _("somebody who is gone")
    return _("%(fighter)s of %(warband)s") % {"fighter": name, "warband": state.name}


# Where both sides are -----------------------------------------------------------------------------------


def refuse_not_trading(table: Table, mine: int, theirs: int, *, both: bool) -> None:
    """Whoever offers is at the player trade; to agree, both have to be."""
    _refuse_place(table, mine, _("You are not at the player trade yet."), _("Your player trade is closed."))
    name = {"name": table.rows[theirs].name}
    if table.has_passed(theirs, TRADE):
        raise RuleViolation("partner_done", _("%(name)s has finished its player trade.") % name)
    if both and not is_trading(table, theirs):
        raise RuleViolation("partner_not_there", _("%(name)s is not at the player trade yet.") % name)


def _refuse_place(table: Table, warband: int, early: str, late: str) -> None:
    if table.has_passed(warband, TRADE):
        raise RuleViolation("trade_closed", late)
    if not is_trading(table, warband):
        raise RuleViolation("not_at_trade", early)


def is_trading(table: Table, warband: int) -> bool:
    run = table.runs.get(warband)
    return run is not None and run.state == Run.State.OPEN and run.step == TRADE and not waits_on(table, run)


def partners_of(table: Table, warband: int) -> dict[int, str]:
    """Warbands in the battle that this one may trade with, and why."""
    if table.settings.only_injury_and_warband:
        return {}
    found = partners(table.engine_battle, table.states, str(warband))
    return {int(key): why for key, why in found.items()}


def refuse_no_partner(table: Table, mine: int, theirs: int) -> None:
    if theirs not in partners_of(table, mine):
        name = table.rows[theirs].name if theirs in table.rows else _("them")
        raise RuleViolation("no_partner", _("There is no trading with %(name)s after this battle.") % {"name": name})


# What each side puts in ----------------------------------------------------------------------------------


def named_goods(state: State, side: Side, known: Mapping[str, str] | None = None) -> dict[str, str]:
    """The items of a side with their names, refused if one is gone or not to be had."""
    found: dict[str, str] = {}
    for key in side.items:
        try:
            holder, item = find_item(state, key, "offer")
        except InputError as gone:
            name = (known or {}).get(key) or _("One of the things in the offer")
            raise RuleViolation(
                "item_gone", _("%(item)s is no longer in the hands of %(name)s.") % {"item": name, "name": state.name}
            ) from gone
        if holder != STOCKPILE:
            within_reach(state, holder, item)
        found[key] = item_name(item)
    return found


def refuse_points(points: int) -> None:
    if not 0 <= points <= MOST_POINTS:
        raise RuleViolation("bad_points", _("Points are a whole number, 0 or more."))


def refuse_promised_twice(
    table: Table, offers: Sequence[Offer], warband: int, side: Side, but: Offer | None = None
) -> None:
    """What this side gives must not be promised in another open offer of its own."""
    state = table.states[str(warband)]
    held = held_items(offers, warband, but)
    twice = [held[key] for key in side.items if key in held]
    if twice:
        raise RuleViolation(
            "promised", _("%(item)s is in another offer of yours. Withdraw that one first.") % {"item": twice[0]}
        )
    elsewhere = promised(offers, warband, but)
    if side.points > state.treasury - elsewhere:
        raise RuleViolation("treasury_short", _short(state, elsewhere))


def _short(state: State, elsewhere: int) -> str:
    facts = {"name": state.name, "points": state.treasury, "promised": elsewhere}
    if elsewhere:
        return _("%(name)s has %(points)s points, and %(promised)s of them are in other offers.") % facts
    return _("%(name)s has %(points)s points.") % facts


# Trying and doing a trade --------------------------------------------------------------------------------


def deal_of(offer: Offer) -> dict[str, Any]:
    """As the engine reads it, from the maker's side."""
    give, take = side_of(offer, offer.maker_id), side_of(offer, offer.taker_id)
    return {
        "with": str(offer.taker_id),
        "give": {"points": give.points, "items": list(give.items)},
        "take": {"points": take.points, "items": list(take.items)},
    }


def played_deal(table: Table, offer: Offer) -> Outcome:
    """The player trade of the maker with this one deal in it; a refusal says what does not go."""
    run = table.runs[offer.maker_id]
    key = f"{run.warband_id}/{TRADE}/deals"
    dice = table.dice_for(run)
    traced = Traced(
        TRADE, table.states, str(run.warband_id), table.engine_battle, table.pack, dice,
        Choices({key: [deal_of(offer)]}), table.settings,
    )  # fmt: skip
    try:
        return Outcome(resolve(FUNCTIONS[TRADE], traced), traced)
    except InputError as nonsense:
        raise RuleViolation("bad_deal", _("That is not possible: %(why)s.") % {"why": nonsense}) from nonsense


# Captives ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Captivity:
    """A captive as its owner's run knows it now, an injury step that is still open included."""

    fighter: Fighter
    owner: int
    captor: int
    outcome: Outcome | None

    @property
    def items(self) -> list[str]:
        return [item_name(item) for item in self.fighter.items]


def captivity(table: Table, owner: int, fighter: str) -> Captivity | None:
    """Nothing if nobody holds this fighter."""
    run = table.runs.get(owner)
    if run is None:
        return None
    outcome = outcome_of(table, run)
    state = outcome.traced.warbands[str(owner)] if outcome else table.states[str(owner)]
    found = state.fighters.get(fighter)
    if found is None or not found.captive_of.isdecimal():
        return None
    return Captivity(found, owner, int(found.captive_of), outcome)


def outcome_of(table: Table, run: Run) -> Outcome | None:
    if run.state != Run.State.OPEN or table.battle.state != Battle.State.POSTGAME or waits_on(table, run):
        return None
    return resolve_step(table, run)


def captives_held_by(table: Table, captor: int) -> dict[str, str]:
    """Captives whom a warband could give in return, by `WARBAND/FIGHTER`: also those of injuries still open."""
    found = {}
    for key, run in table.runs.items():
        if key == captor:
            continue
        outcome = outcome_of(table, run) if run.step == INJURY else None
        state = outcome.traced.warbands[str(key)] if outcome else table.states[str(key)]
        for fighter in state.fighters.values():
            if fighter.captive_of == str(captor):
                found[f"{key}/{fighter.id}"] = _("%(fighter)s of %(warband)s") % {
                    "fighter": fighter.name, "warband": state.name,
                }  # fmt: skip
    return found


def refuse_not_bargaining(table: Table, owner: int) -> None:
    """Ransoms are agreed on while the owner's injuries are open (16.2)."""
    run = table.runs[owner]
    if run.state != Run.State.OPEN or is_before(INJURY, run.step):
        raise RuleViolation("injuries_closed", _("The injuries of %(name)s are closed, and with them the bargaining.")
                            % {"name": table.rows[owner].name})  # fmt: skip


def ransom_key(run: Run, fighter: str) -> str:
    return f"{run.warband_id}/{INJURY}/ransom/{fighter}"


def ransom_of(offer: Offer) -> dict[str, Any]:
    """As the engine reads it: what the owner pays for the captive."""
    pays = side_of(offer, offer.maker_id)
    return {"points": pays.points, "items": list(pays.items), "captives": list(pays.captives)}


def settled_with(battle: Battle, owner: int, fighter: str, kind: str) -> Offer | None:
    """What both sides have agreed on for a captive after this battle."""
    found = Offer.objects.filter(
        battle=battle.key, maker=owner, captive=fighter, kind=kind, state=Offer.State.SETTLED
    ).prefetch_related("items")  # fmt: skip
    return found.first()


def matter_of(offer: Offer) -> str:
    """What notices about it wait for."""
    return f"offer:{offer.pk}"


_PUT_AWAY = """
WITH heard AS (UPDATE campaigns_notice SET read = now() WHERE matter = ANY(%s) AND read IS NULL),
freed AS (UPDATE market_offeritem SET held = false WHERE offer_id = ANY(%s))
UPDATE market_offer old
SET (state, ended_by_id, moved, act, maker_agrees_to, taker_agrees_to) =
  ROW (new.state, new.ended_by_id, new.moved, new.act, new.maker_agrees_to, new.taker_agrees_to)
FROM jsonb_populate_recordset(NULL::market_offer, %s) new WHERE old.id = new.id
"""
_ENDING = ("id", "state", "ended_by_id", "moved", "act", "maker_agrees_to", "taker_agrees_to")


def put_away(offers: Sequence[Offer]) -> None:
    """Offers that are settled or withdrawn are written: what they held is free, and nobody need answer any more."""
    rows = [{name: getattr(offer, name) for name in _ENDING} for offer in offers]
    send(_PUT_AWAY, list(map(matter_of, offers)), [offer.pk for offer in offers], as_json(rows))


def hold(offer: Offer, warband: int, *, release: bool) -> None:
    """The things of one side are promised; with `release` those of the other are free again."""
    if release:
        OfferItem.objects.filter(offer=offer).exclude(warband=warband).update(held=False)
    OfferItem.objects.filter(offer=offer, warband=warband).update(held=True)
