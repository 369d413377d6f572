"""The ladder of a campaign as it is kept: read, compared, and asked who stands where."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.utils.translation import gettext as _

from campaigns.ladder_layout import Ladder, Stage, Way, lay_out
from campaigns.models import Campaign, Enrolment
from campaigns.models import Stage as StageRow
from campaigns.models import Way as WayRow
from campaigns.people import enrolled
from rules.engine.errors import RuleViolation
from warbands.models import Warband

Placed = tuple[Sequence[Stage], Sequence[Way]]
SHOWN = 20
K = TypeVar("K")


def read_ladder(campaign: Campaign) -> Placed:
    """Two queries; the start is the first stage."""
    rows = list(campaign.stages.order_by("-is_start", "position", "pk"))
    keys = {row.pk: row.key for row in rows}
    ways = WayRow.objects.filter(stage__in=rows).order_by("pk")
    stages = [Stage(row.key, row.name, row.note) for row in rows]
    return stages, [Way(keys[way.stage_id], keys[way.to_id], way.on) for way in ways]


def stamp(placed: Placed) -> str:
    """A stale form is known by it: a campaign's version changes with every battle, a ladder's does not."""
    stages, ways = placed
    facts = [repr((one.key, one.name, one.note)) for one in stages]
    facts += sorted(repr((way.source, way.on, way.to)) for way in ways)
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]


def top_of(placed: Placed) -> str:
    """Where somebody ends who wins every battle; nothing without a ladder."""
    stages, ways = placed
    return end_of({way.source: way.to for way in ways if way.on == "won"}, stages[0].key if stages else "")


def end_of(ways: Mapping[K, K], here: K) -> K:
    """Where they lead in the end; a ladder has no circles."""
    while here in ways:
        here = ways[here]
    return here


def heights(placed: Placed) -> dict[str, int]:
    """How high each stage is, the lowest being 1: the top can be won from it, and the fewer victories that takes.

    Stages that no victory leads out of to the top are the lowest, however many battles they are away from the start.
    """
    stages, ways = placed
    won = {way.source: way.to for way in ways if way.on == "won"}
    top = top_of(placed)
    scores = {stage.key: _score(stage.key, won, top) for stage in stages}
    order = sorted(set(scores.values()))
    return {key: order.index(score) + 1 for key, score in scores.items()}


def _score(stage: str, won: Mapping[str, str], top: str) -> tuple[bool, int]:
    needed, here = 0, stage
    while here in won and here != top:
        needed, here = needed + 1, won[here]
    return here == top, -needed


def ends_of(placed: Placed) -> set[str]:
    """Stages from which nothing leads on."""
    stages, ways = placed
    return {stage.key for stage in stages} - {way.source for way in ways}


def stage_of(campaign: Campaign, warbands: Iterable[Warband | int]) -> StageRow | None:
    """The stage of a battle between these, who must be at the same one; nothing where there is no ladder."""
    if campaign.kind != Campaign.Kind.LADDER:
        return None
    rows = enrolled(campaign).filter(warband__in=list(warbands)).select_related("stage", "warband")
    there: dict[int | None, list[Enrolment]] = defaultdict(list)
    for row in rows.order_by("pk"):
        there[row.stage_id].append(row)
    if len(there) > 1:
        one, other = (rows[0] for rows in list(there.values())[:2])
        facts = {"one": one.warband.name, "here": _stage(one), "other": other.warband.name, "there": _stage(other)}
        sentence = _("%(one)s is at %(here)s and %(other)s is at %(there)s. Only warbands of one stage meet.")
        raise RuleViolation("other_stage", sentence % facts)
    return next((rows[0].stage for rows in there.values()), None)


def _stage(row: Enrolment) -> str:
    return row.stage.name if row.stage else _("no stage")


# Showing ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Standing:
    """A stage, and who stands there."""

    stage: Stage
    warbands: Sequence[Warband]
    more: int
    is_start: bool
    is_top: bool
    is_end: bool
    here: bool


@dataclass(frozen=True)
class View:
    picture: Ladder
    standings: Sequence[Standing]
    """The top first."""


def view_ladder(campaign: Campaign, own: Iterable[int]) -> View | None:
    """Nothing if there is no stage yet."""
    placed = stages, ways = read_ladder(campaign)
    if not stages:
        return None
    there = warbands_at(campaign)
    mine = set(own)
    here = {key for key, found in there.items() if any(one.pk in mine for one in found)}
    picture = lay_out(stages, ways, title=_("The way to the top"), here=here)
    top, ends = top_of(placed), ends_of(placed)
    shown = [
        Standing(
            step.stage, found[:SHOWN], max(len(found) - SHOWN, 0), step.stage.key == stages[0].key,
            step.stage.key == top, step.stage.key in ends, step.stage.key in here,
        )
        for step in reversed(picture.steps)
        for found in [there.get(step.stage.key, [])]
    ]  # fmt: skip
    return View(picture, shown)


def warbands_at(campaign: Campaign) -> Mapping[str, list[Warband]]:
    """By the key of the stage, by name."""
    found: dict[str, list[Warband]] = defaultdict(list)
    rows = enrolled(campaign).exclude(stage=None).select_related("stage", "warband__owner")
    for row in rows.order_by("warband__name", "pk"):
        assert row.stage is not None
        found[row.stage.key].append(row.warband)
    return found
