"""Items, upgrades, mounts, skills and model rules of `t9a-sc` against a second, independent transcription."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from rules.engine.expressions import PriceExpression
from rules.engine.pack import effects as fx
from rules.engine.pack.load import PACKS, read_file
from rules.engine.pack.schema import ARMOUR, WEAPONS, Bonus, Item, ModelRule, Skill, Upgrade
from rules.engine.state import PROFILE

PACK = PACKS / "t9a-sc"
GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "transcription"

ITEMS: dict[str, Item] = {row.name: row for row in read_file(PACK / "items.yaml").items}
MOUNTS: dict[str, Item] = {row.name: row for row in read_file(PACK / "mounts.yaml").items}
UPGRADES: dict[str, Upgrade] = {row.name: row for row in read_file(PACK / "upgrades.yaml").upgrades}
SKILLS: dict[str, Skill] = {row.name: row for row in read_file(PACK / "skills.yaml").skills}
RULES: dict[str, ModelRule] = {row.name: row for row in read_file(PACK / "rules.yaml").rules}

SAME = {"Liquor Flash": "Liquor Flask"}
FOUND_ONLY = {"Freetrade Icon", "Fey Cloak", "Holy Tome"}
MOUNTS_ONLY = {"Prized Stallion", "Wall Crawler"}

MECHANISMS = {
    "city_map", "tarot", "dowser", "healing_herb", "silk_clothes", "barrel_of_booze", "liquor", "garlic", "torch",
    "tome", "explorer", "haggle", "espionage", "streetwise", "master_of_poison", "well_connected", "hunch",
    "tactician", "warrior_wizard", "arcane_lore", "unyielding", "ignores_limited_motions",
    "never_learns", "slow_learner", "wanderer", "regeneration", "supernal", "undead", "not_a_leader", "unarmed",
    "may_not_ride", "unusual_shape", "weapon_master", "hatred", "wizard", "priest",
    "special_deployment", "lucky_foot",
}  # fmt: skip

STATS = {
    "Armour": "Arm", "Rating": "Rat", "Defensive Skill": "Def", "Offensive Skill": "Off", "Strength": "Str",
    "Str": "Str", "AP": "AP", "Agility": "Agi", "Attack Value": "Att", "Advance Rate": "Adv", "March Rate": "Mar",
    "Resilience": "Res", "Health Points": "HP",
}  # fmt: skip
RULE_KINDS = {
    "Universal Rule": "universal", "Personal Protection": "protection", "Special Attack": "special",
    "Attack Attribute, Close Combat": "attack_close_combat", "Attack Attribute, Shooting": "attack_shooting",
}  # fmt: skip
SECTIONS = {"universal": "17.2", "protection": "17.3", "attack": "17.4", "special": "17.5"}
SCOPES = {"weapons": "Attacks & Weapons", "close_combat": "Close Combat", "shooting": "Shooting"}
SKILL_SECTIONS = {
    "Common": "17.6.1", "Assassin": "17.6.2", "Combat": "17.6.3", "Strength": "17.6.4", "Shooting": "17.6.5",
    "Academic": "17.6.6", "Speed": "17.6.7", "Trickster": "17.6.8",
}  # fmt: skip

NAMED = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, RULES), key=len, reverse=True))})\b(?: \([^)]*\))?")
CHANGED = re.compile(rf"([+-]\d+) ({'|'.join(sorted(STATS, key=len, reverse=True))})\b")
ASIDE = re.compile(
    r"^Ignores .*|^With Limited Motions: |^Also .*|^Hit target: .*| if model has .*| while [^:]*|^Cancelled .*"
    r"|armour gives no Limited Motions|immune to .*| Side effect: .*| plus D6 when acquired: .*"
)
"""What a transcribed effect says about others, or about when it applies: no rule or change of its own."""

SAYS: dict[str, Callable[[Item], bool]] = {
    "First Dagger free": lambda item: "First Dagger free" in item.keywords,
    "Pair equipped:": lambda item: (item.excludes, item.excludes_from) == (("shooting", "small_firearm"), 2),
    "Pair used in fight:": lambda item: item.bonuses[0].when == "with_two",
    "No Shield/Buckler/Pavise": lambda item: item.excludes == ("Shield", "Buckler", "Pavise"),
    "Not with Plate Armour": lambda item: item.excludes == ("Plate Armour",),
    "Mounted only": lambda item: item.only_mounted,
    "Not mounted": lambda item: item.not_mounted,
    "Large models only": lambda item: item.only_large,
    "Once per Game Sequence": lambda item: "Once per game" in item.keywords and item.uses[0].per_game == 1,
    "Uses a Close Combat Weapon slot": lambda item: item.slots == ("shooting", "close_combat"),
    "When charged, first round: Agility set to 10": lambda item: "Agility 10 when charged" in item.keywords,
    "Each failed to-wound roll": lambda item: "Extra attacks" in item.keywords,
    "Ignores Deflect": lambda item: "Ignores Deflect" in item.keywords,
    "Ignores Cover": lambda item: "Ignores Cover" in item.keywords,
    "Hiding user may stay Hidden": lambda item: "May stay hidden" in item.keywords,
    "Free choice of target": lambda item: "Any target" in item.keywords,
    "Extra -1 to-hit at Long Range": lambda item: "-1 to hit at Long Range" in item.keywords,
    "Strength set to 4 at Short Range": lambda item: "Strength 4 at Short Range" in item.keywords,
    "Also Shooting Weapon: Range 3, Shots 1, Str User, AP 1": lambda item: '3" in shooting, with AP 1' in item.text,
    "Also Close Combat Weapon: Hands 2, +1 Str": lambda item: "two-handed" in item.text and "+1 Strength" in item.text,
    "Hit target: -1 Str and -1 AP": lambda item: "-1 Strength and -1 Armour Penetration" in item.text,
    "+1 to-hit when fired in Close Combat": lambda item: "+1 to hit" in item.text,
    "Armour cannot rise above 1": lambda item: "Armour 1 at most" in item.keywords,
    "Cannot be sold": lambda item: not item.sellable,
    "On foot only": lambda item: all(bonus.when.startswith("on_foot") for bonus in item.bonuses),
    "Hands 1": lambda item: item.hands == 1,
    "Damage Roll leaving 2 HP": lambda item: "2 Health Points" in item.text,
    "Cancelled by Blunt Attacks": lambda item: "except by Blunt Attacks" in item.text,
}
"""Transcribed notes, by how they begin, and where an item of ours says the same."""

CONDITIONS = {
    "near_trees": "while in a Forest or within 3 inches of a Tree",
    "healthy": "while Healthy",
    "with_deflect": "if model has Deflect",
    "with_limited_motions": "With Limited Motions",
}


def golden(name: str) -> list[dict[str, str]]:
    with (GOLDEN / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return [row | {"name": SAME.get(row["name"], row["name"])} for row in csv.DictReader(file)]


def named(rows: Iterable[dict[str, str]]) -> list[object]:
    return [pytest.param(row, id=row["name"]) for row in rows]


def rules_in(*texts: str) -> Counter[str]:
    return Counter(match for text in texts for match in NAMED.findall(ASIDE.sub("", text)))


def changes_in(*texts: str) -> Counter[tuple[str, int]]:
    plain = [NAMED.sub("", ASIDE.sub("", text)) for text in texts]
    return Counter((STATS[stat], int(value)) for text in plain for value, stat in CHANGED.findall(text))


def rules_of(bonuses: Iterable[Bonus], keywords: Iterable[str] = ()) -> Counter[str]:
    named_keywords = (word for word in keywords if word.partition(" (")[0] in RULES)
    return Counter(rule for bonus in bonuses for rule in bonus.rules) + Counter(named_keywords)


def changes_of(bonuses: Iterable[Bonus], but: tuple[str, ...] = ()) -> Counter[tuple[str, int]]:
    return Counter(change for bonus in bonuses for change in bonus.changes.items() if change[0] not in but)


def number(text: str) -> int | None:
    return None if text in ("-", "?") else int(text)


def check_keywords(item: Item, notes: list[str]) -> None:
    """Every transcribed note is a rule, a change or a note of ours, and there is no rule or change beyond them."""
    known = (*SAYS, "With Limited Motions")
    strange = [note for note in notes if not note.startswith(known) and not rules_in(note) and not changes_in(note)]
    assert strange == []
    said = [says(item) for note in notes for begins, says in SAYS.items() if note.startswith(begins)]
    assert all(said)
    assert rules_of(item.bonuses, item.keywords) == rules_in(*notes)
    hidden = ("Arm",) if item.category in ARMOUR else ()
    assert changes_of(item.bonuses, hidden) == changes_in(*notes)


def test_everything_on_the_market_is_there_and_nothing_else() -> None:
    ours = [*(name for name in ITEMS if name not in FOUND_ONLY), *UPGRADES, *MOUNTS]
    assert sorted(ours) == sorted(row["name"] for row in golden("items"))
    assert len(ours) == 126


@pytest.mark.parametrize("row", named(golden("items")))
def test_category_price_and_rarity(row: dict[str, str]) -> None:
    price = row["price_note"] or PriceExpression(base=float(row["price_base"]), market=int(row["price_ms"]))
    if row["category"].startswith("upgrade_"):
        upgrade = UPGRADES[row["name"]]
        assert f"upgrade_{upgrade.kind}" == row["category"]
        assert (upgrade.price, upgrade.rarity) == (str(price), int(row["rarity"]))
    else:
        item = (ITEMS | MOUNTS)[row["name"]]
        assert item.category == row["category"]
        assert item.drug == (item.category == "drug")
        assert (item.price, item.rarity) == (str(price), int(row["rarity"]))


def test_prices_are_written_as_the_engine_writes_them() -> None:
    prices = {item.price for item in (ITEMS | MOUNTS).values()} | {upgrade.price for upgrade in UPGRADES.values()}
    assert [price for price in prices - {""} if str(PriceExpression.parse(price)) != price] == []


@pytest.mark.parametrize("name", sorted(FOUND_ONLY))
def test_what_is_only_found_has_no_price(name: str) -> None:
    item = ITEMS[name]
    assert (item.category, item.price, item.sellable) == ("curiosity", "", False)
    assert item.ruling


def test_weapons_are_complete() -> None:
    assert {row["name"] for row in golden("weapons")} == {i.name for i in ITEMS.values() if i.category in WEAPONS}


@pytest.mark.parametrize("row", named(golden("weapons")))
def test_weapon(row: dict[str, str]) -> None:
    """The second profiles of Pike and Flintlock Axe are notes there and numbers here; a small firearm is a Club."""
    item = ITEMS[row["name"]]
    hands = {"Flintlock Axe": 2}.get(item.name, number(row["hands"]))
    assert item.hands == (ITEMS["Club"].hands if item.category == "small_firearm" else hands)
    reach = {"Pike": (3, 1)}.get(item.name, (number(row["range"]), number(row["shots"])))
    assert (item.range, item.shots) == reach
    assert [item.strength, item.ap] == [row[part].replace("User+", "+") for part in ("strength", "ap")]
    check_keywords(item, [note for note in row["keywords"].split(";") if note])


def armour_of(item: Item) -> str:
    """The armour an item gives, in the words of the transcription."""
    given = {bonus.when: bonus.changes["Arm"] for bonus in item.bonuses if "Arm" in bonus.changes}
    match given:
        case {"": always}:
            return f"set {always}" if "Armour 1 at most" in item.keywords else f"+{always}"
        case {"on_foot": foot, "mounted": mounted}:
            return f"+{foot} on foot / +{mounted} mounted"
        case {"on_foot": foot, "on_foot_against_shooting": more}:
            return f"+{foot} (+{foot + more} against Shooting Attacks)"
        case {"against_shooting": shooting}:
            return f"+{shooting} against Shooting Attacks"
        case {"against_ranged": ranged}:
            return f"+{ranged} against Ranged Attacks"
    return "0"


def test_armour_is_complete() -> None:
    assert {row["name"] for row in golden("armour")} == {i.name for i in ITEMS.values() if i.category in ARMOUR}


@pytest.mark.parametrize("row", named(golden("armour")))
def test_armour(row: dict[str, str]) -> None:
    item = ITEMS[row["name"]]
    notes = [note for note in row["keywords"].split(";") if note]
    assert (item.category, armour_of(item)) == (row["kind"], row["armour"])
    check_keywords(item, notes)
    for bonus in item.bonuses:
        if bonus.when in CONDITIONS:
            note = next(note for note in notes if CONDITIONS[bonus.when] in note)
            assert (Counter(bonus.rules), changes_of([bonus])) == (rules_in(note), changes_in(note))


@pytest.mark.parametrize("row", named(row for row in golden("misc") if row["name"] != "Garlic"))
def test_miscellaneous_equipment(row: dict[str, str]) -> None:
    item, effect, limits = ITEMS[row["name"]], row["effect_terse"].replace("6 Accurate:", "6:"), row["limits"]
    own, used = [*item.bonuses, *(use.bonus for use in item.uses if use.bonus)], item.uses[0] if item.uses else None
    assert rules_of(own, item.keywords) == rules_in(effect)
    if not re.search(r"Range 8|Hands 1", effect):
        assert changes_of(own) == changes_in(effect)
    assert bool(used and used.one_use) == ("One Use Only" in limits.replace("not One Use Only", ""))
    assert bool(used and used.addictive) == ("= Addicted" in effect)
    assert bool(used and used.when == "recovery") == ("use at End of Recovery Phase while Healthy" in limits)
    assert bool(used and used.when == "pre_game") == bool(re.search("Pre-Game", limits + effect.split(":")[0]))
    assert (used.per_game if used else 0) == 1 * ("once per Game" in limits) + 2 * ("twice per Game" in limits)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Blessed Water Vial", "Range 8, Shots 1, Str 3, AP 0, Quick to Fire, Holy Attacks"),
        ("Torch", "Hands 1, Flaming Attacks, -1 AP"),
    ],
)
def test_miscellaneous_equipment_that_is_a_weapon(name: str, said: str) -> None:
    item = ITEMS[name]
    assert said in next(row["effect_terse"] for row in golden("misc") if row["name"] == name)
    reach = f"Range {item.range}, Shots {item.shots}, Str {item.strength}, AP {item.ap}, "
    numbers = reach if item.range else f"Hands {item.hands}, "
    assert numbers + ", ".join(item.keywords) + ("" if item.range else f", {item.ap} AP") == said


def test_what_equipment_does_to_the_campaign() -> None:
    assert (ITEMS["Opulent Coach"].equippable, ITEMS["Opulent Coach"].rarity_roll) == (False, 3)
    assert ITEMS["Halfling Cookbook"].extra_models == 1
    assert ITEMS["Garlic"].uses[0].one_use
    assert ITEMS["Freetrade Icon"].bonuses[0].skills == ("Haggle",)


@pytest.mark.parametrize("row", named(golden("upgrades")))
def test_upgrade(row: dict[str, str]) -> None:
    upgrade, effect = UPGRADES[row["name"]], row["effect_terse"]
    fits = ["close_combat"] if row["fits"] == "Any Close Combat Weapon" else row["fits"].split(";")
    assert sorted(upgrade.fits) == sorted(fits)
    assert (upgrade.price, upgrade.rarity) == (row["price"], int(row["rarity"]))
    words = {"Inbuilt" if upgrade.inbuilt else "Allocated": True, "Pre-Game": upgrade.pre_game}
    words |= {"Single Shot": upgrade.single_shot, "One Use Only": upgrade.one_use}
    assert f"[{', '.join(word for word, so in words.items() if so)}]" == effect[: effect.index("]") + 1]
    assert rules_of(upgrade.bonuses) == rules_in(effect)
    assert changes_of(upgrade.bonuses) == changes_in(effect)
    assert bool(upgrade.removes) == ("armour gives no Limited Motions" in effect)


def test_effects_of_enchanted() -> None:
    effect = next(row["effect_terse"] for row in golden("upgrades") if row["name"] == "Enchanted")
    rows = UPGRADES["Enchanted"].details
    short = [(row.name.replace(" and ", ", ").replace("Strength", "Str"), row.low, row.high) for row in rows]
    said = "; ".join(f"{low} {name.replace('Armour Penetration', 'AP')}" for name, low, _ in short)
    assert said.replace(" rolls", "").replace("Reroll", "reroll") == effect.partition("when acquired: ")[2]
    assert all(row.low == row.high for row in rows)


@pytest.mark.parametrize("row", named(golden("mounts")))
def test_mount(row: dict[str, str]) -> None:
    item = MOUNTS[row["name"]]
    mount = item.mount
    assert mount is not None
    assert (item.category, item.price, item.rarity) == ("mount", row["price"], int(row["rarity"]))
    assert f"R, {mount.species}" == row["species"]
    assert [mount.adv, mount.mar] == [int(row["adv"]), int(row["mar"])]
    added = {stat: row[stat.lower()] for stat in ("Rat", "Upk", "HP", "Arm")}
    assert {stat: f"R+{value}" for stat, value in mount.rider.items()} == added
    assert {row[stat] for stat in ("dis", "exp", "def", "res")} == {"R"}
    assert {**mount.own, "BS": 0} == {stat: int(row[stat.lower()]) for stat in ("Att", "Off", "Str", "AP", "Agi", "BS")}
    assert ["R", *mount.rules] == row["rules"].split(";")
    assert mount.barding == (row["barding"] == "yes") == ("Barding" in row["armour_proficiency"])
    assert (row["type"], row["height"], row["base"]) == ("Cavalry", "Standard", "25x50mm")


def restriction_of(skill: Skill) -> str:
    """The restriction of a skill, in the words of the transcription."""
    words = {"wizard": "Wizard", "priest": "Priest", "HO": "Holy Orders model"}
    parts = ["repeatable"] * skill.repeatable
    parts += [f"max {skill.most_per_warband} per Warband"] * bool(skill.most_per_warband)
    parts += [f"{' or '.join(words[who] for who in skill.only)} only"] * bool(skill.only)
    return "; ".join([*parts, *sorted(f"not {words[who]}s" for who in skill.never)])


def test_skills_are_complete() -> None:
    assert [(row["list"], row["name"]) for row in golden("skills")] == [
        (listed, skill.name) for skill in SKILLS.values() for listed in skill.lists
    ]
    assert len(SKILLS) == 84


@pytest.mark.parametrize("row", named(golden("skills")))
def test_skill(row: dict[str, str]) -> None:
    skill, effect = SKILLS[row["name"]], row["effect_terse"]
    assert skill.section == SKILL_SECTIONS[row["list"]]
    assert restriction_of(skill) == row["restriction"]
    assert skill.rule_kind == RULE_KINDS[effect[1 : effect.index("]")]]
    assert rules_of(skill.bonuses) <= rules_in(effect)
    assert changes_of(skill.bonuses) <= changes_in(effect)
    assert bool(skill.choose_proficiencies) == ("Proficiency for up to 3" in effect)


@pytest.mark.parametrize("row", named(row for row in golden("skills") if SKILLS[row["name"]].effects))
def test_what_a_skill_does_when_it_is_gained(row: dict[str, str]) -> None:
    effect, said = row["effect_terse"], []
    words = {short: word for word, short in STATS.items()}
    for gained in SKILLS[row["name"]].effects:
        match gained:
            case fx.OpenSkillList(skill_list=opened):
                said.append(f"access to {opened} Skills")
            case fx.Maximum(changes=changes):
                said += [f"+{value} maximum {words[stat]}" for stat, value in changes.items()]
            case fx.Characteristic(changes=changes):
                said += [f"+{value} {words[stat]}" for stat, value in changes.items()]
                assert "on profile" in effect
    assert said
    assert [part for part in said if part not in effect] == []


def test_rules_are_complete() -> None:
    ours = [(SECTIONS[rule.kind], rule.name) for rule in RULES.values() if rule.name not in MOUNTS_ONLY]
    assert ours == [(row["section"], row["name"]) for row in golden("model_rules")]
    assert {rule.section for rule in RULES.values() if rule.name in MOUNTS_ONLY} == {"17.7.6"}


@pytest.mark.parametrize("row", named(golden("model_rules")))
def test_rule(row: dict[str, str]) -> None:
    rule, effect = RULES[row["name"]], row["effect_terse"]
    assert rule.section == row["section"]
    assert bool(rule.parameter) == bool(row["parameter"])
    assert rule.parameter.count("X") == row["parameter"].count("X")
    if rule.kind == "attack":
        assert effect.startswith(f"[{', '.join(SCOPES[scope] for scope in rule.scope)}]")
    assert rule.cumulative == (" stack" in effect)
    assert [granted for granted in rule.grants if granted.replace("(0, against Beasts)", "(0)") not in effect] == []


def every_bonus() -> list[Bonus]:
    bonuses = [bonus for item in ITEMS.values() for bonus in item.bonuses]
    bonuses += [use.bonus for item in ITEMS.values() for use in item.uses if use.bonus]
    bonuses += [bonus for upgrade in UPGRADES.values() for bonus in upgrade.bonuses]
    bonuses += [bonus for skill in SKILLS.values() for bonus in skill.bonuses]
    return bonuses + [bonus for rule in RULES.values() for bonus in rule.bonuses]


def test_every_name_exists() -> None:
    granted = [rule for bonus in every_bonus() for rule in bonus.rules]
    granted += [rule for entry in RULES.values() for rule in entry.grants]
    granted += [rule for item in MOUNTS.values() if item.mount for rule in item.mount.rules]
    granted += [rule for entry in UPGRADES.values() for rule in entry.removes]
    assert {rule.partition(" (")[0] for rule in granted} <= set(RULES)
    assert {skill for bonus in every_bonus() for skill in bonus.skills} <= set(SKILLS)
    assert {stat for bonus in every_bonus() for stat in bonus.changes} <= set(PROFILE)
    assert {name for entry in UPGRADES.values() for name in entry.fits} <= {*ITEMS, "close_combat"}
    assert {name for entry in ITEMS.values() for name in entry.excludes} <= {*ITEMS, *WEAPONS}
    opened = {e.skill_list for s in SKILLS.values() for e in s.effects if isinstance(e, fx.OpenSkillList)}
    assert opened <= {listed for skill in SKILLS.values() for listed in skill.lists}


def test_conditions_and_notes_are_those_the_file_explains() -> None:
    head = (PACK / "items.yaml").read_text(encoding="utf-8").partition("items:\n")[0]
    explained = set(re.findall(r"^#   ([a-z_]+)  +\S", head, re.MULTILINE))
    assert {bonus.when for bonus in every_bonus() if bonus.when} == explained
    notes = " ".join(line.lstrip("# ") for line in head.partition("no rules of their own:")[2].splitlines())
    used = {word for item in ITEMS.values() for word in item.keywords if word.partition(" (")[0] not in RULES}
    assert used == {note.strip() for note in notes.strip().rstrip(".").split(", ")}


def test_mechanisms_are_known_to_the_engine() -> None:
    used = {use.what for item in ITEMS.values() for use in item.uses}
    used |= {skill.what for skill in SKILLS.values()} | {rule.what for rule in RULES.values()}
    assert used - {""} == MECHANISMS


def test_every_entry_says_what_it_does_and_where_it_stands() -> None:
    entries = (*ITEMS.values(), *MOUNTS.values(), *UPGRADES.values(), *SKILLS.values(), *RULES.values())
    assert [entry.name for entry in entries if not entry.text or not entry.section] == []
    assert [entry.ruling for entry in entries if entry.ruling and not re.match(r"(\d+|Ours): ", entry.ruling)] == []
