"""Offers between players, and captives."""

from typing import Any, Literal

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from api.call import Ask, Tagged, call
from api.calls.postgame import RUN
from api.paging import Listed, Page, listed
from api.shapes import In
from api.shown.found import Walk, fight_for, my_run, my_trade, short, the_captives
from api.shown.trade import (
    CaptiveDetails,
    CaptiveRow,
    NewOffer,
    OfferTerms,
    RansomTerms,
    TradeDetails,
    TradeOffer,
    captive_details,
    captive_rows,
    trade_details,
    trade_offer,
)
from campaigns.access import run_for
from campaigns.offers import ransom_key
from campaigns.postgame import read_table
from campaigns.ransom_sheet import RansomSheet, read_ransom
from campaigns.services.agree_offer import agree_offer as agree
from campaigns.services.amend_offer import amend_offer as amend
from campaigns.services.answer_question import answer_question
from campaigns.services.claim_rescue import claim_rescue
from campaigns.services.make_offer import make_offer as make
from campaigns.services.offer_ransom import offer_ransom as name_price
from campaigns.services.withdraw_offer import withdraw_offer as withdraw
from campaigns.trade_sheet import TradeSheet, read_trade
from market.models import Offer
from rules.engine.errors import RuleViolation

TRADE = f"{RUN}/trade"
OFFER = f"{TRADE}/offers/{{offer}}"
CAPTIVE = f"{RUN}/captives/{{fighter}}"


# The player trade -------------------------------------------------------------------------------------


def _sheet(ask: Ask, campaign: int, number: int, warband: int) -> TradeSheet:
    """Its player has been let in by the tag of the call."""
    table = read_table(fight_for(ask, campaign, number).battle)
    return read_trade(table, table.runs[warband])


@call("get", TRADE, tag=my_trade, serves=("trade",))
def read_trades(ask: Ask, campaign: int, number: int, warband: int) -> TradeDetails:
    """The player trade of your warband: whom you may trade with and why, what could be given, and the offers."""
    return trade_details(_sheet(ask, campaign, number, warband))


class Offers(Listed):
    state: Literal["", "open", "settled", "withdrawn"] = ""


@call("get", f"{TRADE}/offers", tag=my_trade, serves=("trade",))
def list_offers(ask: Ask, campaign: int, number: int, warband: int, query: Offers) -> Page[TradeOffer]:
    """The trade offers of your warband after a battle, those that are over included."""
    sheet = _sheet(ask, campaign, number, warband)
    chosen = [one for one in sheet.offers if query.state in ("", one.state)]
    return listed([trade_offer(sheet.shown(one)) for one in chosen], query)


@call(
    "post",
    f"{TRADE}/offers",
    status=201,
    tag=my_trade,
    serves=("offer_make",),
    example={"partner": 12, "gives": {"points": 15}, "takes": {"items": ["i4"]}},
)
def make_offer(ask: Ask, campaign: int, number: int, warband: int, body: NewOffer) -> TradeOffer:
    """Offer a trade: what you give is held until the offer is over. It counts when the other side agrees."""
    walk: Walk = ask.thing
    made = make(
        actor=ask.person,
        run=walk.run,
        partner=body.partner,
        gives=body.gives.side,
        takes=body.takes.side,
        expected_version=ask.expected_version,
        known=None if ask.expected_version is None else walk.offers,
    )
    ask.headers["Location"] = f"{ask.request.path}/{made.pk}"
    return _offered(ask, campaign, number, warband, made.pk)


def the_offer(ask: Ask, campaign: int, number: int, warband: int, offer: int) -> Tagged:
    """An offer of one's own warband: made by it, or to it."""
    walk: Walk = my_run(ask, campaign, number, warband).thing
    found = get_object_or_404(Offer, pk=offer, battle=walk.battle.key, kind=Offer.Kind.TRADE)
    if warband not in found.sides:
        raise Http404
    goods = list(walk.battle.runs.order_by("pk").values_list("step", "warband__version"))
    facts = (found.state, found.maker_agrees_to, found.taker_agrees_to, walk.battle.state, goods)
    return Tagged((walk, found), found.version, f"offer-{found.pk}-{short(facts)}")


