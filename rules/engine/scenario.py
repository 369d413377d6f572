"""Scenario files: a state, a battle, dice and answers, played from a file. See docs/scenario-format.md."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from rules.engine.battle import MELEE, OTHER, RANGED, RESULTS, Battle, Deed, Participant
from rules.engine.dice import DiceSource, RecordedDice, ScriptedDice, SeededDice
from rules.engine.documents import read_yaml
from rules.engine.errors import InputError
from rules.engine.pack.check import TRACK_FAULTS
from rules.engine.pack.load import PACKS
from rules.engine.pack.schema import Pack
from rules.engine.plain import change_to_plain
from rules.engine.policy import BASIS, POLICIES, preferences
from rules.engine.pregame import PREGAME
from rules.engine.prices import split_label
from rules.engine.questions import Choices, Policy
from rules.engine.rating import warband_rating
from rules.engine.sequence import DEFAULTS, STEPS, Played, play, steps_between
from rules.engine.settings import CampaignSettings, track_fault
from rules.engine.state import CHARACTERISTICS, DEVOTIONS, KINDS, Effect, Fighter, Injury, Item, Warband, evolve
from rules.engine.traits import parse_rule, thick_boxes
from rules.engine.vocabulary import NAMES, refuse_out_of_bounds, refuse_unknown

KEYS = {
    "title", "section", "packs", "settings", "warbands", "battle", "for", "from", "to", "steps", "dice", "seed",
    "typed", "answers", "fate", "policy", "ask", "expect",
}  # fmt: skip
HUMAN = dict(zip(CHARACTERISTICS, (4, 8, 7, 9, 3, 3, 0, 1, 3, 3, 0, 3, 3), strict=True)) | {"Rat": 5, "Upk": 2}
"""The profile of a fighter whose scenario names neither a type nor numbers."""

MOST_MODELS = 1000
LARGEST, LONGEST, DEEPEST, MOST_PARTS = 100_000, 1000, 40, 100_000
"""Numbers, texts, nesting and size of a file. No campaign comes near, and no step has to bear more."""
UNBOUNDED = ("title", "section", "seed", "expect")
"""Keys whose numbers are only looked at."""

Kind = TypeVar("Kind", bound=msgspec.Struct)


def read_scenario(path: Path) -> dict[str, Any]:
    """The content of a scenario file."""
    content = read_yaml(path)
    return _mapping(content, str(path))


def pack_folders(scenario: Mapping[str, Any]) -> list[Path] | None:
    """The packs that a scenario names, by their folders; None if it names none."""
    if "packs" not in scenario:
        return None
    there = sorted(path.name for path in PACKS.iterdir() if path.is_dir())
    names = _list(scenario["packs"], "packs")
    for name in names:
        _one_of(name, there, "packs")
    return [PACKS / name for name in names]


def play_scenario(scenario: Mapping[str, Any], pack: Pack) -> dict[str, Any]:
    """Play a scenario; events, rolls, open questions and the final state as plain data."""
    _known(_mapping(scenario, "scenario"), KEYS, "scenario")
    for key, content in scenario.items():
        _refuse_boundless(content, key)
    settings = _settings(scenario)
    entries = _mapping(scenario.get("warbands") or {}, "warbands")
    warbands = {name: warband(name, entry, pack, settings) for name, entry in entries.items()}
    answer: dict[str, Any] = {}
    if scenario.get("ask"):
        from rules.engine.asking import ask

        questions = _list(scenario["ask"], "ask")
        answer["answers"] = [ask(question, warbands, pack, settings, scenario.get("battle")) for question in questions]
    if not scenario.keys().isdisjoint(("steps", "from", "to")) or ("battle" in scenario and not answer):
        thrown = dice(scenario)
        played = _play(scenario, warbands, pack, thrown)
        answer |= _report(played) | {"unused": _unused(scenario, played, thrown)}
    if not answer:
        raise InputError("scenario", "nothing is played or asked", "battle, steps, from, to or ask")
    return answer


def _play(scenario: Mapping[str, Any], warbands: dict[str, Warband], pack: Pack, thrown: DiceSource) -> Played:
    if not warbands:
        raise InputError("warbands", "there is nobody whose steps could be played", "one warband or more")
    me = scenario.get("for", next(iter(warbands)))
    _one_of(me, list(warbands), "for")
    fought = battle(scenario.get("battle") or {}, warbands, pack)
    for part in ("answers", "fate", "typed"):
        _check_keys(_mapping(scenario.get(part) or {}, part), part, fought)
    return play(
        warbands,
        me,
        fought,
        pack,
        thrown,
        steps=_steps(scenario),
        choices=Choices(scenario.get("answers") or {}, scenario.get("fate") or {}),
        settings=_settings(scenario),
        policy=_policy(scenario.get("policy"), pack),
    )


def _settings(scenario: Mapping[str, Any]) -> CampaignSettings:
    """What the campaign sets, refused where no campaign could."""
    made: CampaignSettings = _convert(scenario.get("settings") or {}, CampaignSettings, "settings")
    _within(made.rout_percent, 1, 100, "settings.rout_percent")
    _within(made.starting_points or 0, 0, LARGEST, "settings.starting_points")
    _one_of(made.achievements_once_per, ("battle", "campaign"), "settings.achievements_once_per")
    for name, thick, boxes in (
        ("lower", made.lower_thresholds, made.lower_track),
        ("higher", made.higher_thresholds, made.higher_track),
    ):
        if fault := track_fault(thick, boxes):
            where = f"settings.{name}_thresholds"
            raise InputError(where, f"{list(thick)} {TRACK_FAULTS[fault]}", f"rising boxes of a track of {boxes}")
    return made


def _check_keys(content: Mapping[str, Any], where: str, fought: Battle) -> None:
    """What is keyed belongs to a step of somebody who is there, or is a roll for all."""
    for key in content:
        owner, _, rest = str(key).partition("/")
        is_shared = owner == fought.id and where != "answers"
        if not is_shared and not (owner in fought.participants and rest.partition("/")[0] in (*STEPS, *PREGAME)):
            raise InputError(where, f"{key!r} is the key of nothing", f"WARBAND/STEP/LABEL, or {fought.id}/LABEL")


def _steps(scenario: Mapping[str, Any]) -> list[str]:
    if "steps" in scenario:
        _refuse_both(scenario, "steps", "from", "to")
        steps = scenario["steps"]
        names = [steps] if isinstance(steps, str) else _list(steps, "steps")
        for name in names:
            _one_of(name, [*STEPS, *PREGAME], "steps")
        return names
    names = list(STEPS)
    return steps_between(scenario.get("from", names[0]), scenario.get("to", names[-1]))


def _refuse_both(scenario: Mapping[str, Any], one: str, *others: str) -> None:
    for other in others:
        if one in scenario and other in scenario:
            raise InputError(other, f"stands beside {one}", "one of the two")


def _policy(written: str | dict[str, Any] | None, pack: Pack) -> Policy | None:
    """A policy by name, or preferences by topic."""
    if written is None:
        return None
    if isinstance(written, dict):
        refuse_unknown("policy", written.keys() - {BASIS}, pack, "policy")
        return preferences(written)
    _one_of(written, list(POLICIES), "policy")
    return POLICIES[written]


def dice(scenario: Mapping[str, Any]) -> DiceSource:
    """Scripted in order, seeded, or typed roll by roll with one of those behind."""
    behind: DiceSource | None = None
    _refuse_both(scenario, "seed", "dice")
    if "seed" in scenario:
        behind = SeededDice(str(scenario["seed"]).encode())
    elif "dice" in scenario:
        behind = ScriptedDice(_list(scenario["dice"], "dice"))
    if "typed" in scenario:
        return RecordedDice(_mapping(scenario["typed"], "typed"), behind)
    return behind or ScriptedDice([])


# State ----------------------------------------------------------------------------------------------


def warband(name: str, entry: Any, pack: Pack, settings: CampaignSettings = DEFAULTS) -> Warband:
    """A warband as a scenario writes it, with everything unnamed at its default."""
    where = f"warbands.{name}"
    entry = dict(_mapping(entry, where))
    names = Numbers(_given_ids(entry))
    _check_id(name, "warbands")
    fighters = {
        key: fighter(key, value, pack, names, f"{where}.fighters.{key}", settings)
        for key, value in _mapping(entry.pop("fighters", {}), f"{where}.fighters").items()
    }
    stockpile = tuple(item(text, pack, names, f"{where}.stockpile") for text in _taken(entry, "stockpile", where))
    effects = tuple(_convert(value, Effect, f"{where}.effects") for value in _taken(entry, "effects", where))
    _one_of(entry.get("devotion", "medium"), DEVOTIONS, f"{where}.devotion")
    if entry.get("leader"):
        _one_of(entry["leader"], list(fighters), f"{where}.leader")
    entry.setdefault("leader", next((key for key, value in fighters.items() if value.kind == "hero"), ""))
    entry.setdefault("army", "EoS")
    refuse_unknown("army", [entry["army"]], pack, f"{where}.army")
    refuse_unknown("effects", [effect.name for effect in effects], pack, f"{where}.effects")
    refuse_out_of_bounds(entry, where)
    items = [item.id for held in (stockpile, *(one.items for one in fighters.values())) for item in held]
    _refuse_twice(items, where)
    free = _free_number([*fighters, *items])
    plain = {"id": name, "name": name, "next_id": max(names.next, free), **entry}
    made: Warband = _convert(plain, Warband, where)
    _within(made.next_id, free, LARGEST, f"{where}.next_id")
    made = evolve(made, fighters=fighters, stockpile=stockpile, effects=effects)
    return made if "rating" in entry else evolve(made, rating=warband_rating(made, pack))


class Numbers:
    """Ids for the items of a scenario, in the order in which it names them; none that it gives another item."""

    def __init__(self, given: Collection[str] = ()) -> None:
        self.given = given
        self.next = 1

    def take(self) -> str:
        """The id of the next item, once."""
        while f"i{self.next}" in self.given:
            self.next += 1
        self.next += 1
        return f"i{self.next - 1}"


def _given_ids(entry: Mapping[str, Any]) -> set[str]:
    """Ids of items that a warband's file names; what is malformed is refused where it is read."""
    fighters = entry.get("fighters")
    holders = list(fighters.values()) if isinstance(fighters, dict) else []
    heaps = [entry.get("stockpile"), *(one.get("items") for one in holders if isinstance(one, dict))]
    things = [thing for heap in heaps if isinstance(heap, list | tuple) for thing in heap]
    return {str(thing["id"]) for thing in things if isinstance(thing, dict) and "id" in thing}


