"""The armies of our own: complete, made by the written formula, and alike in strength when a warband is founded."""

import csv
import math
import re
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

import pytest

from rules.engine.expressions import PriceExpression
from rules.engine.pack.load import PACKS, data_files, load_packs, read_file, read_header
from rules.engine.pack.schema import ARMOUR, WEAPONS, Army, FighterType, Spell
from rules.engine.state import CHARACTERISTICS, DEVOTIONS, HENCHMEN, HERO, HIRELING, PROFILE, RATING, UPKEEP

ROOT = Path(__file__).resolve().parents[2]
PACK = PACKS / "starter-armies"
DOCUMENT = (ROOT / "docs" / "starter-armies.md").read_text(encoding="utf-8")
CODES = ["BH", "DL", "DE", "DH", "EoS", "HE", "HO", "ID", "KoE", "OK", "OnG", "SA", "SE", "UD", "VC", "VS", "WDG"]
SKILL_LISTS = {"Assassin", "Combat", "Strength", "Shooting", "Academic", "Speed", "Trickster"}
WARBANDS = 200

SUITS = ("Leather Armour", "Light Armour")
HOOVES = ("BH Centaurs", "DL Hellhounds", "ID Taurukh Enforcers", "VC Dire Wolves")
NATURAL_ARMOUR = ("SA Tegu Warriors", "SA Caiman Warriors", "UD Shabtis", "WDG Fallen")
LEAVE_A_STEP = ("Dis", "Def", "Att", "Off", "Agi", "BS")


