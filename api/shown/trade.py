"""Offers between players, and captives."""

from typing import Annotated, Literal

from msgspec import Meta, field

from api.shapes import Id, In, Key, Out, Person, Time, person_of
from api.shown.found import BandRef, band_ref
from campaigns.offers import MOST_POINTS, Good, Side, captives_held_by, names_of_side, side_of
from campaigns.postgame import Table
from campaigns.ransom_sheet import RansomSheet
from campaigns.trade_sheet import OfferShown, Partner, TradeSheet
from market.models import Offer
from rules.engine.state import Warband as State

OfferState = Literal["open", "settled", "withdrawn"]
OfferPoints = Annotated[int, Meta(ge=0, le=MOST_POINTS)]
Things = Annotated[list[Key], Meta(max_length=200)]


# What is sent -----------------------------------------------------------------------------------------


class TradeSide(In):
    """What one side gives: points, and items by their keys."""

    points: OfferPoints = 0
    items: Things = field(default_factory=list)

    @property
    def side(self) -> Side:
        return Side(self.points, tuple(self.items))


class OfferTerms(In):
    gives: TradeSide = field(default_factory=TradeSide)
    takes: TradeSide = field(default_factory=TradeSide)


class NewOffer(OfferTerms, kw_only=True):
    """What you give to a partner, and what you want for it."""

    partner: Id


class RansomTerms(In):
    """What the owner of a captive pays: points, items, and captives of the owner's as WARBAND/FIGHTER."""

    points: OfferPoints = 0
    items: Things = field(default_factory=list)
    captives: Things = field(default_factory=list)

    @property
    def side(self) -> Side:
        return Side(self.points, tuple(self.items), tuple(self.captives))


# Offers -----------------------------------------------------------------------------------------------


class TradeGood(Out):
    """Something that could be given; `holder` is who carries it, empty for the stockpile."""

    key: str
    name: str
    holder: str


class GivenSide(Out):
    points: int
    items: list[str]
    says: list[str]
    """The same in words."""


class TradeOffer(Out):
    """An offer from your side: `agreed` if you stand by it as it is, `agreed_there` if the other side does."""

    id: int
    state: OfferState
    version: int
    with_: BandRef = field(name="with")
    mine: bool
    """Your warband began it."""
    gives: GivenSide
    gets: GivenSide
    agreed: bool
    agreed_there: bool
    hindrance: str
    """Why it cannot be agreed to now."""
    made: Time
    moved: Time


class TradePartner(Out):
    """A warband that you may trade with, and why. `place`: at the trade now, not there yet, or done with it."""

    warband: BandRef
    owner: Person
    why: str
    place: Literal["here", "early", "done"]
    goods: list[TradeGood]


class TradeDetails(Out):
    """The player trade of your warband."""

    warband: BandRef
    is_here: bool
    is_over: bool
    treasury: int
    promised: int
    """Points in open offers that you stand by."""
    goods: list[TradeGood]
    partners: list[TradePartner]
    offers: list[TradeOffer]
    settled: list[TradeOffer]


def trade_details(sheet: TradeSheet) -> TradeDetails:
    return TradeDetails(
        warband=band_ref(sheet.table.rows[sheet.mine]),
        is_here=sheet.is_here,
        is_over=sheet.is_over,
        treasury=sheet.treasury,
        promised=sheet.promised,
        goods=goods_shown(sheet.goods(sheet.mine)),
        partners=[_partner(sheet, one) for one in sheet.partners],
        offers=[trade_offer(sheet.shown(one)) for one in sheet.open],
        settled=[trade_offer(one) for one in sheet.past],
    )


def _partner(sheet: TradeSheet, one: Partner) -> TradePartner:
    return TradePartner(
        warband=band_ref(one.warband),
        owner=person_of(one.warband.owner),
        why=one.why,
        place=one.place,  # type: ignore[arg-type]
        goods=goods_shown(sheet.goods(one.warband.pk)),
    )


def goods_shown(goods: list[Good]) -> list[TradeGood]:
    return [TradeGood(key=one.key, name=one.name, holder=one.holder) for one in goods]


def trade_offer(shown: OfferShown) -> TradeOffer:
    offer, mine, other = shown.offer, shown.mine, shown.other.pk
    return TradeOffer(
        id=offer.pk,
        state=offer.state,  # type: ignore[arg-type]
        version=offer.version,
        with_=band_ref(shown.other),
        mine=offer.maker_id == mine,
        gives=_given(offer, mine, list(shown.gives)),
        gets=_given(offer, other, list(shown.gets)),
        agreed=offer.agrees(mine),
        agreed_there=offer.agrees(other),
        hindrance=shown.hindrance,
        made=offer.made,
        moved=offer.moved,
    )


