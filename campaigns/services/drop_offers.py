"""Open offers end with the step they belong to, and with the battle."""

from collections.abc import Iterable, Mapping, Sequence, Set

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from campaigns.models import Battle
from campaigns.offers import put_away
from campaigns.postgame import CAPTIVES, INJURY, TRADE
from campaigns.telling import leave
from campaigns.telling_offers import notices_of_withdrawn
from market.models import Offer
from warbands.models import Warband

ENDS = {
    INJURY: (Offer.Kind.RANSOM,),
    CAPTIVES: (Offer.Kind.RESCUE,),
    TRADE: (Offer.Kind.RESCUE, Offer.Kind.TRADE),
}
"""The step with which the offers of a kind end; the trade may still ask for whom the homecoming left over."""


def drop_offers(*, battle: Battle, closed: Iterable[tuple[int, str]], actor: User | None) -> None:
    """`closed` are steps by warband, which are done or opened again. The battle is locked by whoever calls.

    A trade ends with the step of either side; what concerns a captive, with its owner's.
    """
    ending = {(str(kind), warband) for warband, step in closed for kind in ENDS.get(step, ())}
    if ending:
        end_offers(battle, [offer for offer in _open(battle) if _ends(offer, ending)], by=None, actor=actor)


def _ends(offer: Offer, ending: Set[tuple[str, int]]) -> bool:
    sides = offer.sides if offer.kind == Offer.Kind.TRADE else (offer.maker_id,)
    return any((offer.kind, side) in ending for side in sides)


def drop_all(*, battle: Battle, actor: User | None) -> None:
    """The battle is void, or over."""
    end_offers(battle, list(_open(battle)), by=None, actor=actor)


def _open(battle: Battle) -> "QuerySet[Offer]":
    return Offer.objects.filter(battle=battle.key, state=Offer.State.OPEN).select_related("maker", "taker")


def end_offers(
    battle: Battle, offers: Sequence[Offer], *, by: int | None, actor: User | None,
    names: Mapping[int, Warband] | None = None,
) -> None:  # fmt: skip
    """`by` is the side that takes it back; nothing where a closed step ends it."""
    if not offers:
        return
    for offer in offers:
        offer.state, offer.ended_by, offer.moved = Offer.State.WITHDRAWN, actor, timezone.now()
    put_away(offers)
    if actor is not None:
        leave(one for offer in offers for one in notices_of_withdrawn(battle, offer, by, actor, names))