def _offered(ask: Ask, campaign: int, number: int, warband: int, offer: int) -> TradeOffer:
    sheet = _sheet(ask, campaign, number, warband)
    return trade_offer(sheet.shown(next(one for one in sheet.offers if one.pk == offer)))


@call("get", OFFER, tag=the_offer, serves=("offer_amend",))
def read_offer(ask: Ask, campaign: int, number: int, warband: int, offer: int) -> TradeOffer:
    """A trade offer, from your side."""
    return _offered(ask, campaign, number, warband, offer)


@call(
    "put",
    OFFER,
    tag=the_offer,
    serves=("offer_amend",),
    example={"gives": {"points": 20}, "takes": {"items": ["i4"]}},
)
def change_offer(ask: Ask, campaign: int, number: int, warband: int, offer: int, body: OfferTerms) -> TradeOffer:
    """Change an open offer: your own, or the other side's as a counter-offer. They have to agree anew."""
    walk, found = ask.thing
    amend(
        actor=ask.person,
        run=walk.run,
        offer=found,
        gives=body.gives.side,
        takes=body.takes.side,
        expected_version=ask.expected_version,
    )
    return _offered(ask, campaign, number, warband, offer)


@call("post", f"{OFFER}/agreement", tag=the_offer, serves=("offer_agree",))
def agree_offer(ask: Ask, campaign: int, number: int, warband: int, offer: int) -> TradeOffer:
    """Agree to an offer as it is. When both sides do, it is settled at once."""
    walk, found = ask.thing
    agree(actor=ask.person, run=walk.run, offer=found, warband=warband, expected_version=_version(ask, found.version))
    return _offered(ask, campaign, number, warband, offer)


@call("post", f"{OFFER}/withdrawal", tag=the_offer, serves=("offer_withdraw",))
def withdraw_offer(ask: Ask, campaign: int, number: int, warband: int, offer: int) -> TradeOffer:
    """Take an offer off the table, or turn one down."""
    walk, found = ask.thing
    withdraw(actor=ask.person, run=walk.run, offer=found, warband=warband, expected_version=ask.expected_version)
    return _offered(ask, campaign, number, warband, offer)


def _version(ask: Ask, current: int) -> int:
    """Whoever agrees without naming a version agrees to what was there when the call came, and to nothing newer."""
    return current if ask.expected_version is None else ask.expected_version


# Captives ---------------------------------------------------------------------------------------------


class Captives(Listed):
    """Nothing but pages."""


@call("get", f"{RUN}/captives", tag=the_captives)
def list_captives(ask: Ask, campaign: int, number: int, warband: int, query: Captives) -> Page[CaptiveRow]:
    """Fighters of a warband whom others hold after a battle, and fighters of others whom it holds."""
    walk: Walk = ask.thing
    return listed(captive_rows(read_table(walk.battle), warband), query)


def the_captive(ask: Ask, campaign: int, number: int, warband: int, fighter: str) -> Tagged:
    """For members; the number is that of the open offer, 0 without one. Only owner and captor act."""
    battle = fight_for(ask, campaign, number).battle
    run_for(battle, warband)
    table = read_table(battle)
    sheet = read_ransom(table, warband, fighter, ask.person)
    if sheet is None or (ask.request.method not in ("GET", "HEAD") and not sheet.speaks_for):
        raise Http404
    offers = [(one.pk, one.state, one.version, one.maker_agrees_to, one.taker_agrees_to) for one in sheet.offers]
    facts = (battle.state, [(run.pk, run.version) for run in table.runs.values()], offers)
    current = sheet.offer or sheet.claim
    return Tagged(sheet, current.version if current else 0, f"captive-{sheet.run.pk}-{short(fighter, facts)}")


def _captive(ask: Ask, campaign: int, number: int, warband: int, fighter: str) -> CaptiveDetails:
    table = read_table(fight_for(ask, campaign, number).battle)
    sheet = read_ransom(table, warband, fighter, ask.person)
    if sheet is None:
        raise Http404
    return captive_details(sheet)


