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
