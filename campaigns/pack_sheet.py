"""Packs of game masters as a campaign sees them: what it plays with, what is newer, what else could be used."""

from dataclasses import dataclass

from django.db.models import Prefetch, Q

from campaigns.models import Campaign
from campaigns.packs import pins_in
from rules.access import packs_to_use
from rules.models import GamePack, PackEdition


@dataclass(frozen=True)
class PackRow:
    pack: GamePack
    now: PackEdition | None
    """The edition that the campaign plays with."""
    published: tuple[PackEdition, ...]
    """Newest first; none of a pack that the person may not use."""

    @property
    def newest(self) -> PackEdition | None:
        return self.published[0] if self.published else None

    @property
    def offered(self) -> PackEdition | None:
        """The newest one, where the campaign plays with another."""
        found = self.newest
        return found if found is not None and self.now is not None and found.number != self.now.number else None

    @property
    def is_upgrade(self) -> bool:
        return self.offered is not None and self.now is not None and self.offered.number > self.now.number

    @property
    def is_withdrawn(self) -> bool:
        return self.now is not None and self.now.state == PackEdition.State.WITHDRAWN


def pack_rows(campaign: Campaign, person: object) -> list[PackRow]:
    """What it plays with first. Two queries, whatever their number."""
    pins = dict(pins_in(campaign))
    usable = set(packs_to_use(person).values_list("pk", flat=True))
    editions = PackEdition.objects.defer("content").exclude(state=PackEdition.State.DRAFT).order_by("-number")
    found = GamePack.objects.filter(Q(key__in=pins) | Q(pk__in=usable)).select_related("owner")
    rows = [
        _row(pack, pins.get(pack.key), may_use=pack.pk in usable)
        for pack in found.prefetch_related(Prefetch("editions", editions))
    ]
    shown = [row for row in rows if row.now is not None or row.published]
    return sorted(shown, key=lambda row: row.now is None)


def _row(pack: GamePack, pinned: int | None, *, may_use: bool) -> PackRow:
    editions = list(pack.editions.all())
    now = next((each for each in editions if each.number == pinned), None)
    published = (each for each in editions if each.state == PackEdition.State.PUBLISHED)
    return PackRow(pack, now, tuple(published) if may_use else ())
