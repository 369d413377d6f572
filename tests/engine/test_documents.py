from pathlib import Path

import pytest

from rules.engine.documents import read_yaml
from rules.engine.errors import InputError


def test_only_true_and_false_are_booleans(tmp_path: Path) -> None:
    file = tmp_path / "file.yaml"
    file.write_text("{Off: 3, on: [yes, no], large: true, small: false, way: true north}")
    assert read_yaml(file) == {"Off": 3, "on": ["yes", "no"], "large": True, "small": False, "way": "true north"}


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file.yaml"
    file.write_text("items: [")
    with pytest.raises(InputError, match=r"file.yaml: is not readable as YAML"):
        read_yaml(file)
    with pytest.raises(InputError, match="there is no such file"):
        read_yaml(tmp_path / "missing.yaml")


def test_a_key_that_stands_twice_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file.yaml"
    file.write_text("items:\n  axe: {price: 6}\n  sword: {price: 10}\n  axe: {price: 7}\n")
    with pytest.raises(InputError, match=r"'axe' stands twice in line 4"):
        read_yaml(file)
    file.write_text("{base: &base {price: 6}, axe: {<<: *base, price: 7}, 1: one, '1': another}")
    assert read_yaml(file)["axe"] == {"price": 7}


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_yaml(tmp_path)
