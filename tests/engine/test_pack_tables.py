"""The tables of `t9a-sc` against a second, independent transcription of the rulebook."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from rules.engine.expressions import DiceExpression
from rules.engine.pack import effects as fx
from rules.engine.pack.load import PACKS, read_file, read_header
from rules.engine.pack.schema import AdvanceRow, Band, Entry, ExplorationResult, Files, InjuryRow

PACK = PACKS / "t9a-sc"
GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "transcription"

WORDS = {
    "Adv": "Advance Rate", "Mar": "March Rate", "Dis": "Discipline", "HP": "Health Points", "Def": "Defensive Skill",
    "Res": "Resilience", "Att": "Attack Value", "Off": "Offensive Skill", "Str": "Strength",
    "AP": "Armour Penetration", "Agi": "Agility", "BS": "Ballistic Skill", "Rat": "Rating",
}  # fmt: skip

ACHIEVEMENTS = {
    "Sole victory": "sole winner of the battle",
    "Allied victory": "win in an Alliance",
    "Victory at a price": "win with 25% or less of own models left",
    "Giant-slayer": "enemy Large model Out of Action",
    "Head of the snake": "enemy Leader Out of Action",
    "Spell-breaker": "enemy Wizard or Priest Out of Action",
    "From above": "successful Diving Charge",
    "Steadfast": "Rout Check passed",
    "Sharpshooter": "enemy model Out of Action by Ranged Attack",
}

RELATIONS = read_file(PACK / "relations.yaml")
TABLES = read_file(PACK / "tables.yaml")
INJURIES = read_file(PACK / "injuries.yaml")
ADVANCEMENT = read_file(PACK / "advancement.yaml")
EXPLORATION = read_file(PACK / "exploration.yaml")
ALL = (RELATIONS, TABLES, INJURIES, ADVANCEMENT, EXPLORATION)

ADVANCES = [
    pytest.param(row, table, id=f"{table}-{row.low}")
    for table, rows in (("henchmen", ADVANCEMENT.advancement_lower), ("hero", ADVANCEMENT.advancement_higher))
    for row in rows
]


def golden(name: str) -> list[dict[str, str]]:
    with (GOLDEN / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def effect_of(name: str, key: str, value: object) -> str:
    """The transcribed effect of the row with this value in the key column."""
    return next(row["effect"] for row in golden(name) if row[key] == str(value))


def within(thing: Any) -> Iterator[Any]:
    """A structure and all structures inside it."""
    if isinstance(thing, Struct):
        yield thing
        for name in thing.__struct_fields__:
            yield from within(getattr(thing, name))
    elif isinstance(thing, tuple | list):
        for part in thing:
            yield from within(part)
    elif isinstance(thing, dict):
        yield from within(list(thing.values()))


def all_of(kind: type[Any], thing: Any) -> list[Any]:
    return [part for part in within(thing) if isinstance(part, kind)]


def found(thing: fx.Found) -> str:
    amount = () if thing.amount == "1" else (thing.amount,)
    return " ".join((*amount, *thing.upgrades, thing.item))


def in_words(effect: Any) -> str:
    """An effect in the words of the transcription."""
    match effect:
        case fx.Points(amount=amount):
            return f"{amount} pts"
        case fx.Items(items=items):
            return " + ".join(map(found, items))
        case fx.RarityModifier(modifier=modifier):
            return f"next Rarity Roll +{modifier}"
        case fx.Again(reroll=(first, *_, last)):
            return f"roll again on this table, repeatedly rerolling {first}-{last}"
    raise AssertionError(effect)


def subrolls(result: ExplorationResult) -> Iterator[tuple[str, ...]]:
    for effect in result.effects:
        if isinstance(effect, fx.SubTable):
            for row in effect.rows:
                text = " + ".join(map(in_words, row.effects))
                yield result.faces, "D6", str(row.low), str(row.high), text
        elif isinstance(effect, fx.Search):
            for thing in effect.items:
                yield result.faces, "D6", str(thing.needed), "6", found(thing)


def changes(effect: fx.Characteristic) -> list[str]:
    return [
        f"{WORDS[name]} {amount:+d}" + (f" (min {effect.minimum[name]})" if name in effect.minimum else "")
        for name, amount in effect.changes.items()
    ]


def option_in_words(effects: Sequence[Any]) -> str:
    match effects:
        case [fx.GainSkill(skill="")]:
            return "Skill"
        case [fx.Characteristic() as effect]:
            separator = ", " if "Rat" in effect.changes else " and "
            return separator.join(changes(effect))
        case [fx.Promote()]:
            return "one model becomes a Hero"
    raise AssertionError(effects)


def bands(rows: Iterable[Band]) -> list[list[str]]:
    return [["" if value is None else str(value) for value in (row.low, row.high, row.value)] for row in rows]


def test_header() -> None:
    header = read_header(PACK)
    assert (header.id, header.version, header.ours) == ("t9a-sc", "0.9.97", False)


def test_relations() -> None:
    assert RELATIONS.relations == {row.pop("army"): row for row in golden("relations")}


def test_relations_are_mutual_and_trust_their_own() -> None:
    table = RELATIONS.relations
    assert all(table[one][other] == table[other][one] for one in table for other in table)
    assert {table[army][army] for army in table} == {"T"}


def test_every_army_of_the_relations_has_a_name() -> None:
    assert list(RELATIONS.army_names) == list(RELATIONS.relations)


def test_devotion() -> None:
    ours = {
        name.capitalize(): [row.fate_rerolls, str(row.exploration_dice), str(row.relation)]
        for name, row in TABLES.devotion.items()
    }
    theirs = {
        row["devotion"]: [row["fate_rerolls"], row["exploration_dice"], row["relation_modifier"]]
        for row in golden("devotion")
    }
    assert ours == theirs


def test_underdog() -> None:
    assert bands(TABLES.underdog) == [list(row.values()) for row in golden("underdog")]


def test_income() -> None:
    assert bands(TABLES.income) == [list(row.values()) for row in golden("income")]


@pytest.mark.parametrize("table", [TABLES.underdog, TABLES.income], ids=["underdog", "income"])
def test_bands_leave_no_gap(table: tuple[Band, ...]) -> None:
    assert (table[0].low, table[-1].high) == (None, None)
    for row, following in pairwise(table):
        assert row.high is not None
        assert following.low == row.high + 1


def test_maxima() -> None:
    theirs = {row.pop("species"): {key: int(value) for key, value in row.items()} for row in golden("maxima")}
    assert TABLES.maxima == theirs


def test_victory_points() -> None:
    theirs = {row["key"]: int(row["points"]) for row in golden("victory_points") if row["kind"] == "achievement"}
    assert {ACHIEVEMENTS[row.name]: row.points for row in TABLES.achievements} == theirs


def test_scenarios() -> None:
    ours = [{"players": row.players, "roll": str(row.roll), "name": row.name} for row in TABLES.scenarios]
    assert ours == golden("scenarios")


def test_city_map() -> None:
    def in_short(effect: Any) -> str:
        match effect:
            case fx.Lasting(name="pre_game_rating", value=value):
                return f"{value:+d} Warband Rating*"
            case fx.Lasting(name="next_exploration_dice", value=value):
                return f"{abs(value)} {'extra' if value > 0 else 'fewer'} Exploration D6"
            case fx.Lasting(name="next_exploration_raise", value=value):
                return f"one Exploration D6 may be modified by {value:+d}"
            case fx.Lasting(name="choose_scenario"):
                return "owner picks the Common Scenario (void if several players get this)"
        raise AssertionError(effect)

    ours = "; ".join(
        f"{row.low}{'' if row.low == row.high else f'-{row.high}'} {row.name}: " + ", ".join(map(in_short, row.effects))
        for row in TABLES.city_map
    )
    assert next(row for row in golden("misc") if row["name"] == "City Map")["effect_terse"].startswith(f"D6: {ours}.")


@pytest.mark.parametrize(
    ("table", "name"), [(INJURIES.injury_lower, "injury_lower"), (INJURIES.injury_higher, "injury_higher")]
)
def test_injury_rows(table: tuple[InjuryRow, ...], name: str) -> None:
    ours = [(str(row.low), str(row.high), row.name) for row in table]
    assert ours == [(row["roll_low"], row["roll_high"], row["name"]) for row in golden(name)]


def test_injury_tables_cover_their_dice() -> None:
    covered = [face for row in INJURIES.injury_lower for face in range(row.low, row.high + 1)]
    assert covered == [1, 2, 3, 4, 5, 6]
    for number in (10 * tens + ones for tens in range(1, 7) for ones in range(1, 7)):
        assert len([row for row in INJURIES.injury_higher if row.low <= number <= row.high]) == 1


@pytest.mark.parametrize("row", INJURIES.injury_higher, ids=lambda row: row.name)
def test_injury_effects(row: InjuryRow) -> None:
    """Every number and rule of ours stands in the transcribed effect, and no change on the profile is missing."""
    theirs = effect_of("injury_higher", "roll_low", row.low)
    ours = [change for effect in all_of(fx.Characteristic, row) for change in changes(effect)]
    named = "|".join(word for key, word in WORDS.items() if key != "Rat")
    assert sorted(ours) == sorted(re.findall(rf"(?:{named}) [+-]\d+(?: \(min \d+\))?", theirs))
    for part in all_of(fx.Row, row):
        assert f"{part.low}-{part.high}: " in theirs
    for rule in all_of(fx.GainRule, row):
        assert rule.rule + (f" ({rule.value})" if rule.value else "") in theirs
    for gain in all_of(fx.GainExperience, row):
        assert f"Experience +{gain.amount}" in theirs
    for reward in all_of(fx.Points, row):
        assert f"+{reward.amount} pts" in theirs


def test_hatreds_from_injuries() -> None:
    ours = {row.low: effect.against for row in INJURIES.injury_higher for effect in all_of(fx.GainRule, row)}
    assert [ours[low] for low in (62, 63, 64)] == ["fighter", "warband", "species"]


def test_multiple_injuries_reroll_rows_that_exist() -> None:
    (multiple,) = all_of(fx.Multiple, INJURIES.injury_higher)
    theirs = effect_of("injury_higher", "roll_low", 16)
    ranges = {
        row.name: f"{row.name} ({row.low if row.low == row.high else f'{row.low}-{row.high}'})"
        for row in INJURIES.injury_higher
    }
    assert f"roll {multiple.rolls} more times" in theirs
    rerolled = re.findall(r"[A-Z][A-Za-z ]+ \([\d-]+\)", theirs)
    assert {ranges[name] for name in multiple.reroll} == set(rerolled)


@pytest.mark.parametrize(("row", "table"), ADVANCES)
def test_advancement(row: AdvanceRow, table: str) -> None:
    transcribed = next(entry for entry in golden(f"advancement_{table}") if entry["low"] == str(row.low))
    assert transcribed["high"] == str(row.high)
    theirs = re.sub(r" \(not with BS 0[^)]*\)", "", transcribed["effect"]).partition(";")[0]
    options = " | ".join(option_in_words(option.effects) for option in row.options)
    ours = f"choose: {options}" if len(row.options) > 1 else options
    assert theirs.startswith(ours) if "Hero" in ours else theirs == ours
    assert {option.once for option in row.options} == {"once per group" in transcribed["effect"]}


@pytest.mark.parametrize("table", ["advancement_lower", "advancement_higher"])
def test_advancement_covers_two_dice(table: str) -> None:
    rows: tuple[AdvanceRow, ...] = getattr(ADVANCEMENT, table)
    assert [total for row in rows for total in range(row.low, row.high + 1)] == list(range(2, 13))


def test_advancement_rows_are_all_transcribed() -> None:
    assert len(ADVANCEMENT.advancement_lower) == len(golden("advancement_henchmen"))
    assert len(ADVANCEMENT.advancement_higher) == len(golden("advancement_hero"))


def test_exploration_results() -> None:
    ours = [(row.faces, row.name) for row in EXPLORATION.exploration]
    assert ours == [(row["faces"], row["name"]) for row in golden("exploration")]
    assert [row.faces for row in EXPLORATION.exploration] == [
        str(face) * many for many in range(2, 7) for face in range(1, 7)
    ]


def test_exploration_subrolls() -> None:
    ours = [row for result in EXPLORATION.exploration for row in subrolls(result)]
    assert ours == [tuple(row.values()) for row in golden("exploration_subrolls")]


@pytest.mark.parametrize("result", EXPLORATION.exploration, ids=lambda result: result.faces)
def test_exploration_numbers(result: ExplorationResult) -> None:
    """Points, experience, group sizes and dice to pick from are those of the transcribed effect."""
    theirs = effect_of("exploration", "faces", result.faces)
    points = {effect.amount for effect in all_of(fx.Points, result)}
    assert points == set(re.findall(r"((?:\d*D6(?:x\d+)?)|\d+) pts", theirs))
    raised = [f"{effect.models} {effect.type}" for effect in all_of(fx.Raise, result)]
    groups = re.findall(r"Henchmen Group of (\S+ (?:Zombie|Human Slave))", theirs)
    assert sorted(raised) == sorted(groups)
    picked = any(table.dice == 2 for table in all_of(fx.SubTable, result))
    assert picked == ("roll 2 D6, apply one of them" in theirs)
    optional = any(effect.optional for effect in all_of(fx.Choose, result) + all_of(fx.ChooseHero, result))
    assert optional == ("optional" in theirs or " may also add" in theirs or "may loot" in theirs)


@pytest.mark.parametrize(
    ("faces", "words", "effect"),
    [
        ("22", "next Rarity Roll +D3", fx.RarityModifier(
            modifier="D3",
            on=(fx.OnFaces(faces=(1,), effects=(fx.Items(items=(fx.Found(item="Lucky Charm"),)),)),),
        )),
        ("55", "interrogate (not Chaotic) = +1 D6 in next Exploration Roll",
            fx.Lasting(name="next_exploration_dice", value=1)),
        ("55", "sacrifice (Chaotic only) = Leader Experience +1", fx.GainExperience(amount="1", who="leader")),
        ("111", "counts as having used Barrel of Booze in the next game",
            fx.Lasting(name="counts_as_booze", cumulative=False)),
        ("666", "one Hireling at half Cost and half Rarity", fx.HalfPrice(what="hireling")),
        ("2222", "one Mount at half Cost and half Rarity",
            fx.HalfPrice(what="mount", otherwise=(fx.Points(amount="3D6"),))),
        ("3333", "next Rarity Roll Maximised twice", fx.RarityModifier(maximised=2)),
        ("5555", "HO: D6 Experience spread evenly over its Heroes", fx.GainExperience(amount="D6", who="heroes")),
        ("6666", "Leader gains Hunch", fx.GainSkill(skill="Hunch", who="leader")),
        ("11111", "1 Crimson Shadow", fx.Items(items=(fx.Found(item="Crimson Shadow"),))),
        ("22222", "one chosen Hero gains access to Academic Skills", fx.OpenSkillList(skill_list="Academic")),
        ("33333", "permanent: all Rarity Rolls +1", fx.RarityModifier(modifier="1", lasting=True)),
        ("44444", "double on the 2D6: also icon of the Freetrade Organization",
            fx.OnFaces(double=True, effects=(fx.Items(items=(fx.Found(item="Freetrade Icon"),)),))),
        ("66666", "one D6 of the roll may be changed by up to 2",
            fx.Lasting(name="catacombs", value=2, cumulative=False)),
        ("111111", "if that D6 is 6, one chosen Hero is Vanquished", fx.OnFaces(
            faces=(6,), effects=(fx.ChooseHero(topic="lost_in_the_pit", effects=(fx.Vanquish(),)),),
        )),
        ("555555", "Maximum Offensive Skill +1, Maximum Defensive Skill +1", fx.Maximum(changes={"Off": 1, "Def": 1})),
        ("555555", "access to Combat Skills", fx.OpenSkillList(skill_list="Combat")),
        ("666666", "2 Silk Clothes", fx.Items(items=(fx.Found(item="Silk Clothes", amount="2"),))),
    ],
)  # fmt: skip
def test_exploration_effects(faces: str, words: str, effect: Any) -> None:
    result = next(row for row in EXPLORATION.exploration if row.faces == faces)
    assert words in effect_of("exploration", "faces", faces)
    assert effect in list(within(result))


def test_tavern_test_is_passed_by_armies_that_do_not_drink() -> None:
    (tavern,) = [row for row in EXPLORATION.exploration if row.faces == "111"]
    (test,) = all_of(fx.Test, tavern)
    assert f"{', '.join(test.passes)} pass automatically" in effect_of("exploration", "faces", "111")


def test_straggler_ways_are_limited() -> None:
    (straggler,) = [row for row in EXPLORATION.exploration if row.faces == "55"]
    limits = {way.key: (way.armies, way.chaotic) for way in all_of(fx.Way, straggler)}
    assert limits == {
        "sell": ((), None),
        "interrogate": ((), False),
        "sacrifice": ((), True),
        "resurrect": (("VC",), None),
        "shackle": (("ID",), None),
    }


def test_subtables_cover_a_die() -> None:
    for table in all_of(fx.SubTable, ALL):
        assert [face for row in table.rows for face in range(row.low, row.high + 1)] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("files", ALL, ids=["relations", "tables", "injuries", "advancement", "exploration"])
def test_amounts_are_dice_expressions(files: Files) -> None:
    for part in within(files):
        for name in ("amount", "models", "modifier", "phases", "rolls", "fate_rerolls"):
            if hasattr(part, name):
                DiceExpression.parse(getattr(part, name))


def test_armies_named_by_effects_exist() -> None:
    named = {army for part in within(EXPLORATION) for army in getattr(part, "armies", ())}
    assert {"HO", "VC", "ID"} <= named <= set(RELATIONS.relations)


def test_every_entry_names_its_section() -> None:
    for entry in all_of(Entry, ALL):
        assert re.fullmatch(r"\d+(\.\d+)+", entry.section), entry.name