_NUMBERED = re.compile(r"[fi]([1-9]\d{0,4})")


def _free_number(ids: Iterable[str]) -> int:
    """From here on no new fighter or item gets an id that is there already."""
    matches = (_NUMBERED.fullmatch(key) for key in ids)
    return 1 + max((int(match[1]) for match in matches if match is not None), default=0)


def fighter(
    key: str, entry: Any, pack: Pack, names: Numbers, where: str, settings: CampaignSettings = DEFAULTS
) -> Fighter:
    """As its type has it, and having rolled for all experience it has, unless the scenario says otherwise."""
    _check_id(key, where)
    entry = dict(_mapping(entry or {}, where))
    base = _from_type(entry, pack, where)
    profile = base.pop("profile") | _mapping(entry.pop("profile", {}), f"{where}.profile")
    for characteristic in profile:
        _one_of(characteristic, list(HUMAN), f"{where}.profile")
    own = base.pop("rules")
    texts = _taken(entry, "rules", where) if "rules" in entry else own
    rules = tuple(parse_rule(_text(text, f"{where}.rules")) for text in texts)
    injuries = tuple(
        Injury(value) if isinstance(value, str) else _convert(value, Injury, f"{where}.injuries")
        for value in _taken(entry, "injuries", where)
    )
    items = tuple(item(text, pack, names, f"{where}.items") for text in _taken(entry, "items", where))
    _refuse_slips(entry, pack, where)
    refuse_unknown("rules", [rule.name for rule in rules], pack, f"{where}.rules")
    refuse_unknown("injuries", [injury.name for injury in injuries], pack, f"{where}.injuries")
    _one_of(entry.get("kind", base["kind"]), KINDS, f"{where}.kind")
    made: Fighter = _convert({"id": key, "name": key, **base, "profile": profile, **entry}, Fighter, where)
    _one_of(made.devotion, ["", *DEVOTIONS], f"{where}.devotion")
    _within(made.models, 1, MOST_MODELS, f"{where}.models")
    _within(made.rolls_taken, 0, LARGEST, f"{where}.rolls_taken")
    taken = made.rolls_taken if "rolls_taken" in entry else thick_boxes(made, settings)
    return evolve(made, rules=rules, injuries=injuries, items=items, rolls_taken=taken)


