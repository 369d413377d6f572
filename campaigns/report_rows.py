"""Between the tables and the paper: a battle read as cast and paper, and a paper written as the rows that differ."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from accounts.models import User
from campaigns.models import Battle, Deed, Participation
from campaigns.packs import pack_of
from campaigns.report import (
    ALLIED,
    ALLIES,
    ALONE,
    END,
    FOUGHT,
    NOBODY,
    Band,
    Cast,
    Ending,
    Fighter,
    Line,
    Pairs,
    Paper,
    Side,
    line_key,
    pair_key,
)
from rules.engine import battle as engine
from rules.engine.pack.schema import Pack
from rules.engine.state import Warband as State
from warbands.projection import read_states

FILLED_IN = (Battle.State.PLAYING, Battle.State.REPORTED, Battle.State.DISPUTED)
"""While a battle is in one of these, its warbands are as they went into it."""


@dataclass(frozen=True)
class Table:
    """A battle with everything that its report is about."""

    battle: Battle
    parts: tuple[Participation, ...]
    deeds: Mapping[str, Deed]
    states: Mapping[int, State]
    cast: Cast
    paper: Paper

    @cached_property
    def pack(self) -> Pack:
        return pack_of(self.battle.campaign)

    @cached_property
    def versions(self) -> dict[str, int]:
        """Of each part; they only grow, so a page knows by them what is new to it."""
        together = sum(part.version for part in self.parts)
        sides = {f"w{part.warband_id}": part.version for part in self.parts}
        lines = {key: self.deeds[key].version if key in self.deeds else 0 for key in self.paper.lines}
        return {END: together, ALLIES: together, FOUGHT: together, **sides, **lines}

    def own(self, person: User) -> list[Participation]:
        return [part for part in self.parts if part.warband.owner_id == person.pk]

    @property
    def unanswered(self) -> list[Participation]:
        return [part for part in self.parts if part.answer == Participation.Answer.NONE]


def read_table(battle: Battle) -> Table:
    """In a number of queries that does not grow."""
    parts = tuple(battle.participations.select_related("warband__owner").prefetch_related("deeds"))
    deeds = {line_key(part.warband_id, deed.fighter): deed for part in parts for deed in part.deeds.all()}
    states = read_states([part.warband for part in parts])
    is_open = battle.state in FILLED_IN
    cast = Cast(tuple(_band(part, states[part.warband_id] if is_open else None) for part in parts))
    return Table(battle, parts, deeds, states, cast, _paper(battle, parts, deeds, cast))


def _band(part: Participation, state: State | None) -> Band:
    warband = part.warband
    people = tuple(_fighters(part, state))
    return Band(warband.pk, warband.name, warband.owner_id, warband.owner.name, float(part.rating_before), people)


def _fighters(part: Participation, state: State | None) -> Iterator[Fighter]:
    """Those of the roster; once the report is closed those whom it names, whatever became of them since."""
    if state is None:
        for deed in part.deeds.all():
            yield Fighter(part.warband_id, deed.fighter, deed.name, deed.models_there, able=deed.took_part)
        return
    for one in state.fighters.values():
        able = not (one.delayed or one.captive_of)
        yield Fighter(part.warband_id, one.id, one.name, one.models, one.species, able)


# Reading --------------------------------------------------------------------------------------------


def _paper(battle: Battle, parts: tuple[Participation, ...], deeds: Mapping[str, Deed], cast: Cast) -> Paper:
    present = {part.warband_id for part in parts}
    return Paper(
        ending=_ending(battle, parts),
        allies=_pairs(parts, present, "allies"),
        fought=_pairs(parts, present, "fought"),
        sides={f"w{part.warband_id}": _side(part) for part in parts},
        lines={key: _line(deeds.get(key), one) for key, one in cast.fighters.items()},
    )


def _ending(battle: Battle, parts: tuple[Participation, ...]) -> Ending:
    for kind, result in ((ALONE, engine.WON), (ALLIED, engine.WON_ALLIED), (NOBODY, engine.DRAWN)):
        winners = tuple(sorted(part.warband_id for part in parts if part.result == result))
        if winners:
            return Ending(kind, winners)
    return Ending(battle.ending)


def _pairs(parts: tuple[Participation, ...], present: set[int], name: str) -> Pairs:
    both = {pair_key(part.warband_id, other) for part in parts for other in getattr(part, name) if other in present}
    return Pairs(tuple(sorted(both)))


def _side(part: Participation) -> Side:
    return Side(part.routed, part.markers, part.scenario_points, tuple(sorted(part.achievements)))


def _line(deed: Deed | None, one: Fighter) -> Line:
    if deed is None:
        return Line(took_part=one.able)
    by = f"{deed.by_warband_id}/{deed.by_fighter}" if deed.by_warband_id else ""
    return Line(
        deed.took_part, deed.out_of_action, by, deed.how, deed.melee_kills, deed.ranged_kills, deed.scenario_experience
    )


# Writing --------------------------------------------------------------------------------------------


def write_paper(table: Table, paper: Paper, actor: User | None) -> set[str]:
    """Write what differs; the battle is locked. Gives the keys of the parts that changed."""
    before, after = table.paper.parts(), paper.parts()
    changed = {key for key, part in after.items() if part != before[key]}
    for part in table.parts:
        _write_side(part, paper, is_new=END in changed)
    if END in changed:
        table.battle.ending = paper.ending.kind
        table.battle.save(update_fields=["ending"])
    for key in changed & paper.lines.keys():
        _write_line(table, key, paper.lines[key], actor, 1)
    return changed


def write_missing_lines(table: Table, actor: User | None) -> None:
    """A report that is sent has a line for everybody."""
    for key in table.paper.lines.keys() - table.deeds.keys():
        _write_line(table, key, table.paper.lines[key], actor, 0)


def _write_side(part: Participation, paper: Paper, *, is_new: bool) -> None:
    """How it ended is new to all of them, also where nobody is named yet."""
    side, warband = paper.sides[f"w{part.warband_id}"], part.warband_id
    values = {
        "result": paper.result(warband), "routed": side.routed, "markers": side.markers,
        "scenario_points": side.points, "achievements": list(side.achievements),
        "allies": paper.others(paper.allies, warband), "fought": paper.others(paper.fought, warband),
    }  # fmt: skip
    if not is_new and all(getattr(part, name) == value for name, value in values.items()):
        return
    for name, value in values.items():
        setattr(part, name, value)
    part.version += 1
    part.save(update_fields=[*values, "version"])


def _write_line(table: Table, key: str, line: Line, actor: User | None, step: int) -> None:
    one = table.cast.fighters[key]
    part = next(part for part in table.parts if part.warband_id == one.warband)
    killer = table.cast.fighters.get(line.killer)
    values = {
        "name": one.name, "models_there": one.models, "took_part": line.took_part, "out_of_action": line.out,
        "by_warband_id": line.by_warband, "by_fighter": line.by_fighter, "by_species": killer.species if killer else "",
        "how": line.how, "melee_kills": line.melee, "ranged_kills": line.ranged,
        "scenario_experience": line.experience, "edited_by": actor,
        "version": (table.deeds[key].version if key in table.deeds else 0) + step,
    }  # fmt: skip
    Deed.objects.update_or_create(participation=part, fighter=one.id, defaults=values)


# For the engine -------------------------------------------------------------------------------------


def as_the_engine_reads_it(table: Table, paper: Paper) -> engine.Battle:
    """A paper that may not be finished yet, for a look ahead."""
    parts = {str(band.warband): _participant(band, paper) for band in table.cast.bands}
    return engine.Battle(table.battle.key, parts, table.battle.scenario)


def _participant(band: Band, paper: Paper) -> engine.Participant:
    side = paper.sides[band.key]
    return engine.Participant(
        warband=str(band.warband),
        rating=band.rating,
        result=paper.result(band.warband) or engine.LOST,
        allies=tuple(map(str, paper.others(paper.allies, band.warband))),
        fought=tuple(map(str, paper.others(paper.fought, band.warband))),
        routed=side.routed,
        deeds={one.id: _deed(paper.lines[one.key]) for one in band.fighters},
        achievements=side.achievements,
        markers=side.markers,
        scenario_points=side.points,
    )


def _deed(line: Line) -> engine.Deed:
    by = engine.Cause(str(line.by_warband or ""), line.by_fighter, how=line.how)
    return engine.Deed(line.took_part, line.out, by, line.melee, line.ranged, line.experience)
