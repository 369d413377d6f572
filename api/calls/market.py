"""Buying, selling, recruiting, allocation."""

from typing import Annotated, Literal

from django.utils.translation import gettext as _
from msgspec import Meta

from api.call import Ask, call
from api.calls.postgame import RUN
from api.paging import Listed, Page, listed
from api.shapes import In
from api.shown.found import fight_for, my_run
from api.shown.market import (
    AllocationDetails,
    Amount,
    MarketDetails,
    MarketRecruit,
    MarketSale,
    MarketWare,
    Orders,
    allocation_details,
    market_details,
    plain_orders,
    recruit_shown,
    sale_shown,
    ware_shown,
)
from api.shown.postgame.runs import RunDetails, run_details
from campaigns.allocation_sheet import allocation_sheet, moved_orders
from campaigns.market_sheet import BUY, LONGEST_QUERY, Looking, MarketSheet, market_sheet
from campaigns.ordering import Ordering, read_ordering, refuse_shut, refuse_unallocated
from campaigns.postgame import MARKET
from campaigns.services.answer_question import answer_question
from campaigns.services.finish_allocation import finish_allocation
from campaigns.services.keep_draft import keep_draft
from campaigns.walk.sheet import read_sheet
from market.wares import Filters
from rules.engine.errors import RuleViolation

Search = Annotated[str, Meta(max_length=LONGEST_QUERY)]
ItemKey = Annotated[str, Meta(max_length=120)]


# The market -------------------------------------------------------------------------------------------


def _sheet(ordering: Ordering, filters: Filters = Filters()) -> MarketSheet:  # noqa: B008
    """Before the market is open, and after, there is nothing to look at."""
    if not ordering.is_at(MARKET):
        raise RuleViolation("step_closed", _("The market is closed."))
    if ordering.question is None:
        refuse_shut(ordering)
    return market_sheet(ordering, Looking(BUY, filters))


def _ordering(ask: Ask, campaign: int, number: int, warband: int) -> Ordering:
    return read_ordering(ask.person, campaign, number, warband)


@call("get", f"{RUN}/market", tag=my_run, serves=("market",))
def read_market(ask: Ask, campaign: int, number: int, warband: int) -> MarketDetails:
    """The market as your warband finds it: its status, your rarity pool, your basket and what that leaves."""
    return market_details(_sheet(_ordering(ask, campaign, number, warband)))


class Wares(Listed):
    """`fits`: a fighter who could carry it; `opened`: an item whose upgrades are listed too."""

    q: Search = ""
    kind: Literal["", "own", "close", "shooting", "armour", "upgrade", "misc", "drug", "mount"] = ""
    affordable: bool = False
    findable: bool = False
    fits: Search = ""
    opened: Search = ""


@call("get", f"{RUN}/market/wares", tag=my_run, serves=("market",))
def list_market_wares(ask: Ask, campaign: int, number: int, warband: int, query: Wares) -> Page[MarketWare]:
    """What is for sale, with every price worked out, who could carry it, and why it cannot be had now."""
    kinds = frozenset([query.kind]) if query.kind else frozenset()
    filters = Filters(query.q, kinds, query.affordable, query.findable, query.fits, query.opened)
    goods = _sheet(_ordering(ask, campaign, number, warband), filters).goods
    return listed([ware_shown(ware) for shelf in goods.shelves for ware in shelf.wares], query)


class Searched(Listed):
    q: Search = ""


@call("get", f"{RUN}/market/recruits", tag=my_run, serves=("market",))
def list_market_recruits(ask: Ask, campaign: int, number: int, warband: int, query: Searched) -> Page[MarketRecruit]:
    """Whom you could recruit or hire, with prices, rarities and reasons."""
    benches = _sheet(_ordering(ask, campaign, number, warband), Filters(query.q)).benches
    return listed([recruit_shown(one) for bench in benches for one in bench.recruits], query)


@call("get", f"{RUN}/market/sales", tag=my_run, serves=("market",))
def list_market_sales(ask: Ask, campaign: int, number: int, warband: int, query: Searched) -> Page[MarketSale]:
    """What you could sell, out of the stockpile and out of your members' hands."""
    heaps = _sheet(_ordering(ask, campaign, number, warband), Filters(query.q)).heaps
    return listed([sale_shown(heap.holder, heap.name, one) for heap in heaps for one in heap.sales], query)


