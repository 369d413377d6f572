"""A simulation as its page shows it: four charts and a line for each warband."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from campaigns.charts import Chart, bars, histogram
from campaigns.models import Simulation
from campaigns.simulation import Fate
from campaigns.simulations import tally_of

MOST_BUCKETS = 12
MOST_BARS = 20


@dataclass(frozen=True)
class Line:
    """What became of a warband, on average."""

    name: str
    first: float
    """In how many of a hundred seasons it came first."""
    gone: float
    rating: float
    treasury: float
    deaths: float
    wins: float


@dataclass(frozen=True)
class Sheet:
    lines: list[Line]
    charts: list[Chart]
    battles: int


def sheet_of(simulation: Simulation) -> Sheet:
    tally = tally_of(simulation)
    names = {key: state["name"] for key, state in simulation.start["states"].items()}
    lines = sorted(_lines(tally.fates, names, tally.seasons), key=lambda line: (-line.first, -line.rating, line.name))
    if not tally.seasons:
        return Sheet([], [], 0)
    firsts = [(line.name, round(line.first, 1)) for line in lines[:MOST_BARS]]
    charts = [
        bars(_("Who came first, in % of seasons"), firsts, key="first"),
        histogram(_("Ratings in the end"), buckets(tally.ratings), key="ratings"),
        histogram(_("Treasuries in the end"), buckets(tally.treasuries), key="treasuries"),
        histogram(_("Models lost for good in a season"), buckets(tally.deaths), key="deaths"),
    ]
    return Sheet(lines, charts, tally.battles)


def _lines(fates: Mapping[str, Fate], names: Mapping[str, str], seasons: int) -> Iterator[Line]:
    for key, fate in fates.items():
        yield Line(
            names[key], 100 * fate.first / seasons, 100 * fate.gone / seasons, fate.rating / seasons,
            fate.treasury / seasons, fate.deaths / seasons, fate.wins / seasons,
        )  # fmt: skip


def buckets(counts: Mapping[int, int]) -> list[tuple[str, int]]:
    """At most a dozen of the same width, without gaps."""
    if not counts:
        return []
    low, high = min(counts), max(counts)
    width = next(width for width in _widths() if high // width - low // width < MOST_BUCKETS)
    first, last = low // width, high // width
    found = dict.fromkeys(range(first, last + 1), 0)
    for value, count in counts.items():
        found[value // width] += count
    return [(_label(place * width, width), count) for place, count in found.items()]


def _widths() -> Iterator[int]:
    size = 1
    while True:
        yield from (size, 2 * size, 5 * size)
        size *= 10


def _label(low: int, width: int) -> str:
    return f"{low}–{low + width - 1}" if width > 1 else str(low)
