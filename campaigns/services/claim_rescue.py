"""The owner of a captive says that a rescue mission was won; it counts when the captor says so too."""

from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Run
from campaigns.offers import captivity
from campaigns.services.hold_offer import Bargain, bargain, stand_by
from campaigns.telling_offers import tell_offered
from market.models import Offer
from rules.engine.errors import RuleViolation


def claim_rescue(*, actor: User, run: Run, captive: str) -> Offer:
    """`run` is the owner's."""
    owner = run.warband_id
    with bargain(run, actor=actor, warband=owner) as held:
        captor = refuse_claim(held, captive)
        if any((one.kind, one.maker_id, one.captive) == (Offer.Kind.RESCUE, owner, captive) for one in held.offers):
            raise RuleViolation("claimed", _("You have said so already. Now it is for the captor to agree."))
        offer = Offer(
            kind=Offer.Kind.RESCUE, battle=held.table.battle.key, maker_id=owner, taker_id=captor, captive=captive
        )
        stand_by(offer, owner)
        offer.save()
        tell_offered(held.table, offer, owner)
    return offer


def refuse_claim(held: Bargain, captive: str) -> int:
    """The captor, if the owner is asked now what came of a rescue mission."""
    run = held.held.run
    found = captivity(held.table, run.warband_id, captive)
    question = found.outcome.question if found is not None and found.outcome is not None else None
    if found is None or question is None or question.key != rescue_key(run, captive):
        raise RuleViolation("not_asked", _("This is not asked now. Look at the page again."))
    return found.captor


def rescue_key(run: Run, captive: str) -> str:
    return f"{run.warband_id}/player_trade/rescue/{captive}"
