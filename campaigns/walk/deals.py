"""Trades between players in the story of the step in which they were settled: for both of them."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from campaigns.offers import names_of_side
from campaigns.postgame import Table
from campaigns.walk.story import Beat, Matter
from market.models import Offer
from warbands.words import several


def deals(table: Table, warband: int, settled: Sequence[Offer]) -> list[Matter]:
    """`settled` are the offers of the battle that both sides have agreed to."""
    trades = [offer for offer in settled if offer.kind == Offer.Kind.TRADE and warband in offer.sides]
    mine = sorted(trades, key=lambda offer: (offer.moved, offer.pk))
    return [Matter("", "", beats=[Beat(says=_told(table, warband, offer)) for offer in mine])] if mine else []


def _told(table: Table, warband: int, offer: Offer) -> str:
    other = offer.other(warband)
    facts = {
        "name": table.rows[other].name,
        "gives": _several(names_of_side(offer, warband)),
        "gets": _several(names_of_side(offer, other)),
    }
    return _("Trade with %(name)s: gave %(gives)s, got %(gets)s.") % facts


def _several(names: Sequence[str]) -> str:
    return several(names) or _("nothing")