def _refuse_slips(entry: Mapping[str, Any], pack: Pack, where: str) -> None:
    """Names that nothing in the packs has, and numbers that cannot be."""
    if "species" in entry:
        refuse_unknown("species", [entry["species"]], pack, f"{where}.species")
    for field in NAMES.keys() & entry.keys() - {"species"}:
        refuse_unknown(field, _list(entry[field], f"{where}.{field}"), pack, f"{where}.{field}")
    for characteristic in _mapping(entry.get("maxima", {}), f"{where}.maxima"):
        _one_of(characteristic, CHARACTERISTICS, f"{where}.maxima")
    refuse_out_of_bounds(entry, where)


def _refuse_twice(ids: list[str], where: str) -> None:
    twice = next((key for place, key in enumerate(ids) if key in ids[:place]), None)
    if twice is not None:
        raise InputError(where, f"the id {twice!r} is given to two items", "an id for each, or none to have one given")


def _from_type(entry: dict[str, Any], pack: Pack, where: str) -> dict[str, Any]:
    if "type" not in entry:
        return {"kind": "hero", "type": "", "species": "Human", "profile": dict(HUMAN), "rules": ()}
    _one_of(entry["type"], list(pack.fighters), f"{where}.type")
    found = pack.fighters[entry["type"]]
    return {
        "kind": found.kind,
        "species": found.species,
        "profile": dict(found.profile),
        "rules": found.rules,
        "skills": found.skills,
        "skill_lists": found.skill_lists,
        "weapon_proficiencies": found.weapons,
        "armour_proficiencies": found.armour,
        "experience": found.starting_experience,
        "starting_experience": found.starting_experience,
        "devotion": found.devotion,
    }


