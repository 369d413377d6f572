"""Offer a trade to another warband after a battle: things and points for things and points."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Run
from campaigns.offers import (
    Side,
    is_trading,
    named_goods,
    played_deal,
    refuse_no_partner,
    refuse_not_trading,
    refuse_points,
    refuse_promised_twice,
    stand_of,
)
from campaigns.services.hold_offer import Bargain, bargain, stand_by
from campaigns.telling_offers import tell_offered
from market.models import Offer, OfferItem
from rules.engine.errors import RuleViolation


def make_offer(
    *,
    actor: User,
    run: Run,
    partner: int,
    gives: Side,
    takes: Side,
    expected_version: int | None = None,
    known: Sequence[Any] | None = None,
) -> Offer:
    """`run` is that of the warband that offers. What it gives is held until the offer is over.

    `known` is how its offers stood when somebody looked; `expected_version` is that of the run.
    """
    mine = run.warband_id
    with bargain(run, actor=actor, warband=mine, expected_version=expected_version) as held:
        if known is not None and list(known) != stand_of(held.table.battle, mine):
            raise RuleViolation("stale", _("The trade has gone on since you looked at it. Look at it again first."))
        refuse_no_partner(held.table, mine, partner)
        refuse_not_trading(held.table, mine, partner, both=False)
        offer = Offer(
            kind=Offer.Kind.TRADE, battle=held.table.battle.key, maker_id=mine, taker_id=partner,
            give_points=gives.points, take_points=takes.points,
        )  # fmt: skip
        put_in(held, offer, mine, gives, takes)
        tell_offered(held.table, offer, mine)
    return offer


def put_in(held: Bargain, offer: Offer, mine: int, gives: Side, takes: Side) -> None:
    """Write the terms of `mine`, who stands by them; the other side's agreement is void with the new version."""
    theirs = offer.other(mine)
    _refuse_terms(held, offer, mine, gives, takes)
    states = held.table.states
    names = {
        mine: named_goods(states[str(mine)], gives),
        theirs: named_goods(states[str(theirs)], takes),
    }
    stand_by(offer, mine)
    offer.save()
    OfferItem.objects.filter(offer=offer).delete()
    OfferItem.objects.bulk_create(
        OfferItem(offer=offer, warband_id=key, item_key=item, name=name, held=key == mine)
        for key, goods in names.items()
        for item, name in goods.items()
    )
    if is_trading(held.table, theirs):
        played_deal(held.table, Offer.objects.prefetch_related("items").get(pk=offer.pk))


def _refuse_terms(held: Bargain, offer: Offer, mine: int, gives: Side, takes: Side) -> None:
    if not gives and not takes:
        raise RuleViolation("empty_offer", _("An offer needs something that changes hands."))
    for side in (gives, takes):
        refuse_points(side.points)
        if len(set(side.items)) < len(side.items):
            raise RuleViolation("twice", _("Nothing can be given twice."))
    refuse_promised_twice(held.table, held.offers, mine, gives, offer if offer.pk else None)
