"""Measurements as ratios: a thing and a floor, timed in turns in one run, so that a slow machine slows both."""

import json
import statistics
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter, process_time

from django.db import connection
from django.test.utils import CaptureQueriesContext

Work = Callable[[], object]
Clock = Callable[[], float]


@dataclass(frozen=True)
class Measurement:
    """`ratio` is value over floor; the goal is the most it should be."""

    name: str
    value: float
    unit: str
    floor: float
    ratio: float
    goal: float
    met: bool


def compare(
    name: str,
    work: Work,
    floor: Work,
    goal: float,
    rounds: int = 15,
    unit: str = "ms",
    clock: Clock = perf_counter,
) -> Measurement:
    """The median of several rounds of each, taken in turns; `process_time` suits what only computes."""
    work(), floor()
    times = [(_milliseconds(work, clock), _milliseconds(floor, clock)) for _ in range(rounds)]
    value, base = (statistics.median(column) for column in zip(*times, strict=True))
    return weigh(name, value, base, goal, unit)


def weigh(name: str, value: float, floor: float, goal: float, unit: str) -> Measurement:
    ratio = value / floor
    return Measurement(name, round(value, 4), unit, round(floor, 4), round(ratio, 2), goal, ratio <= goal)


def queries_of(name: str, work: Work, goal: int) -> Measurement:
    """How often the database is asked: a count, so it is the same on any machine."""
    work()
    with CaptureQueriesContext(connection) as asked:
        work()
    return weigh(name, len(asked), 1, goal, "queries")


def within(name: str, work: Work, milliseconds: float, rounds: int = 5) -> Measurement:
    """The best of several rounds in the time of this process alone, against a limit in plain time."""
    best = min(_milliseconds(work, process_time) for _ in range(rounds))
    return weigh(name, best, milliseconds, 1, "ms")


def _milliseconds(work: Work, clock: Clock) -> float:
    began = clock()
    work()
    return (clock() - began) * 1000


def report(measurements: Iterable[Measurement], file: Path) -> None:
    rows = list(measurements)
    print(f"{'measurement':<52}{'value':>10}{'floor':>10}  {'unit':<8}{'ratio':>7}{'goal':>7}  met")
    for row in rows:
        met = "yes" if row.met else "NO"
        print(f"{row.name:<52}{row.value:>10}{row.floor:>10}  {row.unit:<8}{row.ratio:>7}{row.goal:>7}  {met}")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")
