"""The market and the stockpile: what is to be had, what is in the basket, who carries what."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType, field, to_builtins

from api.shapes import In, Key, Out
from api.shown.found import BandRef, band_ref
from campaigns.allocation_sheet import AllocationSheet
from campaigns.market_sheet import BasketLine, MarketSheet
from market.allocation import Holder
from market.basket import haggling
from market.edits import LONGEST_NAME, MOST_ORDERS, edited
from market.people import Recruit
from market.sales import Sale
from market.wares import Ware
from rules.engine.prices import Quote
from rules.engine.stall import MOST_AT_ONCE

Amount = Annotated[int, Meta(ge=1, le=MOST_AT_ONCE)]
MemberName = Annotated[str, Meta(max_length=LONGEST_NAME)]


# Orders -----------------------------------------------------------------------------------------------


class HaggleOrder(In):
    """Somebody talks a price down: by points, or as if the market status were one lower."""

    fighter: Key
    mode: Literal["points", "status"]


Haggling = Annotated[list[HaggleOrder], Meta(max_length=20)]


class MarketBuy(In, tag_field="do", tag="buy", omit_defaults=True):
    """An item by its name, upgrades first: `Sharpened Sword`. `half`: whether a favour is used for it."""

    item: Key
    amount: Amount = 1
    market: Literal["", "local", "special"] = ""
    half: bool | UnsetType = UNSET
    haggle: Haggling = field(default_factory=list)


class MarketPoison(In, tag_field="do", tag="poison", omit_defaults=True):
    """Coatings that the warband's own poisoners have made."""

    amount: Amount = 1
    haggle: Haggling = field(default_factory=list)


class MarketSell(In, tag_field="do", tag="sell", omit_defaults=True):
    """An item by its key."""

    item: Key


class MarketEnlist(In, tag_field="do", tag="recruit", omit_defaults=True):
    """A new member by `type`, or models `into` a group that is there."""

    type: Annotated[str, Meta(max_length=120)] = ""
    into: Annotated[str, Meta(max_length=120)] = ""
    models: Amount = 1
    name: MemberName = ""
    half: bool | UnsetType = UNSET


class MarketHire(In, tag_field="do", tag="hire", omit_defaults=True):
    """A hireling by `type`."""

    type: Key
    name: MemberName = ""
    half: bool | UnsetType = UNSET


MarketOrder = MarketBuy | MarketPoison | MarketSell | MarketEnlist | MarketHire
Orders = Annotated[list[MarketOrder], Meta(max_length=MOST_ORDERS)]


def plain_orders(orders: list[MarketOrder]) -> list[dict[str, Any]]:
    """As the basket keeps them."""
    plain: list[dict[str, Any]] = to_builtins(orders)
    return plain


class OrderShown(Out):
    """An order of a basket; which fields count depends on `do`."""

    do: str
    item: str
    type: str
    into: str
    name: str
    count: int
    market: str
    half: bool | None
    haggle: list[HaggleOrder]


def order_shown(order: Mapping[str, Any]) -> OrderShown:
    do = str(order.get("do", ""))
    count = order.get("models" if do == "recruit" else "amount", 1)
    half = order.get("half")
    hagglers = [each for each in haggling(order) if each.get("mode") in ("points", "status")]
    return OrderShown(
        do=do,
        item=str(order.get("item", "")),
        type=str(order.get("type", "")),
        into=str(order.get("into", "")),
        name=str(order.get("name") or ""),
        count=count if isinstance(count, int) else 1,
        market=str(order.get("market", "")),
        half=half if isinstance(half, bool) else None,
        haggle=[HaggleOrder(fighter=str(each.get("fighter")), mode=each["mode"]) for each in hagglers],  # type: ignore[arg-type]
    )


def _pressed(do: str) -> OrderShown:
    """What a button of the page would put into an empty basket."""
    return order_shown(edited([], do)[0])


# What is to be had ------------------------------------------------------------------------------------


class WorkedSum(Out):
    """A number, and the sum that gives it."""

    total: int
    working: str


class PriceQuote(Out):
    """`uses` is what buying it takes from the rarity pool."""

    price: WorkedSum
    rarity: WorkedSum
    uses: int
    market: str


