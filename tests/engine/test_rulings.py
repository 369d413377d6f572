"""The project's rulings: all there, connected with what they concern, and named where the engine follows them."""

import re
import shutil
from functools import cache
from pathlib import Path

import pytest

from rules.engine.pack.check import check_packs, entries
from rules.engine.pack.load import PACKS, STANDARD, load_packs
from rules.engine.pack.schema import Item, Pack

ROOT = Path(__file__).resolve().parents[2]
GIVEN = range(1, 71)
DOCUMENTS = 71
"""What stands for the documents that the project does not have."""
FIRST_OF_MECHANISMS = 107
WEIGHT_A = {1, 2, 4, 5, 6, *range(34, 61), 67, 68}

NOT_NAMED = {
    1: "the devotion table holds it, the engine reads the table",
    5: "the rows of the lower injury table hold it",
    6: "the rows of the lower advancement table hold it",
    36: "the step rerolls its own result without an end; a scenario of the pits is still to name it",
    37: "injury/higher_table.yaml plays it without the number",
    55: "the report says who took part; a scenario of the experience is still to name it",
    56: "the report counts kills by kind; a scenario of the experience is still to name it",
    67: "exploration/dice.yaml plays it without the number",
}
"""A-weight rulings that neither the engine nor a golden scenario names, and why that is well."""


@cache
def pack() -> Pack:
    return load_packs()


def cited() -> set[int]:
    return {number for _, entry in entries(pack()) for number in entry.cites}


def named() -> set[int]:
    """The numbers in `ruling 44` and `rulings 42, 43` of the engine and of the golden scenarios."""
    files = [*(ROOT / "rules" / "engine").rglob("*.py"), *(ROOT / "tests" / "golden").rglob("*.yaml")]
    lists = [
        numbers
        for file in files
        for numbers in re.findall(r"[Rr]ulings?\s(\d+(?:(?:,| and)\s\d+)*)", file.read_text(encoding="utf-8"))
    ]
    return {int(number) for numbers in lists for number in re.findall(r"\d+", numbers)}


def with_change(tmp_path: Path, file: str, old: str, new: str) -> list[str]:
    folders = [Path(shutil.copytree(PACKS / name, tmp_path / name)) for name in STANDARD]
    path = folders[0] / file
    content = path.read_text(encoding="utf-8")
    assert old in content
    path.write_text(content.replace(old, new, 1), encoding="utf-8")
    return [str(finding) for finding in check_packs(folders)]


def test_all_given_rulings_are_there_and_ours_follow_from_101() -> None:
    given = [number for number, ruling in pack().rulings.items() if not ruling.ours]
    ours = [number for number, ruling in pack().rulings.items() if ruling.ours]
    assert given == [*GIVEN, DOCUMENTS]
    assert ours == list(range(101, 101 + len(ours)))


def test_weights_are_those_of_the_list() -> None:
    assert {number for number in GIVEN if pack().rulings[number].weight == "A"} == WEIGHT_A


def test_each_ruling_says_where_what_and_how_in_a_few_words() -> None:
    for ruling in pack().rulings.values():
        assert ruling.section
        assert 0 < len(ruling.problem) <= 160, ruling.number
        assert 0 < len(ruling.reading) <= 320, ruling.number


def test_every_note_refers_to_rulings_that_exist() -> None:
    notes = [(entry.name, entry.ruling, entry.cites) for _, entry in entries(pack()) if entry.ruling]
    assert notes
    assert [note for name, note, cites in notes if not re.match(r"\d+(, \d+)*: \S", note)] == []
    assert cited() <= set(pack().rulings)


def test_every_ruling_of_ours_is_beside_what_it_concerns() -> None:
    connected = cited() | {number for number, ruling in pack().rulings.items() if ruling.about}
    assert [ruling.number for ruling in pack().rulings.values() if ruling.ours and ruling.number not in connected] == []


def test_rulings_that_change_results_are_referred_to() -> None:
    referred = cited() | {number for number, ruling in pack().rulings.items() if ruling.about} | named()
    assert sorted(WEIGHT_A - referred) == []


def test_rulings_that_change_results_are_named_by_the_engine_or_a_scenario() -> None:
    assert sorted(WEIGHT_A - named() - set(NOT_NAMED)) == []


def test_rulings_of_ours_about_mechanisms_are_named_where_the_engine_follows_them() -> None:
    """The first of ours are about data, and stand in notes of the packs."""
    ours = {number for number, ruling in pack().rulings.items() if ruling.ours and number >= FIRST_OF_MECHANISMS}
    assert sorted(ours - named()) == []


def test_the_engine_names_no_ruling_that_is_not_there() -> None:
    assert sorted(named() - set(pack().rulings)) == []


def test_a_note_may_cite_several_rulings() -> None:
    def cites(note: str) -> tuple[int, ...]:
        return Item(name="Thing", category="misc", ruling=note).cites

    assert cites("10: lost. 28: itself.") == (10, 28)
    assert cites("10, 105: lost; 1 is our reading.") == (10, 105)
    assert cites("3.15: a section. On 3 to 4: nothing.") == ()


BROKEN = {
    "an unknown ruling": ("items.yaml", '"19: ', '"99: ', "items Repeater Gun: ruling: there is no ruling 99"),
    "a note without a number": ("items.yaml", '"19: ', '"Ours: ', "items Repeater Gun: ruling: does not begin with"),
    "an unknown name": ("rulings.yaml", "[relations]", "[relatives]", "about: there is no part or entry 'relatives'"),
    "an unknown setting": ("rulings.yaml", "setting: achievements_once_per", "setting: luck", "no setting 'luck'"),
    "a number twice": ("rulings.yaml", "number: 3\n", "number: 2\n", "rulings 2: number: stands here twice"),
}


@pytest.mark.parametrize("mistake", BROKEN)
def test_a_mistake_is_named(tmp_path: Path, mistake: str) -> None:
    file, old, new, told = BROKEN[mistake]
    assert [finding for finding in with_change(tmp_path, file, old, new) if told in finding]
