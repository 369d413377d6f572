"""The ladder of a campaign as a picture: stages, and the ways that lead on when a battle is won, lost or drawn.

Stages stand in layers, by the longest way from the start. Within a layer they are ordered by the middle of what they
are tied to, so that few ways cross. A way past a layer takes a free place in it.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.drawing import BOLD, NARROW, WIDE, Box, Drawing, Line, Mark, box, place, word, wrapped
from rules.engine.errors import RuleViolation

Result = Literal["won", "drawn", "lost"]
RESULTS: dict[str, object] = {
    "won": gettext_lazy("won"),
    "drawn": gettext_lazy("drawn"),
    "lost": gettext_lazy("lost"),
}
SWEEPS = 4
MOST_BESIDE = 4
"""So many layers stand side by side at a desk; more go downwards, so that the words stay large."""
GAP, AIR = 12.0, 62.0
NAME, NOTE, ROW = 15, 12, 18.0


@dataclass(frozen=True, slots=True)
class Stage:
    key: str
    name: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Way:
    source: str
    to: str
    on: str


@dataclass(frozen=True, slots=True)
class Leads:
    on: str
    to: str


@dataclass(frozen=True, slots=True)
class Step:
    """A stage in words."""

    stage: Stage
    here: bool
    leads: tuple[Leads, ...]


@dataclass(frozen=True, slots=True)
class Ladder:
    key: str
    title: str
    says: str
    steps: tuple[Step, ...]
    drawings: tuple[Drawing, ...]


def lay_out(
    stages: Sequence[Stage], ways: Sequence[Way], *, title: str = "", here: Collection[str] = (), key: str = "ladder"
) -> Ladder:
    """The first stage is the start. `here` are stages to mark, such as those where a player stands."""
    check(stages, ways)
    layers = layers_of(stages, ways)
    ordered = [stage for layer in _in_layers(stages, layers) for stage in layer]
    deep = max(layers.values()) + 1
    drawings = (
        _Picture(stages, ways, layers, here).downwards("narrow", NARROW),
        _Picture(stages, ways, layers, here).sideways(WIDE)
        if deep <= MOST_BESIDE
        else _Picture(stages, ways, layers, here).downwards("wide", WIDE),
    )
    says = _("It begins with %(first)s and has %(count)s stages.") % {"first": stages[0].name, "count": len(stages)}
    return Ladder(
        key, title or _("The ladder"), says, tuple(_step(stage, stages, ways, here) for stage in ordered), drawings
    )


def _step(stage: Stage, stages: Sequence[Stage], ways: Iterable[Way], here: Collection[str]) -> Step:
    names = {one.key: one.name for one in stages}
    leads = tuple(Leads(str(RESULTS[way.on]), names[way.to]) for way in _by_result(ways) if way.source == stage.key)
    return Step(stage, stage.key in here, leads)


def _by_result(ways: Iterable[Way]) -> list[Way]:
    return sorted(ways, key=lambda way: list(RESULTS).index(way.on))


# What is refused ---------------------------------------------------------------------------------
def check(stages: Sequence[Stage], ways: Sequence[Way]) -> None:
    if not stages:
        raise RuleViolation("ladder-empty", _("A ladder needs at least one stage."))
    names = {stage.key: stage.name for stage in stages}
    for key, count in Counter(stage.key for stage in stages).items():
        if count > 1:
            raise RuleViolation("ladder-stage-twice", _("The stage %(name)s is there twice.") % {"name": names[key]})
    for way in ways:
        _check_way(way, names)
    for (source, on), count in Counter((way.source, way.on) for way in ways).items():
        if count > 1:
            facts = {"name": names[source], "result": RESULTS[on]}
            sentence = _("From %(name)s two ways lead on when the battle is %(result)s. Keep one of them.")
            raise RuleViolation("ladder-two-ways", sentence % facts)
    _check_cycle(stages, ways)
    reached = reachable(stages[0].key, ways)
    for stage in stages:
        if stage.key not in reached:
            sentence = _("No way leads from %(start)s to %(name)s.")
            raise RuleViolation("ladder-unreachable", sentence % {"start": stages[0].name, "name": stage.name})


def _check_way(way: Way, names: Mapping[str, str]) -> None:
    for key in (way.source, way.to):
        if key not in names:
            raise RuleViolation(
                "ladder-no-such-stage", _("A way names the stage %(key)s, which is not there.") % {"key": key}
            )
    if way.on not in RESULTS:
        raise RuleViolation("ladder-no-such-result", _("A way leads on when a battle is won, drawn or lost."))


def _check_cycle(stages: Sequence[Stage], ways: Sequence[Way]) -> None:
    """Takes away stages that nothing leads to, again and again; what remains goes round or lies behind that."""
    left = {stage.key: stage.name for stage in stages}
    while left:
        aimed_at = {way.to for way in ways if way.source in left}
        free = [key for key in left if key not in aimed_at]
        if not free:
            name = next(name for key, name in left.items() if key in reachable(key, ways, through=True))
            raise RuleViolation(
                "ladder-cycle", _("The ways from %(name)s lead back to it. A ladder only goes on.") % {"name": name}
            )
        for key in free:
            del left[key]


def reachable(start: str, ways: Sequence[Way], *, through: bool = False) -> set[str]:
    """What can be reached from a stage; with itself, unless only by going `through` ways."""
    reached = set() if through else {start}
    edge = {start}
    while edge:
        edge = {way.to for way in ways if way.source in edge} - reached
        reached |= edge
    return reached


# Layers and their order --------------------------------------------------------------------------
def layers_of(stages: Sequence[Stage], ways: Sequence[Way]) -> dict[str, int]:
    """The longest way from the start, for a ladder that was checked."""
    layers = {stage.key: 0 for stage in stages}
    for _round in stages:
        for way in ways:
            layers[way.to] = max(layers[way.to], layers[way.source] + 1)
    return layers


def _in_layers(stages: Sequence[Stage], layers: Mapping[str, int]) -> list[list[Stage]]:
    return [[stage for stage in stages if layers[stage.key] == layer] for layer in range(max(layers.values()) + 1)]


@dataclass(eq=False, slots=True)
class _Node:
    """A stage in its layer, or the free place that a way takes there."""

    layer: int
    stage: Stage | None = None
    before: list["_Node"] = field(default_factory=list)
    after: list["_Node"] = field(default_factory=list)
    x: float = 0
    y: float = 0
    width: float = 0
    height: float = 0


class _Picture:
    def __init__(
        self, stages: Sequence[Stage], ways: Sequence[Way], layers: Mapping[str, int], here: Collection[str]
    ) -> None:
        self.here = here
        self.nodes = {stage.key: _Node(layers[stage.key], stage) for stage in stages}
        self.layers: list[list[_Node]] = [[] for _ in range(max(layers.values()) + 1)]
        for node in self.nodes.values():
            self.layers[node.layer].append(node)
        self.chains = [(way, self._chain(way)) for way in _by_result(ways)]
        self._order()

    def _chain(self, way: Way) -> list[_Node]:
        first, last = self.nodes[way.source], self.nodes[way.to]
        between = [_Node(layer) for layer in range(first.layer + 1, last.layer)]
        for node in between:
            self.layers[node.layer].append(node)
        chain = [first, *between, last]
        for one, other in pairwise(chain):
            one.after.append(other)
            other.before.append(one)
        return chain

    def _order(self) -> None:
        for _sweep in range(SWEEPS):
            for layer in self.layers[1:]:
                self._sort(layer, "before")
            for layer in reversed(self.layers[:-1]):
                self._sort(layer, "after")
        for layer in self.layers[1:]:
            self._sort(layer, "before")

    def _sort(self, layer: list[_Node], side: Literal["before", "after"]) -> None:
        """By the middle of the neighbours; who has none stays about where it was."""
        places = {id(node): (index + 0.5) / len(row) for row in self.layers for index, node in enumerate(row)}

        def middle(node: _Node) -> float:
            near = node.before if side == "before" else node.after
            return sum(places[id(one)] for one in near) / len(near) if near else places[id(node)]

        layer.sort(key=middle)

    # Places --------------------------------------------------------------------------------------
    def downwards(self, size: Literal["narrow", "wide"], width: float) -> Drawing:
        y = 2.0
        for layer in self.layers:
            free = sum(node.stage is None for node in layer) * GAP
            room = width - 4 - free - (len(layer) - 1) * GAP
            each = min(room / max(sum(node.stage is not None for node in layer), 1), 240)
            high = max(_height(node.stage, each) for node in layer)
            x = (width - each * sum(node.stage is not None for node in layer) - free - (len(layer) - 1) * GAP) / 2
            for node in layer:
                node.x, node.y, node.height = x, y, high
                node.width = each if node.stage else GAP
                x += node.width + GAP
            y += high + AIR
        ends = {way: self._down(way, chain) for way, chain in self.chains}
        return Drawing(size, place(width), place(y - AIR + 2), self._marks(ends))

    def sideways(self, width: float) -> Drawing:
        each = min((width - 4 - (len(self.layers) - 1) * (AIR + 14)) / len(self.layers), 240)
        tall = [sum(_height(node.stage, each) for node in layer) + (len(layer) - 1) * 2 * GAP for layer in self.layers]
        for number, layer in enumerate(self.layers):
            y = 2 + (max(tall) - tall[number]) / 2
            for node in layer:
                node.x, node.y, node.width = 2 + number * (each + AIR + 14), y, each
                node.height = _height(node.stage, each)
                y += node.height + 2 * GAP
        ends = {way: self._right(way, chain) for way, chain in self.chains}
        return Drawing("wide", place(width), place(max(tall) + 4), self._marks(ends))

    # Ways ----------------------------------------------------------------------------------------
    def _down(self, way: Way, chain: Sequence[_Node]) -> list[Mark]:
        out, into = self._share(way, "source"), self._share(way, "to")
        points = [(chain[0].x + chain[0].width * out, chain[0].y + chain[0].height)]
        for node in chain[1:-1]:
            points += [(node.x + node.width / 2, node.y), (node.x + node.width / 2, node.y + node.height)]
        points.append((chain[-1].x + chain[-1].width * into, chain[-1].y - 7))
        d = f"M{_at(points[0])}"
        for index in range(0, len(points) - 1, 2):
            (x1, y1), (x2, y2) = points[index], points[index + 1]
            middle = (y1 + y2) / 2
            d += f"C{_at((x1, middle))} {_at((x2, middle))} {_at((x2, y2))}"
            if index + 2 < len(points):
                d += f"L{_at(points[index + 2])}"
        (x, y), start = points[-1], points[0]
        tip = Line("tip", f"M{_at((x - 4.5, y - 1))}L{_at((x + 4.5, y - 1))}L{_at((x, y + 6))}z")
        return [Line(f"way {way.on}", d), tip, word("on", start[0], start[1] + 17, str(RESULTS[way.on]), "middle")]

    def _right(self, way: Way, chain: Sequence[_Node]) -> list[Mark]:
        out, into = self._share(way, "source"), self._share(way, "to")
        points = [(chain[0].x + chain[0].width, chain[0].y + chain[0].height * out)]
        for node in chain[1:-1]:
            points += [(node.x, node.y + node.height / 2), (node.x + node.width, node.y + node.height / 2)]
        points.append((chain[-1].x - 7, chain[-1].y + chain[-1].height * into))
        d = f"M{_at(points[0])}"
        for index in range(0, len(points) - 1, 2):
            (x1, y1), (x2, y2) = points[index], points[index + 1]
            middle = (x1 + x2) / 2
            d += f"C{_at((middle, y1))} {_at((middle, y2))} {_at((x2, y2))}"
            if index + 2 < len(points):
                d += f"L{_at(points[index + 2])}"
        (x, y), start = points[-1], points[0]
        tip = Line("tip", f"M{_at((x - 1, y - 4.5))}L{_at((x - 1, y + 4.5))}L{_at((x + 6, y))}z")
        return [Line(f"way {way.on}", d), tip, word("on", start[0] + 6, start[1] + 4, str(RESULTS[way.on]))]

    def _share(self, way: Way, side: Literal["source", "to"]) -> float:
        """Which part of an edge a way uses, so that several do not lie on one another."""
        far = 1 if side == "source" else -2
        mine = [(one, chain) for one, chain in self.chains if getattr(one, side) == getattr(way, side)]
        row = {id(node): index for layer in self.layers for index, node in enumerate(layer)}
        mine.sort(key=lambda pair: row[id(pair[1][far])])
        return ([one for one, _ in mine].index(way) + 1) / (len(mine) + 1)

    # Marks ---------------------------------------------------------------------------------------
    def _marks(self, ways: Mapping[Way, Sequence[Mark]]) -> tuple[Mark, ...]:
        """Lines lie below the boxes, words above the lines."""
        drawn = [mark for marks in ways.values() for mark in marks]
        words = [mark for mark in drawn if mark.tag == "text"]
        return (*(mark for mark in drawn if mark.tag != "text"), *self._boxes(), *words)

    def _boxes(self) -> Iterable[Mark]:
        for node in self.nodes.values():
            assert node.stage is not None
            yield self._box(node, node.stage)
            y = node.y + 7
            for look, size, text in _texts(node.stage, node.width):
                y += ROW
                yield word(look, node.x + 10, y - (ROW - size) / 2, text)

    def _box(self, node: _Node, stage: Stage) -> Box:
        return box("stage here" if stage.key in self.here else "stage", node.x, node.y, node.width, node.height, 4)


def _texts(stage: Stage, width: float) -> list[tuple[str, int, str]]:
    names = [("stage-name", NAME, text) for text in wrapped(stage.name, width - 18, NAME * BOLD)]
    return names + [("stage-note", NOTE, text) for text in wrapped(stage.note, width - 18, NOTE)]


def _height(stage: Stage | None, width: float) -> float:
    return len(_texts(stage, width)) * ROW + 18 if stage else GAP


def _at(point: tuple[float, float]) -> str:
    return f"{place(point[0])} {place(point[1])}"
