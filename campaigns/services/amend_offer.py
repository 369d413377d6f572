"""Change an open offer: one's own, or the other side's as a counter-offer."""

from accounts.models import User
from campaigns.models import Run
from campaigns.offers import Side, refuse_not_trading
from campaigns.services.hold_offer import bargain, open_in
from campaigns.services.make_offer import put_in
from campaigns.telling_offers import tell_offered
from market.models import Offer


def amend_offer(
    *, actor: User, run: Run, offer: Offer, gives: Side, takes: Side, expected_version: int | None = None
) -> Offer:
    """`run` is that of the side that changes it, `gives` what that side gives. The other side has to agree anew."""
    mine = run.warband_id
    with bargain(run, actor=actor, warband=mine) as held:
        found = open_in(held, offer, mine, expected_version)
        refuse_not_trading(held.table, mine, found.other(mine), both=False)
        made = mine == found.maker_id
        found.give_points, found.take_points = (gives.points, takes.points) if made else (takes.points, gives.points)
        found.version += 1
        put_in(held, found, mine, gives, takes)
        tell_offered(held.table, found, mine)
    return found
