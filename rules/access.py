"""What the reference has: it is open to everybody, so all that can fail is the address. And whose a pack is."""

from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from rules.codex.kinds import KINDS, Kind
from rules.codex.listing import Listed
from rules.codex.listing import codex as whole_codex
from rules.models import GamePack, PackEdition
from rules.pack_parts import PARTS, Part


def kind_of(key: str) -> Kind:
    if key not in KINDS:
        raise Http404
    return KINDS[key]


def entry_of(kind: str, slug: str) -> Listed:
    found = whole_codex().get(kind, {}).get(slug)
    if found is None:
        raise Http404
    return found


def may_edit(person: Any, pack: GamePack) -> bool:
    return bool(person.is_superuser) or pack.owner_id == person.pk


def packs_to_edit(person: Any) -> "QuerySet[GamePack]":
    return GamePack.objects.all() if person.is_superuser else GamePack.objects.filter(owner_id=person.pk)


def packs_to_use(person: Any) -> "QuerySet[GamePack]":
    """Own ones, and those that others share."""
    return GamePack.objects.filter(Q(owner_id=person.pk) | Q(shared=True))


def pack_to_edit(person: Any, pk: int) -> GamePack:
    return get_object_or_404(packs_to_edit(person), pk=pk)


def edition_of(pack: GamePack, number: int, **wanted: Any) -> PackEdition:
    found = get_object_or_404(pack.editions, number=number, **wanted)
    found.pack = pack
    return found


def part_of(key: str) -> Part:
    if key not in PARTS:
        raise Http404
    return PARTS[key]