class Basket(In):
    """Orders are carried out one after the other."""

    orders: Orders


@call(
    "put",
    f"{RUN}/market/basket",
    tag=my_run,
    serves=("market_basket",),
    example={"orders": [{"do": "sell", "item": "i3"}, {"do": "buy", "item": "Sharpened Sword", "amount": 2}]},
)
def put_basket(ask: Ask, campaign: int, number: int, warband: int, body: Basket) -> MarketDetails:
    """Put the basket together: it is kept and tried, and nothing is paid. What is wrong stands beside each order."""
    ordering = _ordering(ask, campaign, number, warband)
    refuse_shut(ordering)
    keep_draft(
        actor=ask.person,
        run=ordering.run,
        key=ordering.key,
        orders=plain_orders(body.orders),
        expected_version=ask.expected_version,
    )
    return market_details(_sheet(_ordering(ask, campaign, number, warband)))


@call("post", f"{RUN}/market/payment", tag=my_run, serves=("market_pay",))
def pay_basket(ask: Ask, campaign: int, number: int, warband: int) -> MarketDetails:
    """Pay for the basket: buy, sell, recruit and hire what is in it.

    It may be changed and paid again until dice are thrown for it or the step is closed. What is still to be rolled or
    chosen about it is asked by the post-game run.
    """
    ordering = _ordering(ask, campaign, number, warband)
    refuse_shut(ordering)
    answer_question(
        actor=ask.person,
        run=ordering.run,
        key=ordering.key,
        answer=ordering.draft,
        expected_version=ask.expected_version,
    )
    return market_details(_sheet(_ordering(ask, campaign, number, warband)))


# Allocation -------------------------------------------------------------------------------------------


class Chosen(In):
    """An item that is looked at: every holder then says whether it could take it."""

    item: ItemKey = ""


def _allocation(ordering: Ordering, item: str = "") -> AllocationDetails:
    refuse_unallocated(ordering)
    return allocation_details(allocation_sheet(ordering, item))


@call("get", f"{RUN}/allocation", tag=my_run, serves=("allocation",))
def read_allocation(ask: Ask, campaign: int, number: int, warband: int, query: Chosen) -> AllocationDetails:
    """Stockpile and fighters with what they carry; for a chosen item, who may take it and why others may not."""
    return _allocation(_ordering(ask, campaign, number, warband), query.item)


class AllocationMove(In):
    """`reset` takes back all moves. `amount` counts things alike; `to` is a fighter, empty for the stockpile."""

    do: Literal["move", "destroy", "reset"] = "move"
    item: ItemKey = ""
    to: ItemKey = ""
    amount: Amount = 1


@call(
    "post",
    f"{RUN}/allocation/moves",
    tag=my_run,
    serves=("allocation_move",),
    example={"do": "move", "item": "i3", "to": "f1", "amount": 1},
)
def move_item(ask: Ask, campaign: int, number: int, warband: int, body: AllocationMove) -> AllocationDetails:
    """Give things to somebody, put them into the stockpile, or throw them away. Nothing counts before it is done."""
    ordering = _ordering(ask, campaign, number, warband)
    refuse_unallocated(ordering)
    orders = moved_orders(ordering, f"{body.do} {body.amount}", body.item, body.to)
    keep_draft(
        actor=ask.person, run=ordering.run, key=ordering.key, orders=orders, expected_version=ask.expected_version
    )
    return _allocation(_ordering(ask, campaign, number, warband))


class AllocationDone(In):
    """`sure`: you know what is thrown away."""

    sure: bool = False


@call("post", f"{RUN}/allocation/done", tag=my_run, serves=("allocation_done",), example={"sure": False})
def finish_equipment(ask: Ask, campaign: int, number: int, warband: int, body: AllocationDone) -> RunDetails:
    """Be done with the equipment: the moves count, and the step is closed."""
    ordering = _ordering(ask, campaign, number, warband)
    refuse_unallocated(ordering)
    destroyed = allocation_sheet(ordering).destroyed
    if destroyed and not body.sure:
        raise RuleViolation(
            "not_sure",
            _("This would be thrown away: %(things)s. Say that you are sure.") % {"things": ", ".join(destroyed)},
        )
    finish_allocation(actor=ask.person, ordering=ordering, expected_version=ask.expected_version)
    battle = fight_for(ask, campaign, number).battle
    return run_details(read_sheet(battle, warband, ask.person))