def item(text: Any, pack: Pack, names: Numbers, where: str) -> Item:
    """`Sharpened Sword` or `{name: Sword, upgrades: [Sharpened], detail: ..., id: ...}`."""
    if isinstance(text, str):
        name, upgrades = split_label(text, pack, where)
        _one_of(name, _things(pack), where)
        return Item(names.take(), name, upgrades)
    entry = _mapping(text, where)
    _one_of(entry.get("name"), _things(pack), f"{where}.name")
    made: Item = _convert({"id": names.take(), **entry}, Item, where)
    for upgrade in made.upgrades:
        _one_of(upgrade, list(pack.upgrades), f"{where}.upgrades")
    return made


def _things(pack: Pack) -> list[str]:
    """What somebody can have: items, and upgrades that are not built into another thing (17.7.4.1)."""
    return [*pack.items, *(upgrade.name for upgrade in pack.upgrades.values() if not upgrade.inbuilt)]


# Battle ---------------------------------------------------------------------------------------------


def battle(entry: Any, warbands: Mapping[str, Warband], pack: Pack) -> Battle:
    """Everybody took part and nobody fell, unless the scenario says otherwise."""
    entry = _mapping(entry, "battle")
    for name in entry:
        _one_of(name, [*warbands, "id", "scenario"], "battle")
    parts = {name: _participant(name, entry, warbands, pack, f"battle.{name}") for name in warbands}
    return Battle(str(entry.get("id", "b1")), parts, _text(entry.get("scenario", ""), "battle.scenario"))


def _participant(name: str, report: Any, warbands: Mapping[str, Warband], pack: Pack, where: str) -> Participant:
    entry = dict(_mapping(report.get(name) or {}, where))
    given = _mapping(entry.pop("fighters", {}), f"{where}.fighters")
    for key in given:
        _one_of(key, list(warbands[name].fighters), f"{where}.fighters")
    deeds = {
        key: _deed(given.get(key) or {}, warbands, f"{where}.fighters.{key}", default=not value.delayed)
        for key, value in warbands[name].fighters.items()
    }
    _one_of(entry.get("result", "lost"), RESULTS, f"{where}.result")
    refuse_unknown("achievements", _list(entry.get("achievements", []), f"{where}.achievements"), pack, where)
    refuse_out_of_bounds(entry, where)
    plain = {
        "warband": name,
        "rating": warbands[name].rating,
        "fought": [other for other in warbands if other != name and _may_have_fought(report.get(other), name)],
        **entry,
    }
    made: Participant = _convert(plain, Participant, where)
    for other in (*made.fought, *made.allies):
        _one_of(other, [key for key in warbands if key != name], where)
    return evolve(made, deeds=deeds)


def _may_have_fought(other: Any, name: str) -> bool:
    """Unless the other one says whom it fought and does not name this one."""
    given = other.get("fought") if isinstance(other, dict) else None
    return not isinstance(given, list) or name in given


def _deed(entry: Any, warbands: Mapping[str, Warband], where: str, default: bool) -> Deed:
    entry = dict(_mapping(entry, where))
    by = dict(_mapping(entry.pop("by", {}), f"{where}.by"))
    if by.get("warband"):
        _one_of(by["warband"], list(warbands), f"{where}.by.warband")
        enemies = warbands[by["warband"]].fighters
        if by.get("fighter"):
            _one_of(by["fighter"], list(enemies), f"{where}.by.fighter")
            by.setdefault("species", enemies[by["fighter"]].species)
    if "how" in by:
        _one_of(by["how"], (MELEE, RANGED, OTHER), f"{where}.by.how")
    refuse_out_of_bounds(entry, where)
    made: Deed = _convert({"took_part": default, **entry, "by": by}, Deed, where)
    if not made.took_part and (made.out_of_action or made.melee_kills or made.ranged_kills):
        raise InputError(where, "who took no part neither fell nor took anybody out of action", "took_part: true")
    return made


