"""Trades between players in the story of the step in which they were settled: for both of them."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from campaigns.offers import names_of_side
from campaigns.postgame import TRADE, Table, is_before
from campaigns.walk.story import Beat, Matter
from market.models import Offer
from warbands.words import several


def deals(table: Table, warband: int) -> list[Matter]:
    """In two queries, and in none before the step has come."""
    run = table.runs[warband]
    if run.step and is_before(run.step, TRADE):
        return []
    settled = Offer.objects.filter(battle=table.battle.key, kind=Offer.Kind.TRADE, state=Offer.State.SETTLED)
    mine = [offer for offer in settled.order_by("moved", "pk").prefetch_related("items") if warband in offer.sides]
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
