"""Who meets whom: Swiss rounds, tables of several, knock-out. Plain data in, plain data out, the same every time."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations, pairwise

from campaigns import lookahead
from campaigns.matching import NOBODY, grow

Pair = tuple[str, str]
Slot = str | None
Tie = tuple[Slot, Slot]
"""A tie of a knock-out; nobody on one side lets the other go on without a battle."""

SIZES = range(3, 9)
NEAR = 8
PASSES = 20


@dataclass(frozen=True, slots=True)
class Entrant:
    key: str
    score: float


@dataclass(frozen=True, slots=True)
class Pairings:
    """`rematches` are those of `pairs` that could not be avoided."""

    pairs: tuple[Pair, ...]
    bye: str | None = None
    rematches: tuple[Pair, ...] = ()


@dataclass(frozen=True, slots=True)
class Tables:
    """`rematches` are the pairs at one table who met before."""

    tables: tuple[tuple[str, ...], ...]
    rematches: tuple[Pair, ...] = ()


# Swiss -------------------------------------------------------------------------------------------
def pair(
    entrants: Sequence[Entrant],
    met: Collection[frozenset[str]],
    had_bye: Collection[str],
    seed: str = "",
    ahead: int = 0,
) -> Pairings:
    """Nobody rests twice before all have; then there are as few rematches as can be; then the lowest rests; then like
    scores meet. In a small field the rounds `ahead` are thought of too.
    """
    ranked = standing(entrants, seed)
    if 2 <= len(ranked) <= lookahead.LARGEST and (planned := _planned(ranked, met, had_bye, ahead)):
        return planned
    if len(ranked) % 2 == 0:
        return _with_bye(ranked, met, None)
    resting = lookahead.resting(range(len(ranked)), [place for place, one in enumerate(ranked) if one.key in had_bye])
    best = None
    for found in (_with_bye(ranked, met, ranked[place].key) for place in resting):
        if best is None or len(found.rematches) < len(best.rematches):
            best = found
        if not best.rematches:
            break
    assert best is not None
    return best


def _with_bye(ranked: Sequence[Entrant], met: Collection[frozenset[str]], bye: str | None) -> Pairings:
    pairs, known = _Round([entrant for entrant in ranked if entrant.key != bye], met).pairs(), _twos(met)
    return Pairings(pairs, bye, tuple(both for both in pairs if frozenset(both) in known))


def _planned(
    ranked: Sequence[Entrant], met: Collection[frozenset[str]], had_bye: Collection[str], ahead: int
) -> Pairings | None:
    known = _met_places(ranked, met)
    before = frozenset((one, other) for one, others in enumerate(known) for other in others if one < other)
    rested = frozenset(place for place, entrant in enumerate(ranked) if entrant.key in had_bye)
    drawn = lookahead.draw([entrant.score for entrant in ranked], before, rested, ahead)
    if drawn is None:
        return None
    bye, pairs = drawn
    named = tuple((ranked[one].key, ranked[other].key) for one, other in pairs)
    return Pairings(named, None if bye is None else ranked[bye].key)


def standing(entrants: Sequence[Entrant], seed: str = "") -> list[Entrant]:
    """Best first. Like scores are shuffled by the seed, whatever order they came in."""
    if len({entrant.key for entrant in entrants}) < len(entrants):
        raise ValueError("an entrant is named twice")
    return sorted(entrants, key=lambda entrant: (-entrant.score, _lot(seed, entrant.key), entrant.key))


def _lot(seed: str, key: str) -> bytes:
    return sha256(f"{seed}\0{key}".encode()).digest()


def _twos(met: Iterable[frozenset[str]]) -> set[frozenset[str]]:
    """Everybody at a table of several met everybody else there."""
    return {frozenset(both) for group in met for both in combinations(group, 2)}


class _Round:
    """An even number of entrants, best first, known by their places."""

    def __init__(self, ranked: Sequence[Entrant], met: Collection[frozenset[str]]) -> None:
        self.ranked = ranked
        self.met = _met_places(ranked, met)

    def pairs(self) -> tuple[Pair, ...]:
        mate = self._nearest()
        grow(self._wishes, mate)
        over = [one for one in range(len(mate)) if mate[one] == NOBODY]
        found = {(one, other) for one, other in enumerate(mate) if one < other}
        closer = self._closer(sorted(found | set(_twosome(over))))
        return tuple((self.ranked[one].key, self.ranked[other].key) for one, other in closer)

    def _nearest(self) -> list[int]:
        """From the top, each with the next who is free and new to them."""
        mate = [NOBODY] * len(self.ranked)
        for one in range(len(mate)):
            if mate[one] == NOBODY:
                free = (other for other in range(one + 1, len(mate)) if mate[other] == NOBODY)
                other = next((other for other in free if other not in self.met[one]), NOBODY)
                if other != NOBODY:
                    mate[one], mate[other] = other, one
        return mate

    def _wishes(self, one: int) -> Iterator[int]:
        """Everybody who is new to them, the nearest place first."""
        for far in range(1, len(self.ranked)):
            for other in (one + far, one - far):
                if 0 <= other < len(self.ranked) and other not in self.met[one]:
                    yield other

    def _closer(self, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Neighbouring pairs change partners while that brings scores together."""
        for _ in range(PASSES):
            before = list(pairs)
            for first in range(len(pairs)):
                for second in range(first + 1, min(first + NEAR, len(pairs))):
                    pairs[first], pairs[second] = self._best_of(pairs[first], pairs[second])
            pairs.sort()
            if pairs == before:
                break
        return pairs

    def _best_of(self, one: tuple[int, int], two: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
        """As they are, unless partners can be changed for something better."""
        if self._worth((one, two)) == (0, 0):
            return one, two
        a, b, c, d = sorted(one + two)
        ways = ((one, two), ((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c)))
        return min(ways, key=self._worth)

    def _worth(self, way: Iterable[tuple[int, int]]) -> tuple[int, float]:
        """Less is better: rematches first, then how far scores are apart."""
        again, apart = 0, 0.0
        for one, other in way:
            again += other in self.met[one]
            apart += (self.ranked[one].score - self.ranked[other].score) ** 2
        return again, apart


def _met_places(ranked: Sequence[Entrant], met: Iterable[frozenset[str]]) -> list[set[int]]:
    places = {entrant.key: place for place, entrant in enumerate(ranked)}
    known: list[set[int]] = [set() for _ in ranked]
    for one, other in (sorted(both) for both in _twos(met)):
        if one in places and other in places:
            known[places[one]].add(places[other])
            known[places[other]].add(places[one])
    return known


def _twosome(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip(places[::2], places[1::2], strict=True)


# Tables of several -------------------------------------------------------------------------------
def seat(entrants: Sequence[Entrant], met: Collection[frozenset[str]], size: int, seed: str = "") -> Tables:
    """Like scores at one table, full tables or nearly, and few who met before. Nobody sits out."""
    if size not in SIZES:
        raise ValueError(f"a table has {SIZES.start} to {SIZES.stop - 1} places")
    ranked = standing(entrants, seed)
    known = _met_places(ranked, met)
    tables = _part(len(ranked), size)
    _Seating(ranked, known, tables).settle()
    again = [both for table in tables for both in combinations(sorted(table), 2) if both[1] in known[both[0]]]
    return Tables(
        tuple(tuple(ranked[one].key for one in sorted(table)) for table in tables),
        tuple((ranked[one].key, ranked[other].key) for one, other in again),
    )


def _part(number: int, size: int) -> list[list[int]]:
    """Neighbours in the standing, the larger tables first; sizes differ by one at most."""
    count = -(-number // size)
    small, larger = divmod(number, count) if count else (0, 0)
    starts = [table * small + min(table, larger) for table in range(count + 1)]
    return [list(range(start, end)) for start, end in pairwise(starts)]


class _Seating:
    """Changes seats, one for one, until no change leaves fewer who met before."""

    def __init__(self, ranked: Sequence[Entrant], known: Sequence[set[int]], tables: list[list[int]]) -> None:
        self.ranked = ranked
        self.known = known
        self.tables = tables

    def settle(self) -> None:
        moved = True
        while moved:
            seats = [(table, one) for table, ones in enumerate(self.tables) for one in ones]
            moved = any(self._move(table, one) for table, one in seats)

    def _move(self, here: int, one: int) -> bool:
        """Each change leaves fewer who met before, so this ends."""
        if one not in self.tables[here] or not self.known[one].intersection(self.tables[here]):
            return False
        changes = [
            (self._gain(here, one, there, other), -abs(self.ranked[one].score - self.ranked[other].score), there, other)
            for there in range(len(self.tables))
            if there != here
            for other in self.tables[there]
        ]
        gain, _, there, other = max(changes, default=(0, 0.0, here, one), key=lambda change: change[:2])
        if gain > 0:
            self.tables[here][self.tables[here].index(one)] = other
            self.tables[there][self.tables[there].index(other)] = one
        return gain > 0

    def _gain(self, here: int, one: int, there: int, other: int) -> int:
        mine, theirs = set(self.tables[here]) - {one}, set(self.tables[there]) - {other}
        before = len(self.known[one] & mine) + len(self.known[other] & theirs)
        return before - len(self.known[other] & mine) - len(self.known[one] & theirs)


# Knock-out ---------------------------------------------------------------------------------------
def bracket(places: Sequence[str]) -> list[Tie]:
    """The first round, best first in `places`: first against last, and the best two can only meet in the final.

    Where the number is no power of two, the best go on without a battle.
    """
    if len(set(places)) < len(places):
        raise ValueError("an entrant is named twice")
    if len(places) < 2:
        return []
    order = [1]
    while len(order) < len(places):
        order = [seed for one in order for seed in (one, 2 * len(order) + 1 - one)]
    slots = [places[seed - 1] if seed <= len(places) else None for seed in order]
    return _ties(slots)


def next_knockout_round(winners: Sequence[Slot]) -> list[Tie]:
    """Winners in the order of their ties, nobody for a tie that both lost; empty when the final is over."""
    if len(winners) & (len(winners) - 1):
        raise ValueError("every tie of the round needs its winner, or nobody")
    return _ties(winners) if len(winners) > 1 else []


def through(ties: Iterable[Tie]) -> list[Slot]:
    """Who goes on without a battle, tie by tie; nobody where there is one to fight."""
    return [(one or other) if None in (one, other) else None for one, other in ties]


def _ties(slots: Sequence[Slot]) -> list[Tie]:
    return list(zip(slots[::2], slots[1::2], strict=True))
