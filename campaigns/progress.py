"""How warbands fared over their battles, read from the ledger: treasuries, luck in exploring."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
from django.core.cache import cache
from django.db.models import Q
from django.utils.translation import gettext as _
from msgspec import Struct, field

from campaigns import charts
from campaigns.models import Campaign
from campaigns.standings import KEPT, Line, cache_key
from warbands.models import LedgerEntry, Warband
from warbands.timeline import STANDS

EXPECTED = 3.5
"""Of one die."""
SHOWN = 8


class Progress(Struct, frozen=True):
    """By warband. A line begins with what it had before its first battle here."""

    treasuries: dict[int, list[float]] = field(default_factory=dict)
    explored: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Pips and dice of all explorations."""


def progress(campaign: Campaign, warbands: Sequence[int]) -> Progress:
    """In a few queries, or from the cache while nothing changed."""
    key = cache_key(campaign, f"progress:{'-'.join(map(str, sorted(warbands)))}")
    found = cache.get(key)
    if found is not None:
        return msgspec.msgpack.decode(found, type=Progress)
    made = read_progress(campaign, warbands)
    cache.set(key, msgspec.msgpack.encode(made), KEPT)
    return made


def read_progress(campaign: Campaign, warbands: Collection[int]) -> Progress:
    return Progress(_treasuries(campaign, warbands), explored(campaign, warbands))


def prefix(campaign: Campaign) -> str:
    """How the keys of its battles begin in ledgers."""
    return f"{campaign.pk}-"


def _treasuries(campaign: Campaign, warbands: Collection[int]) -> dict[int, list[float]]:
    """Counted back from what there is now, so that what came between battles is in it too."""
    now = dict(Warband.objects.filter(pk__in=warbands).values_list("pk", "treasury"))
    changed = LedgerEntry.objects.filter(warband__in=warbands, change__event="TreasuryChanged")
    columns = changed.order_by("warband", "-sequence").values_list("warband_id", "battle", "change__amount")
    found: dict[int, dict[str, float]] = defaultdict(dict)
    before: dict[int, float] = {}
    for warband, battle, amount in columns:
        if battle.startswith(prefix(campaign)):
            found[warband].setdefault(battle, now[warband])
            before[warband] = now[warband] - amount
        now[warband] -= amount
    return {warband: [before[warband], *reversed(values.values())] for warband, values in found.items()}


def explored(campaign: Campaign, warbands: Collection[int]) -> dict[int, tuple[int, int]]:
    """Pips and dice of what was rolled to explore, after rerolls."""
    entries = LedgerEntry.objects.filter(
        STANDS & ~Q(rolls=[]), warband__in=warbands, battle__startswith=prefix(campaign), step="exploration"
    )
    found: dict[int, tuple[int, int]] = {}
    for warband, rolls in entries.order_by().values_list("warband_id", "rolls"):
        for roll in rolls:
            if _explores(roll):
                pips, dice = found.get(warband, (0, 0))
                kept = [roll["faces"][place] for place in roll["kept"]]
                found[warband] = (pips + sum(kept), dice + len(kept))
    return found


def _explores(roll: Mapping[str, Any]) -> bool:
    """The dice of the exploration itself, and none of what a find made somebody roll."""
    return str(roll.get("purpose", "")).startswith("exploration")


# Charts -----------------------------------------------------------------------------------------------


def chosen(lines: Sequence[Line]) -> list[Line]:
    """The best, and one's own."""
    best = list(lines[:SHOWN])
    return best + [line for line in lines[SHOWN:] if line.mine]


def rating_chart(lines: Sequence[Line]) -> charts.Chart:
    """The standings know what everybody went into each battle with."""
    ratings = {line.row.warband: line.row.ratings for line in lines if line.row.battles}
    return _over_time(_("Rating after each battle"), "ratings", ratings, lines)


def treasury_chart(found: Progress, lines: Sequence[Line]) -> charts.Chart:
    return _over_time(_("Treasury after each battle"), "treasuries", found.treasuries, lines)


def casualty_chart(lines: Sequence[Line]) -> charts.Chart:
    rows = [(name, float(line.row.casualties)) for name, line in _named(lines) if line.row.battles]
    return charts.bars(_("Models out of action"), rows, key="casualties")


def luck_chart(found: Progress, lines: Sequence[Line]) -> charts.Chart:
    rows = [
        (name, float(pips), EXPECTED * dice)
        for name, line in _named(lines)
        for pips, dice in [found.explored.get(line.row.warband, (0, 0))]
        if dice
    ]
    return charts.against(_("Pips in exploring, against what was to be expected"), rows, key="luck")


def _over_time(title: str, key: str, values: Mapping[int, Sequence[float]], lines: Sequence[Line]) -> charts.Chart:
    series = [(name, _points(values.get(line.row.warband, ()))) for name, line in _named(lines)]
    mine = [name for name, line in _named(lines) if line.mine]
    return charts.lines(title, series, chosen=mine, key=key)


def _points(values: Sequence[float]) -> list[charts.Point]:
    return [(str(place) if place else _("before"), float(value)) for place, value in enumerate(values)]


def _named(lines: Sequence[Line]) -> list[tuple[str, Line]]:
    """Two warbands may have one name; their lines may not."""
    seen: dict[str, int] = defaultdict(int)
    named = []
    for line in lines:
        seen[line.name] += 1
        named.append((f"{line.name} ({seen[line.name]})" if seen[line.name] > 1 else line.name, line))
    return named
