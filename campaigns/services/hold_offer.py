"""Take a table in hand for a trade: campaign, battle and warbands locked, its open offers read."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.battles import refuse_over
from campaigns.models import Run
from campaigns.offers import open_offers
from campaigns.postgame import Table
from campaigns.services.hold_run import Held, held_run
from market.models import Offer
from rules.engine.errors import RuleViolation


class StaleOffer(RuleViolation):
    """The other side was faster."""

    def __init__(self) -> None:
        super().__init__("stale", _("This offer has changed since you opened the page. Look at it again first."))


@dataclass
class Bargain:
    """A run under lock with the open offers of its battle."""

    held: Held
    offers: list[Offer]

    @property
    def table(self) -> Table:
        return self.held.table


@contextmanager
def bargain(run: Run, *, actor: User, warband: int, expected_version: int | None = None) -> Iterator[Bargain]:
    """`warband` is the one that the actor speaks for. The campaign first: notices and chronicle name it."""
    with held_run(run, actor=actor, expected_version=expected_version, with_campaign=True) as held:
        refuse_over(held.table.campaign)
        refuse_stranger(held.table, actor, warband)
        yield Bargain(held, open_offers(held.table.battle))


def refuse_stranger(table: Table, actor: User, warband: int) -> None:
    row = table.rows.get(warband)
    if row is None or row.owner_id != actor.pk:
        raise RuleViolation("not_yours", _("That is not for you to decide."))


def open_in(held: Bargain, offer: Offer, warband: int, version: int | None) -> Offer:
    """The offer as it is under the lock, refused if it is over, another's, or not as the page showed it."""
    found = next((one for one in held.offers if one.pk == offer.pk), None)
    if found is None:
        raise RuleViolation("offer_over", _("This offer is settled or withdrawn."))
    if warband not in found.sides:
        raise RuleViolation("not_yours", _("That is not for you to decide."))
    if version is not None and version != found.version:
        raise StaleOffer
    return found


def stand_by(offer: Offer, warband: int) -> None:
    """This side agrees to the offer as it is."""
    if warband == offer.maker_id:
        offer.maker_agrees_to = offer.version
    else:
        offer.taker_agrees_to = offer.version
    offer.moved = timezone.now()
