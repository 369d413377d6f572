"""The page about warband files says what an export says."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from accounts.models import User
from rules.engine.dice import Roll
from rules.engine.state import Effect, Fighter, Injury, Item, Rule
from rules.engine.state import Warband as State
from tests.warbands.rosters import roster_of
from warbands.importing.text import DEEPEST, LONGEST_NUMBER
from warbands.models import Warband
from warbands.portable import LARGEST_FILE, MOST_ENTRIES, MOST_FIGHTERS, VERSION, Entry, File, PackUsed, export_warband

PAGE = Path(__file__).parents[2] / "docs" / "warband-file.md"
STRUCTS: dict[str, Any] = {
    "The file": File, "A pack": PackUsed, "A ledger entry": Entry, "A roll": Roll, "The state": State,
    "A fighter": Fighter, "An item": Item, "A rule": Rule, "An injury": Injury, "An effect": Effect,
}  # fmt: skip


def documented() -> dict[str, set[str]]:
    """The fields of each table, by the heading above it."""
    tables: dict[str, set[str]] = {}
    for part in re.split(r"^##+ ", PAGE.read_text(), flags=re.MULTILINE)[1:]:
        rows = re.findall(r"^\| (`.*?) \|", part, flags=re.MULTILINE)
        if rows:
            tables[part.partition("\n")[0]] = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    return tables


def test_every_table_has_the_fields_that_are_read() -> None:
    assert documented() == {title: {*kind.__struct_fields__} for title, kind in STRUCTS.items()}


def test_an_export_has_the_fields_of_the_page(db: None) -> None:
    owner = User.objects.create_user("ilse@example.com", name="Ilse")
    file = json.loads(export_warband(roster_of(owner, 3)))
    fighter = file["state"]["fighters"]["f0"]
    found = {
        "The file": file, "A pack": file["packs"][0], "A ledger entry": file["ledger"][0], "The state": file["state"],
        "A fighter": fighter, "An item": fighter["items"][0], "A rule": fighter["rules"][0],
        "An injury": fighter["injuries"][0],
    }  # fmt: skip
    tables = documented()
    assert {title: set(part) for title, part in found.items()} == {title: tables[title] for title in found}


def test_rolls_of_a_real_past_have_the_fields_of_the_page(wardens: Warband) -> None:
    file = json.loads(export_warband(wardens))
    rolls = [roll for entry in file["ledger"] for roll in entry["rolls"]]
    assert rolls
    assert {frozenset(roll) for roll in rolls} == {frozenset(documented()["A roll"])}


def test_an_effect_has_the_fields_of_the_page() -> None:
    assert set(msgspec.to_builtins(Effect("moneylender"))) == documented()["An effect"]


@pytest.mark.parametrize(
    "said",
    [
        f"of this format: `{VERSION}`", f"At most {LARGEST_FILE // 1024**2} MB", f"at most {MOST_FIGHTERS} fighters",
        f"{MOST_ENTRIES:,}", f"{DEEPEST} levels deep", f"at most {LONGEST_NUMBER} digits",
    ],
)  # fmt: skip
def test_its_numbers_are_those_of_the_code(said: str) -> None:
    assert said in PAGE.read_text()
