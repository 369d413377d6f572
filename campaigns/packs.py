"""Which packs a campaign plays with: those of the site, and editions of game masters' packs laid over them."""

from django.utils.translation import gettext as _

from campaigns.models import Campaign
from rules.editions import Pins, pack_with, pins_of, refuse_withdrawn
from rules.engine.errors import RuleViolation
from rules.engine.pack.schema import Pack


def pins_in(campaign: Campaign) -> Pins:
    return pins_of(campaign.house.get("packs", {}))


def pack_of(campaign: Campaign) -> Pack:
    """To look at. Without packs of its own, or once a process has them, it asks the database nothing."""
    return pack_with(pins_in(campaign))


def refuse_unplayable(campaign: Campaign) -> None:
    """What is played is written down, so an edition that was withdrawn is refused; looking on is not.

    Who waited for a lock may have read the campaign before. What they would do rests on packs that are gone.
    """
    pins = pins_in(campaign)
    if not pins:
        return
    house = Campaign.objects.values_list("house", flat=True).get(pk=campaign.pk)
    if pins_of(house.get("packs", {})) != pins:
        raise RuleViolation("packs_changed", _("The packs of the campaign have just changed. Try again."))
    refuse_withdrawn(pins)
