"""Which packs a campaign plays with: those of the site, and editions of game masters' packs laid over them."""

from typing import Any

import msgspec
from django.utils.translation import gettext as _

from campaigns.models import Campaign
from rules.editions import Pins, pack_with, pins_of, refuse_withdrawn
from rules.engine.errors import RuleViolation
from rules.engine.pack.schema import Pack
from warbands.statements import send

PINNED = """
(SELECT json_agg(json_build_array(pin.key, pin.value, edition.state, pack.name))::text
FROM campaigns_campaign campaign CROSS JOIN jsonb_each_text(campaign.house -> 'packs') pin
LEFT JOIN rules_gamepack pack ON pack.key = pin.key
LEFT JOIN rules_packedition edition ON edition.pack_id = pack.id AND edition.number::text = pin.value
WHERE campaign.id = {campaign})
"""
"""A column of any statement: what a campaign stays on as it is now, and how that stands."""
READ_PINNED = f"SELECT {PINNED.format(campaign='%s')}"


def pins_in(campaign: Campaign) -> Pins:
    return pins_of(campaign.house.get("packs", {}))


def pack_of(campaign: Campaign) -> Pack:
    """To look at. Without packs of its own, or once a process has them, it asks the database nothing."""
    return pack_with(pins_in(campaign))


def refuse_unplayable(campaign: Campaign, pinned: str | None) -> None:
    """What is played is written down, so an edition that was withdrawn is refused; looking on is not.

    `pinned` was read under the locks. Who waited for them may have read the campaign before: what they would do
    rests on packs that are gone.
    """
    rows: list[Any] = msgspec.json.decode(pinned) if pinned else []
    pins = pins_of({key: number for key, number, _state, _name in rows})
    if pins != pins_in(campaign):
        raise RuleViolation("packs_changed", _("The packs of the campaign have just changed. Try again."))
    refuse_withdrawn(pins, {(key, int(number)): (state, name) for key, number, state, name in rows if state})


def read_pinned(campaign: Campaign) -> str | None:
    """By itself, where no other statement takes it along."""
    row = send(READ_PINNED, campaign.pk).fetchone()
    return row[0] if row else None
