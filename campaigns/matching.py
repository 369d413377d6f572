"""The largest matching of a graph, by Edmonds: as many pairs of neighbours as there can be."""

from collections import deque
from collections.abc import Callable, Iterable

NOBODY = -1
Neighbours = Callable[[int], Iterable[int]]


def grow(neighbours: Neighbours, mate: list[int]) -> None:
    """Makes a matching as large as it can be, in place. It begins with the pairs that are there and keeps most of them.

    Neighbours are tried in their order, so whom somebody would rather meet stands first.
    """
    settled: set[int] = set()
    for root in range(len(mate)):
        if mate[root] == NOBODY and root not in settled:
            search = _Search(neighbours, mate, settled)
            end = search.run(root)
            if end == NOBODY:
                # No later search can gain anything from what this one saw.
                settled |= search.seen
            else:
                search.turn(end)


class _Search:
    """One tree of alternating paths. An odd cycle (a blossom) is folded into its base."""

    def __init__(self, neighbours: Neighbours, mate: list[int], settled: set[int]) -> None:
        self.neighbours = neighbours
        self.mate = mate
        self.settled = settled
        self.parent = [NOBODY] * len(mate)
        self.base = list(range(len(mate)))
        self.outer: set[int] = set()
        self.queue: deque[int] = deque()

    @property
    def seen(self) -> set[int]:
        return self.outer | {self.mate[one] for one in self.outer if self.mate[one] != NOBODY}

    def run(self, root: int) -> int:
        """The free end of a path from the root, or nobody."""
        self._reach(root)
        while self.queue:
            here = self.queue.popleft()
            for there in self.neighbours(here):
                if there in self.settled or self.base[here] == self.base[there] or self.mate[here] == there:
                    continue
                if there in self.outer:
                    self._fold(here, there)
                elif self.parent[there] == NOBODY:
                    self.parent[there] = here
                    if self.mate[there] == NOBODY:
                        return there
                    self._reach(self.mate[there])
        return NOBODY

    def turn(self, end: int) -> None:
        """Along the path, who was paired parts and who was not pairs up."""
        while end != NOBODY:
            before = self.parent[end]
            onward = self.mate[before]
            self.mate[end], self.mate[before] = before, end
            end = onward

    def _reach(self, one: int) -> None:
        self.outer.add(one)
        self.queue.append(one)

    def _fold(self, here: int, there: int) -> None:
        base = self._meeting(here, there)
        blossom: set[int] = set()
        self._mark(here, base, there, blossom)
        self._mark(there, base, here, blossom)
        for one in range(len(self.base)):
            if self.base[one] in blossom:
                self.base[one] = base
                if one not in self.outer:
                    self._reach(one)

    def _meeting(self, here: int, there: int) -> int:
        """The nearest base that both ways to the root share."""
        passed = set()
        while True:
            here = self.base[here]
            passed.add(here)
            if self.mate[here] == NOBODY:
                break
            here = self.parent[self.mate[here]]
        there = self.base[there]
        while there not in passed:
            there = self.base[self.parent[self.mate[there]]]
        return there

    def _mark(self, one: int, base: int, child: int, blossom: set[int]) -> None:
        while self.base[one] != base:
            blossom |= {self.base[one], self.base[self.mate[one]]}
            self.parent[one] = child
            child = self.mate[one]
            one = self.parent[child]
