"""The packs with editions of game masters' packs laid over them.

A published edition never changes, so what was put together once serves the whole process. Which edition a campaign is
on is the campaign's to say; here it is a pin, the key of a pack and the number of an edition.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from django.db.models import Q
from django.utils.translation import gettext as _

from rules.engine.errors import RuleViolation
from rules.engine.pack.load import STANDARD, merge
from rules.engine.pack.schema import Files, Header, Pack
from rules.library import pack, sources
from rules.models import PackEdition

Pin = tuple[str, int]
Pins = tuple[Pin, ...]
Standing = tuple[str | None, str]
"""The state of an edition, and the name of its pack."""
KEPT = 32
"""Combinations of editions that a process remembers."""


def pins_of(packs: Mapping[str, str]) -> Pins:
    """Of what a campaign stays on, the editions of game masters' packs, in the order in which they are laid."""
    own = ((key, number) for key, number in packs.items() if key not in STANDARD and str(number).isdecimal())
    return tuple(sorted((key, int(number)) for key, number in own))


def pack_with(pins: Pins) -> Pack:
    """To look at: an edition that was withdrawn is shown too. Without pins, the packs that come with the site."""
    return _laid(pins) if pins else pack()


def pack_to_play(pins: Pins) -> Pack:
    """The same, refused where an edition was withdrawn meanwhile."""
    refuse_withdrawn(pins)
    return pack_with(pins)


def refuse_withdrawn(pins: Pins, found: Mapping[Pin, Standing] | None = None) -> None:
    """One query, and none where there are no pins, or where the caller has read how they stand."""
    if not pins:
        return
    standing = _standing(pins) if found is None else found
    for pin in pins:
        state, name = standing.get(pin, (None, pin[0]))
        if state is None or state == PackEdition.State.DRAFT:
            raise _unknown(pin)
        if state == PackEdition.State.WITHDRAWN:
            words = {"number": pin[1], "pack": name}
            raise RuleViolation(
                "pack_withdrawn",
                _("Edition %(number)s of the pack %(pack)s was withdrawn. The game master has to choose another.")
                % words,
            )


def _standing(pins: Pins) -> Mapping[Pin, Standing]:
    columns = ("pack__key", "number", "state", "pack__name")
    return {row[:2]: row[2:] for row in _editions(pins).values_list(*columns)}


def header_of(edition: PackEdition) -> Header:
    return Header(id=edition.pack.key, version=str(edition.number), title=edition.pack.name, text=edition.notes)


def put_together(over: Iterable[tuple[Header, Files]]) -> Pack:
    """The packs of the site with these laid over them."""
    chosen = list(over)
    headers = [*(header for header, _parts in sources()), *(header for header, _files in chosen)]
    files = [*(part for _header, parts in sources() for part in parts), *(files for _header, files in chosen)]
    return merge(headers, files)


def files_of(edition: PackEdition) -> Files:
    """As the engine reads it. The site may ask for another form by now than the one it was made in."""
    try:
        return msgspec.convert(edition.content, Files)
    except msgspec.ValidationError as error:
        words = {"number": edition.number, "pack": edition.pack.name, "problem": str(error)}
        sentence = _("Edition %(number)s of the pack %(pack)s cannot be read here: %(problem)s") % words
        raise RuleViolation("pack_unreadable", sentence) from error


def _editions(pins: Sequence[Pin]) -> Any:
    wanted = Q()
    for key, number in pins:
        wanted |= Q(pack__key=key, number=number)
    return PackEdition.objects.filter(wanted)


@lru_cache(maxsize=KEPT)
def _laid(pins: Pins) -> Pack:
    found = _editions(pins).exclude(state=PackEdition.State.DRAFT).select_related("pack")
    editions = {(edition.pack.key, edition.number): edition for edition in found}
    for pin in pins:
        if pin not in editions:
            raise _unknown(pin)
    return put_together((header_of(editions[pin]), files_of(editions[pin])) for pin in pins)


def _unknown(pin: Pin) -> RuleViolation:
    words = {"pack": pin[0], "number": pin[1]}
    return RuleViolation("no_such_edition", _("There is no published edition %(number)s of the pack %(pack)s.") % words)
