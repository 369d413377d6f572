"""What the schema cannot say about packs: names that exist, prices that parse, tables without holes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from rules.engine.errors import InputError
from rules.engine.expressions import DiceExpression, PriceExpression
from rules.engine.pack import effects as e
from rules.engine.pack.bounds import out_of_bounds
from rules.engine.pack.load import data_files, merge, read_file, read_header
from rules.engine.pack.schema import WEAPONS, Army, Entry, Files, Pack
from rules.engine.prices import split_label
from rules.engine.settings import MOST_THICK, CampaignSettings, TrackFault, track_fault
from rules.engine.state import PROFILE
from rules.engine.traits import parse_rule

SKILL_LISTS = ("Common", "Assassin", "Combat", "Strength", "Shooting", "Academic", "Speed", "Trickster")


@dataclass(frozen=True)
class Finding:
    """A mistake in a pack and where it stands."""

    file: str
    row: str
    field: str
    problem: str

    def __str__(self) -> str:
        return f"{self.file}: {self.row}: {self.field}: {self.problem}"


def check_packs(folders: Iterable[Path]) -> list[Finding]:
    """Everything that is wrong with these packs laid over each other, file by file."""
    chosen = list(folders)
    files: list[tuple[str, Files]] = []
    findings: list[Finding] = []
    headers = []
    for folder in chosen:
        try:
            headers.append(read_header(folder))
        except InputError as error:
            findings.append(Finding(f"{folder.name}/pack.yaml", "pack", "header", error.problem))
        for path in data_files(folder):
            name = path.relative_to(folder.parent).as_posix()
            try:
                files.append((name, read_file(path)))
            except InputError as error:
                findings.append(Finding(name, "file", "content", error.problem))
    pack = merge(headers, [content for _, content in files])
    known = {header.id for header in headers}
    findings += [
        Finding(f"{header.id}/pack.yaml", "pack", "requires", f"there is no pack {needed!r}")
        for header in headers
        for needed in header.requires
        if needed not in known
    ]
    for name, content in files:
        findings += [Finding(name, *found) for found in check_content(content, pack)]
    return findings


Found = tuple[str, str, str]
"""Row, field and problem."""


def check_content(content: Files, pack: Pack) -> Iterator[Found]:
    """What is wrong with a part of a pack, where `pack` is all of them laid over each other."""
    yield from out_of_bounds(content)
    for check in CHECKS:
        yield from check(content, pack)


def _names(names: Iterable[str], known: Iterable[str], row: str, field: str, kind: str) -> Iterator[Found]:
    there = set(known)
    for name in names:
        if name not in there:
            yield row, field, f"there is no {kind} {name!r}"


def _rules(texts: Iterable[str], pack: Pack, row: str, field: str) -> Iterator[Found]:
    return _names((parse_rule(text).name for text in texts), pack.rules, row, field, "model rule")


def _expression(parse: Callable[[str], Any], text: str, row: str, field: str) -> Iterator[Found]:
    try:
        parse(text)
    except InputError as error:
        yield row, field, f"{text!r} {error.problem}"


# Tables -------------------------------------------------------------------------------------------


def covers(rows: Sequence[Any], numbers: Sequence[int]) -> list[str]:
    """Which numbers no row, or more than one, stands for."""
    problems = []
    for number in numbers:
        hits = sum(row.low <= number <= row.high for row in rows)
        if hits != 1:
            problems.append(f"{number} is {'in no row' if not hits else f'in {hits} rows'}")
    return problems


D66 = [tens * 10 + ones for tens in range(1, 7) for ones in range(1, 7)]
TABLES: dict[str, Sequence[int]] = {
    "injury_lower": range(1, 7),
    "injury_higher": D66,
    "advancement_lower": range(2, 13),
    "advancement_higher": range(2, 13),
    "city_map": range(1, 7),
}


def _tables(content: Files, pack: Pack) -> Iterator[Found]:
    for name, numbers in TABLES.items():
        rows = getattr(content, name)
        if rows:
            yield from ((name, "low, high", problem) for problem in covers(rows, numbers))
        for row in rows:
            yield from _effects(getattr(row, "effects", ()), pack, f"{name} {row.low}-{row.high}")
    for name in ("advancement_lower", "advancement_higher"):
        for row in getattr(content, name):
            for option in row.options:
                yield from _effects(option.effects, pack, f"{name} {row.low}-{row.high} {option.key}")


def _charts(content: Files, pack: Pack) -> Iterator[Found]:
    """Each chart of scenarios has one for each face."""
    for players in dict.fromkeys(row.players for row in content.scenarios):
        rolls = [row.roll for row in content.scenarios if row.players == players]
        for face in range(1, 7):
            if rolls.count(face) != 1:
                yield f"scenarios for {players}", "roll", f"{face} stands there {rolls.count(face)} times"


def _bands(content: Files, pack: Pack) -> Iterator[Found]:
    """From below everything to above everything, each band beginning where the last one ended."""
    for name in ("underdog", "income"):
        bands = getattr(content, name)
        if not bands:
            continue
        if bands[0].low is not None or bands[-1].high is not None:
            yield name, "low, high", "the first band must be open below and the last one above"
        for before, after in pairwise(bands):
            if before.high is None or after.low != before.high + 1:
                yield name, "low, high", f"{after.low} does not follow {before.high}"


def _relations(content: Files, pack: Pack) -> Iterator[Found]:
    for army, row in content.relations.items():
        missing = set(content.relations) - set(row)
        if missing:
            yield f"relations {army}", "armies", f"nothing for {', '.join(sorted(missing))}"
        for other, relation in row.items():
            back = content.relations.get(other, {}).get(army)
            if back != relation:
                yield f"relations {army}", other, f"is {relation} here and {back} the other way"
        if row.get(army, "T") != "T":
            yield f"relations {army}", army, "an army trusts itself"


def _devotion(content: Files, pack: Pack) -> Iterator[Found]:
    for name, row in content.devotion.items():
        yield from _expression(DiceExpression.parse, row.fate_rerolls, f"devotion {name}", "fate_rerolls")


def _exploration(content: Files, pack: Pack) -> Iterator[Found]:
    faces = [row.faces for row in content.exploration]
    if faces:
        wanted = {str(face) * count for face in range(1, 7) for count in range(2, 7)}
        for missing in sorted(wanted - set(pack.exploration)):
            yield "exploration", "faces", f"there is no result for {missing}"
        for extra in sorted(set(faces) - wanted):
            yield f"exploration {extra}", "faces", "is no set of multiples"
    for row in content.exploration:
        yield from _effects(row.effects, pack, f"exploration {row.faces}")


def _maxima(content: Files, pack: Pack) -> Iterator[Found]:
    for species, row in content.maxima.items():
        yield from _names(row, PROFILE, f"maxima {species}", "characteristics", "characteristic")


LONGEST_TRACK = 120
TRACK_FAULTS: dict[TrackFault, str] = {
    "many": f"has more than {MOST_THICK} boxes",
    "order": "must rise: each box is higher than the one before",
    "first": "begins below 1",
    "length": "goes beyond the end of the track",
}


def _tracks(content: Files, pack: Pack) -> Iterator[Found]:
    for name, track in content.tracks.items():
        if not 1 <= track.boxes <= LONGEST_TRACK:
            yield f"tracks {name}", "boxes", f"{track.boxes} is not between 1 and {LONGEST_TRACK}"
        elif fault := track_fault(track.thick, track.boxes):
            yield f"tracks {name}", "thick", TRACK_FAULTS[fault]


# Effects ------------------------------------------------------------------------------------------


def walk_effects(effects: Iterable[Any]) -> Iterator[Any]:
    """Effects and everything inside them: rows, ways, triggers, nested effects."""
    for effect in effects:
        yield effect
        for field in msgspec.structs.fields(effect):
            value = getattr(effect, field.name)
            if isinstance(value, tuple) and value and isinstance(value[0], msgspec.Struct):
                yield from walk_effects(value)


def _effects(effects: Iterable[Any], pack: Pack, row: str) -> Iterator[Found]:
    for effect in walk_effects(effects):
        for check in EFFECT_CHECKS.get(type(effect), ()):
            yield from check(effect, pack, row)


def _found(effect: e.Found, pack: Pack, row: str) -> Iterator[Found]:
    yield from _names([effect.item], [*pack.items, *pack.upgrades], row, "item", "item")
    yield from _names(effect.upgrades, pack.upgrades, row, "upgrades", "upgrade")
    yield from _expression(DiceExpression.parse, effect.amount, row, "amount")


def _searched(effect: e.Search, pack: Pack, row: str) -> Iterator[Found]:
    for found in effect.items:
        if not 1 <= found.needed <= 6:
            yield row, "needed", f"{found.item} is found on {found.needed}, which no die shows"


def _again(effect: e.Again, pack: Pack, row: str) -> Iterator[Found]:
    if {1, 2, 3, 4, 5, 6} <= set(effect.reroll):
        yield row, "reroll", "no face is left that would count"


def _sub_table(effect: e.SubTable, pack: Pack, row: str) -> Iterator[Found]:
    yield from ((row, "rows", problem) for problem in covers(effect.rows, range(1, 7)))


def _amount(effect: Any, pack: Pack, row: str) -> Iterator[Found]:
    for field in ("amount", "phases", "rolls", "modifier", "models"):
        if hasattr(effect, field):
            yield from _expression(DiceExpression.parse, getattr(effect, field), row, field)


def _changes(effect: Any, pack: Pack, row: str) -> Iterator[Found]:
    yield from _names(effect.changes, PROFILE, row, "changes", "characteristic")


def _armies(effect: Any, pack: Pack, row: str) -> Iterator[Found]:
    yield from _names(effect.armies, pack.relations, row, "armies", "army")


def _gain_rule(effect: e.GainRule, pack: Pack, row: str) -> Iterator[Found]:
    yield from _names([effect.rule], pack.rules, row, "rule", "model rule")


def _gain_skill(effect: e.GainSkill, pack: Pack, row: str) -> Iterator[Found]:
    yield from _names([effect.skill] if effect.skill else [], pack.skills, row, "skill", "skill")


def _skill_list(effect: e.OpenSkillList, pack: Pack, row: str) -> Iterator[Found]:
    yield from _names([effect.skill_list], SKILL_LISTS, row, "skill_list", "skill list")


def _raised(effect: e.Raise, pack: Pack, row: str) -> Iterator[Found]:
    if pack.armies:
        yield from _names([effect.type], pack.fighters, row, "type", "fighter type")


def _pits(effect: e.Pits, pack: Pack, row: str) -> Iterator[Found]:
    if pack.armies:
        yield from _names([effect.opponent], pack.fighters, row, "opponent", "fighter type")


def _multiple(effect: e.Multiple, pack: Pack, row: str) -> Iterator[Found]:
    injuries = [entry.name for entry in pack.injury_higher]
    yield from _names(effect.reroll, injuries, row, "reroll", "injury")
    if set(injuries) <= set(effect.reroll):
        yield row, "reroll", "no injury is left that would count"


EFFECT_CHECKS: dict[type, tuple[Callable[[Any, Pack, str], Iterator[Found]], ...]] = {
    e.Found: (_found,),
    e.Search: (_searched,),
    e.Again: (_again,),
    e.SubTable: (_sub_table,),
    e.Points: (_amount,),
    e.Delay: (_amount,),
    e.GainExperience: (_amount,),
    e.RarityModifier: (_amount,),
    e.Multiple: (_amount, _multiple),
    e.Raise: (_amount, _raised),
    e.Characteristic: (_changes,),
    e.Maximum: (_changes,),
    e.OnlyFor: (_armies,),
    e.Way: (_armies,),
    e.GainRule: (_gain_rule,),
    e.GainSkill: (_gain_skill,),
    e.OpenSkillList: (_skill_list,),
    e.Pits: (_pits,),
}


# Entries ------------------------------------------------------------------------------------------


def _twice(content: Files, pack: Pack) -> Iterator[Found]:
    for part in ("items", "upgrades", "skills", "rules", "hirelings", "spells", "armies"):
        names = [entry.name for entry in getattr(content, part)]
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield f"{part} {name}", "name", "stands here twice"


def _explained(content: Files, pack: Pack) -> Iterator[Found]:
    """Each entry says in our words what it is, and where it comes from."""
    parts = ("items", "upgrades", "skills", "rules", "injury_lower", "injury_higher", "exploration", "achievements")
    for part in parts:
        for entry in getattr(content, part):
            for field in ("text", "section"):
                if not getattr(entry, field):
                    yield f"{part} {entry.name}", field, "is empty"


def _items(content: Files, pack: Pack) -> Iterator[Found]:
    for entry in content.items:
        row = f"items {entry.name}"
        if entry.price:
            yield from _expression(PriceExpression.parse, entry.price, row, "price")
        elif entry.category != "curiosity":
            yield row, "price", "is missing"
        if entry.category == "mount" and entry.mount is None:
            yield row, "mount", "a mount needs its profile"
        yield from _bonuses(entry.bonuses, pack, row)


def _upgrades(content: Files, pack: Pack) -> Iterator[Found]:
    for entry in content.upgrades:
        row = f"upgrades {entry.name}"
        yield from _expression(PriceExpression.parse, entry.price, row, "price")
        yield from _names(entry.fits, [*pack.items, *WEAPONS], row, "fits", "item")
        yield from _bonuses(entry.bonuses, pack, row)
        if entry.details:
            yield from ((row, "details", problem) for problem in covers(entry.details, range(1, 7)))


def _bonuses(bonuses: Iterable[Any], pack: Pack, row: str) -> Iterator[Found]:
    for bonus in bonuses:
        yield from _names(bonus.changes, PROFILE, row, "changes", "characteristic")
        yield from _rules(bonus.rules, pack, row, "rules")
        yield from _names(bonus.skills, pack.skills, row, "skills", "skill")


def _skills(content: Files, pack: Pack) -> Iterator[Found]:
    for entry in content.skills:
        row = f"skills {entry.name}"
        yield from _names(entry.lists, SKILL_LISTS, row, "lists", "skill list")
        yield from _effects(entry.effects, pack, row)
        yield from _bonuses(entry.bonuses, pack, row)


def _model_rules(content: Files, pack: Pack) -> Iterator[Found]:
    for entry in content.rules:
        yield from _rules(entry.grants, pack, f"rules {entry.name}", "grants")
        yield from _bonuses(entry.bonuses, pack, f"rules {entry.name}")


def _fighters(content: Files, pack: Pack) -> Iterator[Found]:
    entries = [*content.hirelings, *(entry for army in content.armies for entry in army.fighters)]
    mounts = [name for name, entry in pack.items.items() if entry.category == "mount"]
    paths = {spell.path for spell in pack.spells.values()}
    for entry in entries:
        row = f"fighters {entry.name}"
        missing = [name for name in PROFILE if name not in entry.profile]
        if missing:
            yield row, "profile", f"nothing for {', '.join(missing)}"
        yield from _names(entry.profile, PROFILE, row, "profile", "characteristic")
        yield from _names([entry.species], pack.maxima, row, "species", "species")
        yield from _rules(entry.rules, pack, row, "rules")
        yield from _names(entry.skills, pack.skills, row, "skills", "skill")
        yield from _names(entry.skill_lists, SKILL_LISTS, row, "skill_lists", "skill list")
        yield from _names([*entry.weapons, *entry.armour], pack.items, row, "weapons, armour", "item")
        yield from _names(entry.mounts, mounts, row, "mounts", "mount")
        for text in entry.equipment:
            yield from _expression(partial(split_label, pack=pack, where=row), text, row, "equipment")
        yield from _names(entry.paths, paths, row, "paths", "path")
        yield from _names(entry.hirers, pack.relations, row, "hirers", "army")


def _armies_of(content: Files, pack: Pack) -> Iterator[Found]:
    for army in content.armies:
        row = f"armies {army.name}"
        if pack.relations:
            yield from _names([army.code], pack.relations, row, "code", "army")
        leaders = [entry.name for entry in army.fighters if entry.leader]
        if len(leaders) != 1:
            yield row, "fighters", f"has {len(leaders)} kinds of leader, not one"
        yield from _names((special.item for special in army.market), pack.items, row, "market", "item")


# Rulings ------------------------------------------------------------------------------------------


def entries(whole: Files | Pack) -> Iterator[tuple[str, Entry]]:
    """Everything with a name and a note, with the part that it belongs to; fighters of armies included."""
    for part in whole.__struct_fields__:
        content = getattr(whole, part)
        for row in content.values() if isinstance(content, dict) else content:
            if isinstance(row, Entry):
                yield part, row
            if isinstance(row, Army):
                yield from (("fighters", fighter) for fighter in row.fighters)


def _notes(content: Files, pack: Pack) -> Iterator[Found]:
    """A note begins with the number of a ruling, and all its numbers are those of rulings."""
    for part, entry in entries(content):
        if entry.ruling and not (entry.cites and entry.ruling.startswith(str(entry.cites[0]))):
            yield f"{part} {entry.name}", "ruling", "does not begin with the number of a ruling"
        for number in entry.cites:
            if number not in pack.rulings:
                yield f"{part} {entry.name}", "ruling", f"there is no ruling {number}"


def _rulings(content: Files, pack: Pack) -> Iterator[Found]:
    concerned = {*Files.__struct_fields__, *(entry.name for _, entry in entries(pack))} if content.rulings else set()
    settings = CampaignSettings.__struct_fields__
    numbers = [ruling.number for ruling in content.rulings]
    for ruling in content.rulings:
        row = f"rulings {ruling.number}"
        if numbers.count(ruling.number) > 1:
            yield row, "number", "stands here twice"
        yield from _names(ruling.about, concerned, row, "about", "part or entry")
        yield from _names(ruling.setting.split(", ") if ruling.setting else (), settings, row, "setting", "setting")


CHECKS: tuple[Callable[[Files, Pack], Iterator[Found]], ...] = (
    _tables, _charts, _bands, _relations, _devotion, _exploration, _maxima, _tracks, _twice, _explained, _items,
    _upgrades, _skills, _model_rules, _fighters, _armies_of, _notes, _rulings,
)  # fmt: skip