def quote_shown(quote: Quote) -> PriceQuote:
    return PriceQuote(
        price=WorkedSum(total=quote.price.total, working=quote.price.working),
        rarity=WorkedSum(total=quote.rarity.total, working=quote.rarity.working),
        uses=quote.pool_loss,
        market=quote.market,
    )


class MarketWare(Out):
    """Something for sale, after what is in the basket. `shut` says why it cannot be had; `order` buys one."""

    name: str
    kind: str
    quote: PriceQuote
    text: str
    carriers: list[str]
    """Fighters who may carry it now."""
    carried: str
    too_rare: bool
    too_expensive: bool
    shut: str
    in_basket: int
    upgrades: int
    """How many upgrades can be built into it; `opened` lists them."""
    upgraded: "list[MarketWare]"
    order: OrderShown


def ware_shown(ware: Ware) -> MarketWare:
    return MarketWare(
        name=ware.label,
        kind=ware.kind,
        quote=quote_shown(ware.quote),
        text=ware.text,
        carriers=list(ware.carriers),
        carried=ware.carried,
        too_rare=ware.too_rare,
        too_expensive=ware.too_expensive,
        shut=ware.shut,
        in_basket=ware.count,
        upgrades=ware.ways,
        upgraded=[ware_shown(one) for one in ware.upgraded],
        order=_pressed(ware.do),
    )


class MarketRecruit(Out):
    """Somebody who would come, or come into a group."""

    name: str
    kind: str
    quote: PriceQuote
    text: str
    brings: str
    shut: str
    order: OrderShown


def recruit_shown(recruit: Recruit) -> MarketRecruit:
    return MarketRecruit(
        name=recruit.label,
        kind=recruit.kind,
        quote=quote_shown(recruit.quote),
        text=recruit.text,
        brings=recruit.brings,
        shut=recruit.shut,
        order=_pressed(recruit.do),
    )


class MarketSale(Out):
    """Things of one kind that could be sold, without those in the basket. `holder` is empty for the stockpile."""

    name: str
    detail: str
    holder: str
    holder_name: str
    price: WorkedSum | None
    items: list[str]
    in_basket: int
    shut: str


def sale_shown(holder: str, name: str, sale: Sale) -> MarketSale:
    price = sale.price
    return MarketSale(
        name=sale.label,
        detail=sale.detail,
        holder=holder,
        holder_name=name,
        price=WorkedSum(total=price.total, working=price.working) if price is not None else None,
        items=list(sale.left),
        in_basket=sale.sold,
        shut=sale.shut,
    )


# The basket -------------------------------------------------------------------------------------------


class HaggleWay(Out):
    """A way to pay less for an order."""

    fighter: str
    name: str
    mode: str
    price: WorkedSum


class OrderProblem(Out):
    code: str
    sentence: str


class BasketOrder(Out):
    """An order as it goes after those before it. `price` is what it adds to the treasury, below zero if paid."""

    order: OrderShown
    label: str
    price: int
    working: str
    rarity: int
    pool_before: int
    pool_after: int
    is_rolled: bool
    is_asked: bool
    problem: OrderProblem | None
    better_place: str
    """Where in the basket it would go, in words."""
    haggles: list[HaggleWay]


class RarityPool(Out):
    """The rarity pool before and after the basket, how it came about, and what is not plain about it."""

    before: int
    after: int
    working: str
    notes: list[str]


class MarketDetails(Out):
    """The market as one warband finds it, with its basket and what that leaves."""

    warband: BandRef
    version: int
    status: int
    pool: RarityPool
    treasury: int
    treasury_after: int
    spent: int
    loan: int
    """What the moneylender pays when the market closes."""
    favours: list[str]
    newcomers: list[str]
    basket: list[BasketOrder]
    problems: int
    may_change: bool
    may_pay: bool
    is_paid: bool
    """The basket is what was paid for."""
    may_close: bool