def _given(offer: Offer, warband: int, says: list[str]) -> GivenSide:
    side = side_of(offer, warband)
    return GivenSide(points=side.points, items=list(side.items), says=says)


# Captives ---------------------------------------------------------------------------------------------


class CaptiveRow(Out):
    """A fighter whom another warband holds."""

    warband: BandRef
    fighter: str
    name: str
    captor: BandRef
    mine: Literal["owner", "captor"]


def captive_rows(table: Table, warband: int) -> list[CaptiveRow]:
    """Those of a warband whom others hold, and those whom it holds."""
    found = []
    for key in table.runs:
        for name, words in captives_held_by(table, key).items():
            owner, _slash, fighter = name.partition("/")
            if warband in (key, int(owner)) and int(owner) in table.rows:
                found.append(_captive(table, int(owner), fighter, key, warband, words))
    return found


def _captive(table: Table, owner: int, fighter: str, captor: int, warband: int, words: str) -> CaptiveRow:
    return CaptiveRow(
        warband=band_ref(table.rows[owner]),
        fighter=fighter,
        name=_name(table.states[str(owner)], fighter, words),
        captor=band_ref(table.rows[captor]),
        mine="owner" if owner == warband else "captor",
    )


def _name(state: State, fighter: str, otherwise: str) -> str:
    return state.fighters[fighter].name if fighter in state.fighters else otherwise


class RansomOffer(Out):
    """What the owner would pay."""

    id: int
    kind: Literal["ransom", "rescue"]
    state: OfferState
    version: int
    points: int
    items: list[str]
    captives: list[str]
    says: list[str]
    owner_agrees: bool
    captor_agrees: bool


class CaptiveDetails(Out):
    """A captive: who holds it, what is offered, what is asked now.

    `asked`: the question about it that is open: ransom, rescue or captive_fate. `speaks_for` is your side, if you have
    one; only that side may act.
    """

    fighter: str
    name: str
    owner: BandRef
    captor: BandRef
    speaks_for: int | None
    is_free: bool
    is_bargaining: bool
    is_mine_to_answer: bool
    asked: Literal["", "ransom", "rescue", "captive_fate"]
    carries: list[str]
    offer: RansomOffer | None
    agreed: RansomOffer | None
    claim: RansomOffer | None
    """The owner says that a rescue mission was won."""
    treasury: int
    goods: list[TradeGood]
    """What the owner could pay with."""
    held: list[str]
    """Captives whom the owner could give in return, as WARBAND/FIGHTER."""


def captive_details(sheet: RansomSheet) -> CaptiveDetails:
    takes_part = bool(sheet.speaks_for)
    return CaptiveDetails(
        fighter=sheet.fighter,
        name=sheet.name,
        owner=band_ref(sheet.owner),
        captor=band_ref(sheet.holder),
        speaks_for=sheet.speaks_for or None,
        is_free=sheet.is_free,
        is_bargaining=sheet.is_bargaining,
        is_mine_to_answer=sheet.is_mine_to_answer,
        asked=sheet.asked if sheet.asked in ("ransom", "rescue", "captive_fate") else "",  # type: ignore[arg-type]
        carries=list(sheet.carries),
        offer=_ransom(sheet, sheet.offer),
        agreed=_ransom(sheet, sheet.agreed),
        claim=_ransom(sheet, sheet.claim),
        treasury=sheet.treasury,
        goods=goods_shown(sheet.goods) if takes_part else [],
        held=list(sheet.held) if takes_part else [],
    )


def _ransom(sheet: RansomSheet, offer: Offer | None) -> RansomOffer | None:
    if offer is None:
        return None
    owner, side = sheet.owner.pk, side_of(offer, sheet.owner.pk)
    return RansomOffer(
        id=offer.pk,
        kind=offer.kind,  # type: ignore[arg-type]
        state=offer.state,  # type: ignore[arg-type]
        version=offer.version,
        points=side.points,
        items=list(side.items),
        captives=list(side.captives),
        says=names_of_side(offer, owner, sheet.table),
        owner_agrees=offer.agrees(owner),
        captor_agrees=offer.agrees(sheet.captor),
    )
