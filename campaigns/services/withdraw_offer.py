"""An offer is taken off the table, or turned down: either side may do that while it is open."""

from accounts.models import User
from campaigns.models import Run
from campaigns.services.drop_offers import end_offers
from campaigns.services.hold_offer import bargain, open_in
from market.models import Offer


def withdraw_offer(*, actor: User, run: Run, offer: Offer, warband: int, expected_version: int | None = None) -> Offer:
    """What it held is free again."""
    with bargain(run, actor=actor, warband=warband) as held:
        found = open_in(held, offer, warband, expected_version)
        end_offers(held.table.battle, [found], by=warband, actor=actor, names=held.table.rows)
    return found