@call("get", CAPTIVE, tag=the_captive, serves=("ransom",))
def read_captive(ask: Ask, campaign: int, number: int, warband: int, fighter: str) -> CaptiveDetails:
    """A captive, by its owner's warband: who holds it, the ransom, the rescue, and what is asked now."""
    return captive_details(ask.thing)


@call(
    "put",
    f"{CAPTIVE}/ransom",
    tag=the_captive,
    serves=("ransom",),
    example={"points": 30, "items": [], "captives": []},
)
def offer_ransom(ask: Ask, campaign: int, number: int, warband: int, fighter: str, body: RansomTerms) -> CaptiveDetails:
    """Name a price for a captive, or another one, as its owner or its captor."""
    sheet: RansomSheet = ask.thing
    name_price(
        actor=ask.person,
        run=sheet.run,
        captive=fighter,
        warband=sheet.speaks_for,
        pays=body.side,
        expected_version=ask.expected_version,
    )
    return _captive(ask, campaign, number, warband, fighter)


def _open(sheet: RansomSheet) -> Offer:
    offer = sheet.offer or sheet.claim
    if offer is None:
        raise RuleViolation("offer_over", _("This offer is settled or withdrawn."))
    return offer


@call("post", f"{CAPTIVE}/agreement", tag=the_captive, serves=("ransom",))
def agree_ransom(ask: Ask, campaign: int, number: int, warband: int, fighter: str) -> CaptiveDetails:
    """Agree to the ransom that is offered, or that a rescue mission was won."""
    sheet: RansomSheet = ask.thing
    offer = _open(sheet)
    agree(
        actor=ask.person,
        run=sheet.run,
        offer=offer,
        warband=sheet.speaks_for,
        expected_version=_version(ask, offer.version),
    )
    return _captive(ask, campaign, number, warband, fighter)


@call("post", f"{CAPTIVE}/withdrawal", tag=the_captive, serves=("ransom",))
def withdraw_ransom(ask: Ask, campaign: int, number: int, warband: int, fighter: str) -> CaptiveDetails:
    """Take the open offer about a captive off the table, or turn it down."""
    sheet: RansomSheet = ask.thing
    withdraw(
        actor=ask.person,
        run=sheet.run,
        offer=_open(sheet),
        warband=sheet.speaks_for,
        expected_version=ask.expected_version,
    )
    return _captive(ask, campaign, number, warband, fighter)


def _answer(ask: Ask, key: str, answer: Any) -> None:
    """In the owner's run, as it was when the call came."""
    run = ask.thing.run
    answer_question(actor=ask.person, run=run, key=key, answer=answer, expected_version=run.version)


@call("post", f"{CAPTIVE}/refusal", tag=the_captive, serves=("ransom",))
def refuse_ransom(ask: Ask, campaign: int, number: int, warband: int, fighter: str) -> CaptiveDetails:
    """Say as the owner that there is no deal."""
    _answer(ask, ransom_key(ask.thing.run, fighter), [])
    return _captive(ask, campaign, number, warband, fighter)


class RescueMission(In):
    """`won` counts when the captor agrees."""

    outcome: Literal["won", "lost", "not_tried"]


@call("post", f"{CAPTIVE}/rescue", tag=the_captive, serves=("ransom",), example={"outcome": "not_tried"})
def tell_rescue(
    ask: Ask, campaign: int, number: int, warband: int, fighter: str, body: RescueMission
) -> CaptiveDetails:
    """Say as the owner what came of a rescue mission."""
    if body.outcome == "won":
        claim_rescue(actor=ask.person, run=ask.thing.run, captive=fighter)
    else:
        _answer(ask, f"{warband}/player_trade/rescue/{fighter}", body.outcome)
    return _captive(ask, campaign, number, warband, fighter)


class CaptiveFate(In):
    fate: Literal["sell", "execute"]


@call("post", f"{CAPTIVE}/fate", tag=the_captive, serves=("ransom",), example={"fate": "sell"})
def decide_captive(
    ask: Ask, campaign: int, number: int, warband: int, fighter: str, body: CaptiveFate
) -> CaptiveDetails:
    """Say as the captor what becomes of a captive."""
    _answer(ask, f"{warband}/player_trade/captive_fate/{fighter}", body.fate)
    return _captive(ask, campaign, number, warband, fighter)