def table(*columns: str) -> list[list[str]]:
    """The rows of the table in the document that has these columns."""
    _, found, rest = DOCUMENT.partition("| " + " | ".join(columns) + " |\n|")
    assert found, columns
    rows = rest.split("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def csv_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


FILES = [read_file(path) for path in data_files(PACK)]
ARMIES = {army.code: army for part in FILES for army in part.armies}
HIRELINGS = [entry for part in FILES for entry in part.hirelings]
SPELLS = [entry for part in FILES for entry in part.spells]
FIGHTERS = [entry for army in ARMIES.values() for entry in army.fighters]

RULEBOOK = load_packs([PACKS / "t9a-sc"])
ITEMS, RULES, MAXIMA = RULEBOOK.items, RULEBOOK.rules, RULEBOOK.maxima
ROWS = {
    f"{row['army']} {row['entry']}": row
    for row in csv_rows(ROOT / "docs" / "sources" / "essence-of-war-profiles.csv")
    if row["part"] == "base"
}

ORDINARY = {
    species: dict(zip(("Str", "Res", "Agi", "Adv", "Mar"), map(int, values), strict=True))
    for species, *values in table("Species", "Str", "Res", "Agi", "Adv", "Mar")
}
WEIGHTS = {name: (int(start), float(each)) for name, start, each in table("Characteristic", "From", "Points each")}
RULE_POINTS = {rule: int(points) for rule, points in table("Rule", "Points")}
EXTRA = {what: int(points) for what, points in table("It", "Points")}
MAPPED = dict(table("Essence of War", "Here"))

each_army = pytest.mark.parametrize("army", ARMIES.values(), ids=list(ARMIES))
each_fighter = pytest.mark.parametrize("entry", FIGHTERS, ids=lambda entry: entry.name)
each_hireling = pytest.mark.parametrize("entry", HIRELINGS, ids=lambda entry: entry.name)
everybody = pytest.mark.parametrize("entry", FIGHTERS + HIRELINGS, ids=lambda entry: entry.name)


# What is there


def test_the_pack_says_that_it_is_ours() -> None:
    header = read_header(PACK)
    assert header.ours
    assert header.requires == ("t9a-sc",)
    assert "own" in header.text


def test_the_armies_of_essence_of_war_and_the_holy_orders() -> None:
    assert sorted(ARMIES) == sorted(CODES)
    assert all(RULEBOOK.army_names[army.code] == army.name for army in ARMIES.values())
    assert {row.split()[0] for row in ROWS} == set(CODES) - {"HO"}
    for path in (PACK / "armies").glob("*.yaml"):
        assert [army.code for army in read_file(path).armies] == [path.stem]


def test_no_name_is_used_twice() -> None:
    """Types are looked up by name, across armies and hirelings."""
    names = Counter(entry.name for entry in FIGHTERS + HIRELINGS)
    assert [name for name, times in names.items() if times > 1] == []


def test_lines_of_the_files_are_short() -> None:
    for path in PACK.rglob("*.yaml"):
        assert max(map(len, path.read_text(encoding="utf-8").splitlines())) <= 120, path.name


@each_army
def test_an_army_has_a_leader_heroes_and_henchmen(army: Army) -> None:
    heroes = [entry for entry in army.fighters if entry.kind == HERO]
    for_sale = [entry for entry in army.fighters if entry.kind == HENCHMEN and not entry.found_only]
    leaders = [entry for entry in heroes if entry.leader]
    assert [(entry.least, entry.most, entry.starting_experience) for entry in leaders] == [(1, 1, 8)]
    assert len(heroes) >= 3
    assert any(entry.paths for entry in heroes if not entry.leader)
    assert len(for_sale) >= 3
    assert sum(entry.most for entry in heroes) <= army.most_heroes
    assert 12 <= army.largest <= 16
    assert army.starting_points == 500


@each_army
def test_an_army_is_marked_as_ours_and_named(army: Army) -> None:
    assert "Our own" in army.text
    assert len(set(army.names)) == len(army.names) >= 16
    assert len(set(army.warband_names)) == len(army.warband_names) >= 8


def test_what_tables_of_the_rulebook_name_exists() -> None:
    by_name = {entry.name: entry for entry in FIGHTERS + HIRELINGS}
    for name, code in (("Zombie", "VC"), ("Human Slave", "ID")):
        assert by_name[name] in ARMIES[code].fighters
        assert by_name[name].found_only
        assert "Never Learns" in by_name[name].rules
    assert "Undead" in by_name["Zombie"].rules
    assert by_name["Pit Brawler"].equipment == ("Axe", "Axe")


@everybody
def test_a_type_is_well_formed(entry: FighterType) -> None:
    assert list(entry.profile) == list(PROFILE)
    assert entry.text
    assert len(entry.text) <= 120
    assert entry.section
    assert 0 <= entry.least <= entry.most
    assert 1 <= entry.group <= (7 if entry.found_only else 5)
    assert entry.group == 1 or entry.kind == HENCHMEN
    if entry.large:
        assert entry.group <= 2
        assert {"Towering Presence", "Unusual Shape", "May not Ride"} <= set(entry.rules)
    if entry.kind == HENCHMEN:
        assert entry.skill_lists == entry.mounts == entry.paths == ()
        assert entry.starting_experience == 0
    else:
        assert 2 <= len(entry.skill_lists) <= 4
        assert set(entry.skill_lists) <= SKILL_LISTS
        assert entry.starting_experience <= 8


@everybody
def test_its_rules_items_and_skills_exist(entry: FighterType) -> None:
    for rule in entry.rules:
        name, bracket, _ = rule.partition(" (")
        assert bool(bracket) == bool(RULES[name].parameter) or name in ("Wizard", "Priest", "Frenzy")
    assert all(ITEMS[item].category in WEAPONS for item in entry.weapons)
    assert all(ITEMS[item].category in ARMOUR for item in entry.armour)
    assert all(ITEMS[item].category == "mount" for item in entry.mounts)
    assert set(entry.equipment) <= set(ITEMS)
    assert set(entry.skills) <= set(RULEBOOK.skills)
    assert not (entry.mounts and "May not Ride" in entry.rules)
    assert not ("Unarmed" in entry.rules and entry.weapons + entry.armour)


@everybody
def test_its_species_allows_the_profile(entry: FighterType) -> None:
    maxima = MAXIMA[entry.species]
    assert entry.profile["HP"] == maxima["HP"] - 3
    for name, most in maxima.items():
        assert entry.profile[name] <= (max(most - 1, 0) if name in LEAVE_A_STEP else most), name
    assert all(value >= 0 for value in entry.profile.values())
    assert min(entry.profile["Att"], entry.profile["Agi"]) >= 1


@everybody
def test_a_caster_has_paths_and_one_spell(entry: FighterType) -> None:
    is_caster = bool({"Wizard", "Priest"} & set(entry.rules))
    assert bool(entry.paths) == is_caster
    assert entry.spells == int(is_caster)
    assert set(entry.paths) <= {spell.path for spell in SPELLS}


@each_fighter
def test_unconfirmed_paths_are_noted(entry: FighterType) -> None:
    if not entry.paths or "Priest" in entry.rules:
        return
    confirmed = {path for row in own_paths(entry) for path in row.split("|")[0].split(";")}
    for path in set(entry.paths) - confirmed:
        assert "unconfirmed" in entry.ruling
        assert path in entry.ruling


@each_fighter
def test_paths_are_the_recommended_ones(entry: FighterType) -> None:
    if not entry.paths or "Priest" in entry.rules:
        return
    recommended = {
        re.sub(r" \(.*", "", path) for row in own_paths(entry) for path in row.split("|")[1].split(";") if path
    }
    assert set(entry.paths) == recommended


def own_paths(entry: FighterType) -> list[str]:
    """`confirmed|recommended` of the row, of the Anurarch for the skink, of the smith's option for the smith."""
    row = "SA Anurarch Archmage" if entry.name == "Skink Oracle" else source(entry)
    if entry.name == "Runic Smith":
        return ["Battle Runes|Battle Runes"]
    return [ROWS[row]["paths"]]


# Where a profile comes from


def source(entry: FighterType) -> str:
    return entry.section.removeprefix("Essence of War, ")


def profile_after(entry: FighterType) -> dict[str, int]:
    """The steps of the document, from the printed row to the fighter."""
    row, ordinary, maxima = ROWS[source(entry)], ORDINARY[entry.species], MAXIMA[entry.species]
    printed = {name: int(row[name.lower()]) for name in CHARACTERISTICS if name != "BS"}
    profile = dict(printed) | {"HP": maxima["HP"] - 3, "Arm": 0, "Att": math.ceil(printed["Att"] / 2)}
    if on_horseback(entry):
        profile |= {"Adv": ordinary["Adv"], "Mar": ordinary["Mar"]}
    if row["category"] != "Core":
        floors = {"Def": 3, "Off": 3, "Res": ordinary["Res"], "Agi": ordinary["Agi"]}
        profile |= {name: max(printed[name] - 1, min(printed[name], floor)) for name, floor in floors.items()}
    if printed["Agi"] == 0:
        profile["Agi"] = ordinary["Agi"] + (row["category"] == "Character")
    profile["Str"] = min(printed["Str"], ordinary["Str"])
    profile["AP"] = max(0, min(printed["AP"], profile["Str"] - 3))
    if source(entry) in NATURAL_ARMOUR:
        profile["Arm"] = printed["Arm"] // 2
    profile["BS"] = 7 - int(row["aim"][0]) if row["aim"] else 0 if {"Undead", "Unarmed"} & set(entry.rules) else 2
    if entry.kind == HERO and row["category"] != "Character" and entry.starting_experience == 4:
        profile["Off"] += 1
    return profile


def within_species(profile: dict[str, int], species: str) -> dict[str, int]:
    tops = {name: max(most - 1, 0) if name in LEAVE_A_STEP else most for name, most in MAXIMA[species].items()}
    return {name: min(value, tops.get(name, value)) for name, value in profile.items()}


def on_horseback(entry: FighterType) -> bool:
    return ROWS[source(entry)]["base"] == "25x50" and source(entry) not in HOOVES


@each_fighter
def test_a_profile_follows_from_its_row(entry: FighterType) -> None:
    before = profile_after(entry)
    after = within_species(before, entry.species)
    assert {name: entry.profile[name] for name in CHARACTERISTICS} == after
    for name in CHARACTERISTICS:
        assert before[name] == after[name] or name in entry.ruling


@each_fighter
def test_rows_are_of_the_army_and_of_ordinary_size(entry: FighterType) -> None:
    army = next(army for army in ARMIES.values() if entry in army.fighters)
    assert source(entry).split()[0] == army.code or army.code == "HO"
    assert ROWS[source(entry)]["category"] in ("Character", "Core", "Special")
    assert ROWS[source(entry)]["base"] in ("20x20", "25x25", "25x50", "40x40")
    assert entry.large == (ROWS[source(entry)]["base"] == "40x40")


@each_fighter
def test_rules_of_the_row_are_kept_or_dropped_as_written(entry: FighterType) -> None:
    row = ROWS[source(entry)]
    printed = [re.sub(r" \(.*", "", rule) for rule in row["rules"].split(";") if rule]
    expected = {MAPPED[rule] for rule in printed} - {"dropped"}
    if row["aeg"]:
        expected.add(f"Aegis ({row['aeg']})")
    if on_horseback(entry):
        expected -= {"Swiftstride", "Devastating Charge", "Vanguard (6)"}
    if {"Undead", "Supernal", "Unbreakable"} & set(entry.rules):
        expected.discard("Fearless")
    if "Priest" in entry.rules:
        expected.discard("Wizard")
    kept = {"Devastating Charge" if rule.startswith("Devastating") else rule for rule in entry.rules}
    assert expected <= kept


# What a fighter costs


def half_up(number: float) -> int:
    return math.floor(number + 0.5)


def value(entry: FighterType) -> float:
    points = 20 + sum((entry.profile[name] - start) * each for name, (start, each) in WEIGHTS.items())
    points += sum(RULE_POINTS[rule] for rule in entry.rules)
    points = max(points, 5)
    points += EXTRA["is a hero or a hireling"] * (entry.kind != HENCHMEN)
    return points + EXTRA["is a leader"] * entry.leader + EXTRA["starts with a skill"] * len(entry.skills)


def market_price(item: str) -> int:
    return PriceExpression.parse(ITEMS[item].price).at(0)


def test_the_document_names_the_exceptions() -> None:
    for row in HOOVES + NATURAL_ARMOUR:
        assert row.partition(" ")[2] in DOCUMENT


def test_the_formula_weighs_every_characteristic() -> None:
    assert tuple(WEIGHTS) == CHARACTERISTICS
    assert set(ORDINARY) == set(MAXIMA)
    assert set(RULE_POINTS) == {rule for entry in FIGHTERS + HIRELINGS for rule in entry.rules}


@each_fighter
def test_price_rating_and_upkeep_follow_the_formula(entry: FighterType) -> None:
    worth = value(entry)
    assert entry.price == half_up(worth + entry.starting_experience)
    assert entry.profile[RATING] == max(1, half_up(worth / 5))
    assert entry.profile[UPKEEP] == max(1, half_up(worth / 9))


def test_the_example_of_the_document_is_right() -> None:
    marshal = next(entry for entry in FIGHTERS if entry.name == "Marshal")
    parts = dict(table("Part", "Points"))
    assert int(parts.pop("**value**")) == sum(map(int, parts.values())) == value(marshal)
    assert f"= {marshal.price}; rating" in DOCUMENT
    assert f"so {marshal.profile[RATING]}; upkeep" in DOCUMENT
    assert f"so {marshal.profile[UPKEEP]}." in DOCUMENT


# Hirelings and spells


def test_there_are_enough_hirelings() -> None:
    assert len(HIRELINGS) >= 10


@each_hireling
def test_a_hireling_comes_equipped_and_is_dear_to_keep(entry: FighterType) -> None:
    worth = value(entry)
    assert entry.kind == HIRELING
    assert entry.price == half_up(worth + entry.starting_experience + sum(map(market_price, entry.equipment)) / 2)
    assert entry.profile[RATING] == max(1, half_up(worth / 5))
    assert entry.profile[UPKEEP] == min(15, max(8, half_up(worth / 4)))
    assert entry.army in RULEBOOK.relations
    assert entry.devotion in DEVOTIONS
    assert 1 <= entry.rarity <= 14
    assert set(entry.hirers) <= set(CODES)
    assert entry.equipment
    usable = (*entry.weapons, *entry.armour, *entry.mounts)
    assert all(item in usable or ITEMS[item].category in ("misc", "drug") for item in entry.equipment)


def test_the_spells_are_those_of_the_grimoire() -> None:
    grimoire = csv_rows(ROOT / "docs" / "sources" / "essence-of-war-spells.csv")
    printed = [row for row in grimoire if row["number"]]
    expected = [(row["path"], int(row["number"]), row["name"], row["casting_value"]) for row in printed]
    assert [(spell.path, spell.number, spell.name, spell.casting) for spell in SPELLS] == expected
    assert Counter(spell.path for spell in SPELLS) == dict.fromkeys([spell.path for spell in SPELLS], 3)
    assert len(SPELLS) == 33


@pytest.mark.parametrize("spell", SPELLS, ids=lambda spell: spell.name)
def test_a_spell_is_complete(spell: Spell) -> None:
    assert spell.text
    assert spell.range
    assert spell.duration in ("Instant", "One Turn")
    words = {"Augment", "Aura", "Damage", "Hex", "Missile", "Universal"}
    assert set(re.findall(r"[A-Z]\w+", spell.type)) <= words


# Random starting warbands


class Founded(NamedTuple):
    models: int
    rating: int
    upkeep: int
    spent: int


def kit(entry: FighterType, random: Random) -> list[str]:
    """A weapon, sometimes a bow for those who can shoot, sometimes armour; nothing that is rare or for riders."""
    common = [ITEMS[name] for name in entry.weapons if not ITEMS[name].rarity and not ITEMS[name].only_mounted]
    close = [item.name for item in common if item.category == "close_combat"]
    ranged = [item.name for item in common if item.category == "shooting"]
    carried = [random.choice(close)] if close else []
    if ranged and random.random() < (0.8 if entry.profile["BS"] >= 3 else 0.15):
        carried.append(random.choice(ranged))
    suits = [suit for suit in SUITS if suit in entry.armour]
    if suits and random.random() < 0.5:
        carried += [random.choice(suits)] * (2 if entry.large else 1)
    if "Shield" in entry.armour and random.random() < 0.3:
        carried.append("Shield")
    return carried


def found(army: Army, random: Random) -> Founded:
    """The leader, then anybody who fits, until nothing affordable was found a dozen times."""
    treasury, models, rating, upkeep, misses = army.starting_points, 0, 0, 0, 0
    hired: Counter[str] = Counter()
    others = [entry for entry in army.fighters if not entry.found_only and not entry.leader]
    entry = next(entry for entry in army.fighters if entry.leader)
    while misses < 12 and models < army.largest:
        room = min(army.largest - models, entry.most - hired[entry.name], entry.group)
        count = random.randint(1, room) if room > 0 else 0
        price = count * (entry.price + sum(map(market_price, kit(entry, random))))
        if count and price <= treasury:
            treasury -= price
            models += count
            hired[entry.name] += count
            rating += count * (entry.profile[RATING] + entry.starting_experience)
            upkeep += count * entry.profile[UPKEEP]
        else:
            misses += 1
        entry = random.choices(others, [1 if other.kind == HERO else 2 for other in others])[0]
    assert treasury >= 0
    assert all(hired[other.name] >= other.least for other in army.fighters)
    return Founded(models, rating, upkeep, army.starting_points - treasury)


@cache
def many(code: str) -> list[Founded]:
    return [found(ARMIES[code], Random(f"{code} {number}")) for number in range(WARBANDS)]


@each_army
def test_most_starting_warbands_have_seven_to_fourteen_models(army: Army) -> None:
    sizes = [warband.models for warband in many(army.code)]
    assert sum(7 <= size <= 14 for size in sizes) >= 0.85 * WARBANDS
    assert 7 <= median(sizes) <= 13
    assert min(sizes) >= army.smallest


@each_army
def test_upkeep_leaves_something_of_the_income(army: Army) -> None:
    """Income is 60 to 120 points a game."""
    assert 25 <= median(warband.upkeep for warband in many(army.code)) <= 45


def test_armies_start_about_equally_strong() -> None:
    ratings = [median(warband.rating for warband in many(code)) for code in ARMIES]
    assert max(ratings) <= 1.4 * min(ratings)


def test_nineteen_of_twenty_starting_warbands_have_seven_to_fourteen_models() -> None:
    sizes = [warband.models for code in ARMIES for warband in many(code)]
    assert sum(7 <= size <= 14 for size in sizes) >= 0.95 * len(sizes)
