"""Agree to an offer. When both sides stand by the same version it is settled: at once, or not at all."""

from accounts.models import User
from campaigns.models import Run
from campaigns.offers import (
    hold,
    named_goods,
    played_deal,
    put_away,
    ransom_key,
    ransom_of,
    refuse_no_partner,
    refuse_not_trading,
    refuse_promised_twice,
    side_of,
)
from campaigns.services.answer_question import write_answer
from campaigns.services.claim_rescue import refuse_claim, rescue_key
from campaigns.services.hold_offer import Bargain, bargain, open_in, stand_by
from campaigns.services.offer_ransom import refuse_ransom
from campaigns.telling_offers import tell_offered, tell_settled
from market.models import Offer
from rules.engine.captives import WON


def agree_offer(*, actor: User, run: Run, offer: Offer, warband: int, expected_version: int | None = None) -> Offer:
    """`warband` agrees. `run` is its own for a trade, and the owner's for what concerns a captive."""
    with bargain(run, actor=actor, warband=warband) as held:
        found = open_in(held, offer, warband, expected_version)
        CHECKS[Offer.Kind(found.kind)](held, found, warband)
        stand_by(found, warband)
        if found.agrees(found.other(warband)):
            found.state = Offer.State.SETTLED
            found.ended_by = actor
            SETTLES[Offer.Kind(found.kind)](held, found)
            put_away([found])
            tell_settled(held.table, found, warband, actor)
        else:
            hold(found, warband, release=False)
            found.save()
            tell_offered(held.table, found, warband)
    return found


def _check_trade(held: Bargain, offer: Offer, warband: int) -> None:
    refuse_no_partner(held.table, offer.maker_id, offer.taker_id)
    refuse_not_trading(held.table, warband, offer.other(warband), both=True)
    known = {item.item_key: item.name for item in offer.items.all()}
    for key in offer.sides:
        named_goods(held.table.states[str(key)], side_of(offer, key), known)
        refuse_promised_twice(held.table, held.offers, key, side_of(offer, key), offer)


def _settle_trade(held: Bargain, offer: Offer) -> None:
    """Both warbands change by one act, in the step of the maker, which stays open."""
    playing, table = held.held.playing, held.table
    offer.act = playing.happen(table.runs[offer.maker_id], played_deal(table, offer))
    for key in offer.sides:
        playing.touch(table.runs[key])


def _check_ransom(held: Bargain, offer: Offer, warband: int) -> None:
    refuse_ransom(held, offer.maker_id, offer.captive, side_of(offer, offer.maker_id), offer)


def _settle_ransom(held: Bargain, offer: Offer) -> None:
    """The owner's answer is what both agreed on; it is paid in the player trade."""
    write_answer(held.held, ransom_key(held.held.run, offer.captive), [ransom_of(offer)])


def _check_claim(held: Bargain, offer: Offer, warband: int) -> None:
    refuse_claim(held, offer.captive)


def _settle_claim(held: Bargain, offer: Offer) -> None:
    write_answer(held.held, rescue_key(held.held.run, offer.captive), WON)


CHECKS = {Offer.Kind.TRADE: _check_trade, Offer.Kind.RANSOM: _check_ransom, Offer.Kind.RESCUE: _check_claim}
SETTLES = {Offer.Kind.TRADE: _settle_trade, Offer.Kind.RANSOM: _settle_ransom, Offer.Kind.RESCUE: _settle_claim}
