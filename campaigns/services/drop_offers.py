"""Open offers end with the step they belong to, and with the battle."""

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from campaigns.models import Battle
from campaigns.postgame import CAPTIVES, INJURY, TRADE
from campaigns.telling import settle
from campaigns.telling_offers import matter_of, notify_withdrawn
from market.models import Offer, OfferItem
from warbands.models import Warband

ENDS = {INJURY: Offer.Kind.RANSOM, CAPTIVES: Offer.Kind.RESCUE, TRADE: Offer.Kind.TRADE}
"""The step with which the offers of a kind end."""


def drop_offers(*, battle: Battle, closed: Iterable[tuple[int, str]], actor: User | None) -> None:
    """`closed` are steps by warband, which are done or opened again. The battle is locked by whoever calls.

    A trade ends with the step of either side; what concerns a captive, with its owner's.
    """
    ending = Q()
    for warband, step in closed:
        if step in ENDS:
            mine = Q(maker=warband) | Q(taker=warband) if step == TRADE else Q(maker=warband)
            ending |= Q(kind=ENDS[step]) & mine
    if ending:
        found = _open(battle).filter(ending)
        end_offers(battle, list(found), by=None, actor=actor)


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
    for offer in offers:
        offer.state = Offer.State.WITHDRAWN
        offer.ended_by = actor
        offer.moved = timezone.now()
        offer.save(update_fields=["state", "ended_by", "moved"])
        settle(matter_of(offer))
        if actor is not None:
            notify_withdrawn(battle, offer, by, actor, names)
    OfferItem.objects.filter(offer__in=[offer.pk for offer in offers]).update(held=False)
