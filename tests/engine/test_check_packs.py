"""A broken pack is refused with the file, the row and the field."""

import shutil
from pathlib import Path

import pytest

from rules.engine.errors import InputError
from rules.engine.pack.check import check_packs, covers
from rules.engine.pack.effects import Row
from rules.engine.pack.load import PACKS, STANDARD, load_packs

BROKEN = {
    "an unknown item": ("exploration.yaml", "item: Hammer", "item: Hamster", "there is no item 'Hamster'"),
    "a hole in a table": ("injuries.yaml", "high: 53", "high: 52", "53 is in no row"),
    "an overlap": ("injuries.yaml", "low: 41", "low: 36", "36 is in 2 rows"),
    "an unknown effect": ("injuries.yaml", "effect: vanquish", "effect: vanish", "vanish"),
    "an unknown field": ("items.yaml", "rarity:", "rareness:", "rareness"),
    "an unreadable file": ("items.yaml", "items:", "items: [", "YAML"),
    "a missing price": ("items.yaml", 'price: "6"', 'price: ""', "items Axe: price: is missing"),
    "a rarity beyond all": ("items.yaml", "rarity: 12", "rarity: 19", "Beast Axe: rarity: 19 is not between 0 and 18"),
    "a rarity below nothing": ("mounts.yaml", "rarity: 13", "rarity: -1", "rarity: -1 is not between"),
    "three hands": ("items.yaml", "hands: 1", "hands: 3", "items Axe: hands: 3 is not between 0 and 2"),
    "a strength in words": ("items.yaml", 'strength: "+1"', "strength: strong", "strength: 'strong' is not as in User"),
    "a search that finds nothing": ("exploration.yaml", "needed: 3", "needed: 7", "exploration 66: needed: 7 is not"),
    "a search without a number": ("exploration.yaml", "needed: 3", "needed: 0", "found on 0, which no die shows"),
    "a question about nothing": (
        "exploration.yaml",
        "topic: drink_from_the_well",
        'topic: ""',
        "topic: '' is not as in",
    ),
    "an endless reroll": ("exploration.yaml", "reroll: [1, 2]", "reroll: [1, 2, 3, 4, 5, 6]", "no face is left"),
    "players in words": ("tables.yaml", 'players: "2"', "players: two", "players: 'two' is not as in 2 or 2-6"),
    "a chart with a hole": ("tables.yaml", "roll: 6", "roll: 5", "scenarios for 2: roll: 6 stands there 0 times"),
    "dice below nothing": ("tables.yaml", "exploration_dice: 5", "exploration_dice: -5", "exploration_dice: -5 is not"),
}

BROKEN_ARMIES = {
    "a price that pays": ("price: ", "price: -", "price: -"),
    "fewer than none": ("most: ", "most: -", "most: -"),
    "a group of nobody": ("group: ", "group: 0 #", "group: 0 is not between 1 and 99"),
    "an upkeep that pays": ("Upk: ", "Upk: -", "profile: Upk -"),
    "a warband of less than nobody": ("largest: ", "largest: -", "largest: -"),
}


def with_mistake(tmp_path: Path, file: str, old: str, new: str) -> list[Path]:
    folders = [Path(shutil.copytree(PACKS / name, tmp_path / name)) for name in STANDARD]
    path = folders[0] / file
    content = path.read_text()
    assert old in content
    path.write_text(content.replace(old, new, 1))
    return folders


def test_the_packs_that_come_with_aftermath_have_no_mistakes() -> None:
    assert check_packs(PACKS / name for name in STANDARD) == []


@pytest.mark.parametrize("mistake", BROKEN)
def test_a_mistake_is_named(tmp_path: Path, mistake: str) -> None:
    file, old, new, told = BROKEN[mistake]
    findings = check_packs(with_mistake(tmp_path, file, old, new))
    assert [finding for finding in findings if finding.file == f"t9a-sc/{file}" and told in str(finding)]


@pytest.mark.parametrize("mistake", BROKEN_ARMIES)
def test_a_mistake_in_an_army_is_named(tmp_path: Path, mistake: str) -> None:
    old, new, told = BROKEN_ARMIES[mistake]
    folders = [Path(shutil.copytree(PACKS / name, tmp_path / name)) for name in STANDARD]
    path = folders[1] / "armies" / "BH.yaml"
    path.write_text(path.read_text().replace(old, new, 1))
    findings = check_packs(folders)
    assert [finding for finding in findings if finding.file.endswith("BH.yaml") and told in str(finding)]


def test_a_schema_mistake_names_the_row(tmp_path: Path) -> None:
    folders = with_mistake(tmp_path, "items.yaml", "rarity:", "rareness:")
    with pytest.raises(InputError, match=r"t9a-sc/items.yaml: items\[\d+\] \(.+\)"):
        load_packs(folders)


def test_a_missing_pack_is_named(tmp_path: Path) -> None:
    findings = check_packs([tmp_path / "nothing"])
    assert str(findings[0]) == "nothing/pack.yaml: pack: header: there is no such file"


def test_a_pack_on_top_overrides_by_name(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "pack.yaml").write_text("{id: mine, version: '1', title: Mine, requires: [t9a-sc]}")
    sword = "{name: Sword, category: close_combat, price: 99+MS, rarity: 5, text: Dearer., section: ours}"
    (mine / "items.yaml").write_text(f"items: [{sword}]")
    folders = [*(PACKS / name for name in STANDARD), mine]
    assert check_packs(folders) == []
    assert load_packs(folders).items["Sword"].price == "99+MS"
    assert load_packs(folders).items["Axe"] == load_packs().items["Axe"]


def test_covers_names_holes_and_overlaps() -> None:
    rows = [Row(low=1, high=3), Row(low=3, high=4)]
    assert covers(rows, range(1, 6)) == ["3 is in 2 rows", "5 is in no row"]
