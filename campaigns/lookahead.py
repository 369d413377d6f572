"""Rounds of a small field, chosen so that those to come can do without rematches too.

Few people soon have nobody left: of five who play four rounds, two can be new to each other alone when the last
one is drawn. So every way to play this round is tried, and what it leaves for the next ones.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

Places = tuple[int, int]
Drawn = tuple[int | None, tuple[Places, ...]]
"""Who rests, and who meets."""

LARGEST = 8


def draw(scores: Sequence[float], met: frozenset[Places], rested: frozenset[int], ahead: int) -> Drawn | None:
    """Places are those in `scores`, best first. Nothing if there is a rematch whatever is done.

    As many rounds after this one as can be are without rematches; then the lowest rests; then like scores meet.
    """
    number = len(scores)
    fresh = number * (number - 1) // 2 - len(met)
    ways = list(_ways(number, met, rested))
    for left in range(min(ahead, fresh // (number // 2) - 1), -1, -1):
        good = [way for way in ways if _goes_on(number, *_after(way, met, rested), left)]
        if good:
            return min(good, key=lambda way: (-(way[0] or 0), _apart(scores, way[1])))
    return None


def resting(places: Sequence[int], rested: Collection[int]) -> list[int]:
    """Who may rest, the lowest first: whoever has not, or everybody once all have."""
    return [place for place in reversed(places) if place not in rested] or list(reversed(places))


def _apart(scores: Sequence[float], pairs: Sequence[Places]) -> float:
    return sum((scores[one] - scores[other]) ** 2 for one, other in pairs)


def _ways(number: int, met: frozenset[Places], rested: frozenset[int]) -> Iterator[Drawn]:
    """Every round without a rematch."""
    for bye in resting(range(number), rested) if number % 2 else [None]:
        for pairs in _pairs([place for place in range(number) if place != bye], met):
            yield bye, pairs


def _pairs(places: Sequence[int], met: frozenset[Places]) -> Iterator[tuple[Places, ...]]:
    if not places:
        yield ()
        return
    one, *rest = places
    for other in rest:
        if (one, other) not in met:
            for pairs in _pairs([place for place in rest if place != other], met):
                yield ((one, other), *pairs)


def _after(way: Drawn, met: frozenset[Places], rested: frozenset[int]) -> tuple[frozenset[Places], frozenset[int]]:
    bye, pairs = way
    return met.union(pairs), rested if bye is None else rested | {bye}


@lru_cache(maxsize=4096)
def _goes_on(number: int, met: frozenset[Places], rested: frozenset[int], rounds: int) -> bool:
    """Whether so many more rounds can be played in which nobody meets twice."""
    if not rounds:
        return True
    ways = _ways(number, met, rested)
    return any(_goes_on(number, *_after(way, met, rested), rounds - 1) for way in ways)