def market_details(sheet: MarketSheet) -> MarketDetails:
    ordering, trial = sheet.ordering, sheet.trial
    return MarketDetails(
        warband=band_ref(ordering.run.warband),
        version=ordering.run.version,
        status=trial.standing.status,
        pool=RarityPool(
            before=sheet.pool.before, after=sheet.pool.after, working=sheet.pool.sum, notes=list(sheet.pool.notes)
        ),
        treasury=sheet.treasury,
        treasury_after=trial.state.treasury,
        spent=trial.spent,
        loan=trial.standing.loan,
        favours=[str(one) for one in sheet.favours],
        newcomers=list(trial.newcomers),
        basket=[_basket_order(one) for one in sheet.lines],
        problems=len(trial.problems),
        may_change=ordering.may_change,
        may_pay=sheet.may_pay,
        is_paid=ordering.is_settled,
        may_close=sheet.may_close,
    )


def _basket_order(shown: BasketLine) -> BasketOrder:
    line = shown.line
    return BasketOrder(
        order=order_shown(line.order),
        label=line.label,
        price=line.price,
        working=line.working,
        rarity=line.rarity,
        pool_before=line.pool_before,
        pool_after=line.pool_after,
        is_rolled=line.is_rolled,
        is_asked=line.is_asked,
        problem=OrderProblem(code=line.problem.code, sentence=line.problem.sentence) if line.problem else None,
        better_place=shown.repair.label if shown.repair is not None else "",
        haggles=[
            HaggleWay(
                fighter=one.fighter,
                name=one.name,
                mode=one.mode,
                price=WorkedSum(total=one.price, working=one.working),
            )
            for one in shown.haggles
        ],
    )


# Who carries what -------------------------------------------------------------------------------------


class HeldThing(Out):
    """Things of one kind in one place."""

    name: str
    detail: str
    items: list[str]
    is_moved: bool
    is_chosen: bool


class TargetShown(Out):
    """How many of what was chosen a holder could take, or why it cannot."""

    amounts: list[int]
    shut: str


class HolderShown(Out):
    """The stockpile, whose key is empty, or a fighter. `target` is there while something is chosen."""

    key: str
    name: str
    models: int
    is_away: bool
    is_uneven: bool
    """Not every model of the group has the same."""
    things: list[HeldThing]
    target: TargetShown | None


class LossShown(Out):
    """What the last step would take, and what goes with it."""

    sentence: str
    things: str


class AllocationMoveShown(Out):
    """`to` is a fighter, empty for the stockpile."""

    do: Literal["move", "destroy"]
    item: str
    to: str


class AllocationDetails(Out):
    """Who carries what, with the moves so far."""

    warband: BandRef
    version: int
    may_change: bool
    waits_for: list[str]
    holders: list[HolderShown]
    orders: list[AllocationMoveShown]
    losses: list[LossShown]
    destroyed: list[str]
    """What these moves throw away; `done` asks about it."""
    gone: list[str]
    """What was destroyed before anybody was asked."""


def allocation_details(sheet: AllocationSheet) -> AllocationDetails:
    ordering = sheet.ordering
    return AllocationDetails(
        warband=band_ref(ordering.run.warband),
        version=ordering.run.version,
        may_change=sheet.may_change,
        waits_for=list(ordering.late),
        holders=[_holder(one) for one in sheet.board.holders],
        orders=[_move(order) for order in sheet.orders],
        losses=[LossShown(sentence=one.sentence, things=one.things) for one in sheet.losses],
        destroyed=list(sheet.destroyed),
        gone=list(sheet.gone),
    )


def _move(order: Mapping[str, Any]) -> AllocationMoveShown:
    do: Literal["move", "destroy"] = "destroy" if order.get("do") == "destroy" else "move"
    return AllocationMoveShown(do=do, item=str(order.get("item", "")), to=str(order.get("to", "")))


def _holder(holder: Holder) -> HolderShown:
    fighter, target = holder.fighter, holder.target
    return HolderShown(
        key=holder.key,
        name=fighter.name if fighter is not None else "",
        models=fighter.models if fighter is not None else 0,
        is_away=holder.is_away,
        is_uneven=holder.is_uneven,
        things=[
            HeldThing(
                name=one.label, detail=one.detail, items=list(one.ids), is_moved=one.is_moved, is_chosen=one.is_chosen
            )
            for one in holder.things
        ],
        target=TargetShown(amounts=list(target.amounts), shut=target.shut) if target is not None else None,
    )
