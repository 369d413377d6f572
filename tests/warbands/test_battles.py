"""What a battle is called, by the key that a ledger has for it."""

import pytest

from tests.warbands.rosters import pages_of_battles
from warbands.battles import battle_address, battle_name, battle_names
from warbands.models import LedgerEntry


@pytest.mark.parametrize(
    ("key", "name"), [("12-3", "battle 3"), ("b9", "battle 9"), ("4", "battle 4"), ("the ford", "battle the ford")]
)
def test_a_battle_is_known_by_its_number(key: str, name: str) -> None:
    assert battle_name(key) == name


def test_many_are_named_at_once_and_nothing_has_no_name() -> None:
    assert battle_names(["12-3", "", "12-4", "12-3"]) == {"12-3": "battle 3", "12-4": "battle 4"}


@pytest.mark.parametrize("key", ["b9", "4", "the ford", ""])
def test_what_is_no_battle_of_a_campaign_has_no_page(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pages_of_battles(monkeypatch)
    assert battle_address(key) == ""


def test_the_key_says_which_page(monkeypatch: pytest.MonkeyPatch) -> None:
    pages_of_battles(monkeypatch)
    assert battle_address("12-3") == "/campaigns/12/battles/3/"


def test_only_what_came_from_a_file_has_no_version() -> None:
    assert LedgerEntry(version=0).is_from_file
    assert not LedgerEntry(version=1).is_from_file