# Reporting ------------------------------------------------------------------------------------------


def _report(played: Played) -> dict[str, Any]:
    return {
        "events": [change_to_plain(change) for change in played.changes],
        "rolls": [msgspec.to_builtins(roll) for roll in played.rolls],
        "facts": [msgspec.to_builtins(fact) for fact in played.facts],
        "complete": list(played.steps),
        "pending": [msgspec.to_builtins(question) for question in played.pending],
        "needs_dice": [{"roll": key, "dice": count} for key, count in played.needs_dice],
        "state": {name: msgspec.to_builtins(state) for name, state in played.warbands.items()},
    }


def _unused(scenario: Mapping[str, Any], played: Played, thrown: DiceSource) -> dict[str, Any]:
    """What the file says and nothing asked for: answers, fate and typed dice by key, and how many scripted dice."""
    asked, rolled = {question.key for question, _ in played.asked}, {roll.key for roll in played.rolls}
    found: dict[str, Any] = {}
    for part, used in (("answers", asked), ("fate", rolled), ("typed", rolled)):
        found[part] = [key for key in scenario.get(part) or {} if key not in used]
    scripted = thrown.otherwise if isinstance(thrown, RecordedDice) else thrown
    found["dice"] = len(scripted.faces) - scripted.used if isinstance(scripted, ScriptedDice) else 0
    return {part: left for part, left in found.items() if left}


# Shapes ---------------------------------------------------------------------------------------------


def _convert(content: Any, kind: type[Kind], where: str) -> Kind:
    _known(_mapping(content, where), set(kind.__struct_fields__), where)
    try:
        return msgspec.convert(content, kind)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at `$")
        raise InputError(f"{where}{path.rstrip('`')}", problem) from error


def _refuse_boundless(content: Any, key: str) -> None:
    """Nothing endless, no text that is none and, but for some keys, no numbers beyond all measure."""
    for parts, (value, depth) in enumerate(_walked(content)):
        if depth > DEEPEST or parts > MOST_PARTS:
            raise InputError(key, "is nested too deep or too large")
        if isinstance(value, str) and (len(value) > LONGEST or not _is_writable(value)):
            raise InputError(key, f"{value[:40]!r} is too long or no proper text")
        if isinstance(value, int | float) and key not in UNBOUNDED and not -LARGEST <= value <= LARGEST:
            raise InputError(key, "holds a number that is too large", f"up to {LARGEST}")
        if isinstance(value, float) and not isfinite(value):
            raise InputError(key, f"{value!r} is no number of a campaign")


def _walked(content: Any) -> Iterator[tuple[Any, int]]:
    """Everything inside, keys included, with its depth."""
    left = [(content, 0)]
    while left:
        value, depth = left.pop()
        yield value, depth
        if isinstance(value, dict):
            left += [(part, depth + 1) for pair in value.items() for part in pair]
        elif isinstance(value, list | tuple):
            left += [(part, depth + 1) for part in value]


def _is_writable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_id(key: Any, where: str) -> None:
    """Ids are parts of keys and answers, where `/` and `#` have a meaning."""
    if not isinstance(key, str) or not key or "/" in key or "#" in key:
        raise InputError(where, f"{key!r} is no id", "a text without / and #")


def _within(number: int, least: int, most: int, where: str) -> None:
    if not least <= number <= most:
        raise InputError(where, f"{number} is out of bounds", f"{least} to {most}")


def _text(content: Any, where: str) -> str:
    if not isinstance(content, str):
        raise InputError(where, f"{content!r} is no text")
    return content


def _known(content: Mapping[str, Any], keys: set[str], where: str) -> None:
    for key in content:
        _one_of(key, sorted(keys), where)


def _one_of(value: Any, allowed: Any, where: str) -> None:
    if value not in allowed:
        raise InputError(where, f"{value!r} is not known", ", ".join(map(str, allowed)))


def _taken(entry: dict[str, Any], key: str, where: str) -> list[Any]:
    """A list out of an entry, empty if there is none."""
    return _list(entry.pop(key, []), f"{where}.{key}")


def _mapping(content: Any, where: str) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise InputError(where, f"{content!r} is no mapping")
    return content


def _list(content: Any, where: str) -> list[Any]:
    if not isinstance(content, list | tuple):
        raise InputError(where, f"{content!r} is no list")
    return list(content)
