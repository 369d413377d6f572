"""Packs, drafts and editions by their version, and the settings of a campaign by theirs."""

import zlib

from api.call import Ask, Tagged
from campaigns.access import place_to_run
from campaigns.services.change_settings import stamp_of
from rules.access import edition_of, pack_to_edit
from rules.models import PackEdition
from rules.pack_drafts import draft_of

VERSIONS = 1_000_000
"""A draft's version begins anew with each edition; both are in its ETag."""


def own_pack(ask: Ask, pack: int) -> Tagged:
    """A pack, for its owner; its name and whether it is shared are all that changes."""
    found = pack_to_edit(ask.person, pack)
    return Tagged(found, zlib.crc32(f"{found.shared} {found.name}".encode()), f"pack-{found.pk}")


def own_draft(ask: Ask, pack: int) -> Tagged:
    found = pack_to_edit(ask.person, pack)
    draft = draft_of(found)
    return Tagged(found, draft.number * VERSIONS + draft.version, f"pack-draft-{found.pk}")


def own_edition(ask: Ask, pack: int, number: int) -> Tagged:
    found = edition_of(pack_to_edit(ask.person, pack), number)
    states = list(PackEdition.State.values)
    return Tagged(found, found.version * len(states) + states.index(found.state), f"edition-{found.pk}")


def its_packs(ask: Ask, campaign: int, pack: int = 0) -> Tagged:
    """A campaign, for those who run it; the version is that of its settings."""
    place = place_to_run(ask.person, campaign)
    return Tagged(place, int(stamp_of(place.campaign), 16), f"campaign-packs-{campaign}")


def draft_version(ask: Ask) -> int | None:
    return None if ask.expected_version is None else ask.expected_version % VERSIONS


def settings_stamp(ask: Ask) -> str:
    return "" if ask.expected_version is None else f"{ask.expected_version:016x}"
