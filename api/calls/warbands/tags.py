"""The warband that a call is about, with its version."""

import msgspec

from api.call import Ask, Tagged
from api.versions import content_version
from warbands.access import warband_for_reading, warband_of
from warbands.models import Warband
from warbands.settings import terms_for


def its_owners(ask: Ask, warband: int) -> Tagged:
    """A warband, for its owner."""
    return tagged(warband_of(ask.person, warband))


def readable(ask: Ask, warband: int) -> Tagged:
    """A warband, for whoever may read it, in one query."""
    return tagged(warband_for_reading(ask.person, warband))


def tagged(found: Warband) -> Tagged:
    """Its version, and in the name what is told with it and has none: the terms of its campaign, its owner's name."""
    terms = terms_for(found)
    packs = [(header.id, header.version) for header in terms.pack.headers]
    beside = content_version([msgspec.to_builtins(terms.settings), packs, found.owner.name])
    return Tagged(found, found.version, f"warband-{found.pk}-{beside:x}")


def act_of_readable(ask: Ask, warband: int, act: object) -> Tagged:
    """For calls about one act of it."""
    return readable(ask, warband)


def member_of_readable(ask: Ask, warband: int, fighter: str) -> Tagged:
    """For calls about one of its fighters."""
    return readable(ask, warband)


def member_of_own(ask: Ask, warband: int, fighter: str) -> Tagged:
    return its_owners(ask, warband)
