"""Name a price for a captive, or another one: its owner and its captor take turns until both agree."""

from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Run
from campaigns.offers import (
    Side,
    captives_held_by,
    captivity,
    held_items,
    item_name,
    ransom_key,
    refuse_not_bargaining,
    refuse_points,
    settled_with,
)
from campaigns.services.hold_offer import Bargain, StaleOffer, bargain, stand_by
from campaigns.telling_offers import tell_offered
from market.models import Offer, OfferItem
from rules.engine.captives import read_deal
from rules.engine.errors import InputError, RuleViolation
from rules.engine.stall import find_item


def offer_ransom(
    *, actor: User, run: Run, captive: str, warband: int, pays: Side, expected_version: int | None = None
) -> Offer:
    """`run` is the owner's, `warband` the side that speaks. The first offer, or a new version of the open one."""
    owner = run.warband_id
    with bargain(run, actor=actor, warband=warband) as held:
        offer = _open(held, owner, captive)
        if expected_version is not None and expected_version != (offer.version if offer else 0):
            raise StaleOffer
        captor = refuse_ransom(held, owner, captive, pays, offer)
        if warband not in (owner, captor):
            raise RuleViolation("not_yours", _("That is not for you to decide."))
        if offer is None:
            offer = Offer(
                kind=Offer.Kind.RANSOM, battle=held.table.battle.key, maker_id=owner, taker_id=captor, captive=captive
            )
        else:
            offer.version += 1
        offer.give_points, offer.in_return = pays.points, list(pays.captives)
        stand_by(offer, warband)
        offer.save()
        _put_in(held, offer, owner, pays, held_too=warband == owner)
        tell_offered(held.table, offer, warband)
    return offer


def _open(held: Bargain, owner: int, captive: str) -> Offer | None:
    wanted = (Offer.Kind.RANSOM, owner, captive)
    return next((one for one in held.offers if (one.kind, one.maker_id, one.captive) == wanted), None)


def refuse_ransom(held: Bargain, owner: int, captive: str, pays: Side, offer: Offer | None) -> int:
    """The captor, if this could be agreed on. More points than there are may be promised: income comes first."""
    table = held.table
    refuse_not_bargaining(table, owner)
    found = captivity(table, owner, captive)
    if found is None or found.outcome is None:
        raise RuleViolation("no_captive", _("Nobody holds this fighter."))
    if settled_with(table.battle, owner, captive, Offer.Kind.RANSOM) is not None:
        raise RuleViolation("agreed", _("You have agreed on a ransom for this captive, and it stands."))
    refuse_points(pays.points)
    held_elsewhere = held_items(held.offers, owner, offer)
    if any(item in held_elsewhere for item in pays.items):
        raise RuleViolation("promised", _("One of these things is in an offer for another captive."))
    known = captives_held_by(table, owner)
    if any(one not in known for one in pays.captives):
        raise RuleViolation("not_held", _("Only captives that the owner holds can be given in return."))
    order = {"points": pays.points, "items": list(pays.items), "captives": list(pays.captives)}
    try:
        read_deal(found.outcome.traced, order, ransom_key(held.held.run, captive))
    except InputError as nonsense:
        raise RuleViolation("bad_deal", _("That is not possible: %(why)s.") % {"why": nonsense}) from nonsense
    return found.captor


def _put_in(held: Bargain, offer: Offer, owner: int, pays: Side, *, held_too: bool) -> None:
    found = captivity(held.table, owner, offer.captive)
    assert found is not None
    assert found.outcome is not None
    state = found.outcome.traced.warbands[str(owner)]
    OfferItem.objects.filter(offer=offer).delete()
    OfferItem.objects.bulk_create(
        OfferItem(
            offer=offer, warband_id=owner, item_key=key, name=item_name(find_item(state, key, "offer")[1]),
            held=held_too,
        )
        for key in pays.items
    )  # fmt: skip
