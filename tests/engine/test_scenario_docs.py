"""docs/scenario-format.md: its examples work, and it leaves nothing out."""

import re
import traceback
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.engine import asking, scenario
from rules.engine.battle import Deed, Participant
from rules.engine.documents import read_yaml
from rules.engine.errors import InputError, RuleViolation
from rules.engine.pack.load import load_packs
from rules.engine.pack.schema import Pack
from rules.engine.policy import POLICIES
from rules.engine.pregame import PREGAME
from rules.engine.sequence import STEPS
from rules.engine.settings import CampaignSettings
from rules.engine.state import CHARACTERISTICS, Fighter, Warband
from tests.golden.test_golden import compare

DOCUMENT = Path(__file__).parents[2] / "docs" / "scenario-format.md"
EXAMPLE = re.compile(r"^```yaml\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@cache
def pack() -> Pack:
    return load_packs()


def examples() -> list[str]:
    return EXAMPLE.findall(DOCUMENT.read_text())


def title(example: str) -> str:
    return example.partition("\n")[0].removeprefix("title: ")


def read(example: str, folder: Path) -> dict[str, Any]:
    """As the command reads a file."""
    path = folder / "example.yaml"
    path.write_text(example)
    content: dict[str, Any] = read_yaml(path)
    return content


@pytest.mark.parametrize("example", [pytest.param(example, id=title(example)) for example in examples()])
def test_an_example_does_what_it_says(example: str, tmp_path: Path) -> None:
    content = read(example, tmp_path)
    result = scenario.play_scenario(content, pack())
    assert content["expect"]
    compare(content["expect"], result)


JUNK: list[Any] = [None, 0, -1, 99, 1.5, True, "", "zzz", "reds", "i1", [], [1], [[]], {}, {"a": 1}, [{}], [None]]


def places(content: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    return [path, *(place for key, value in inner for place in places(value, (*path, key)))]


def replaced(content: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copied = copy(content)
    copied[path[0]] = replaced(content[path[0]], path[1:], value)
    return copied


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(examples()), st.sampled_from(JUNK), st.data())
def test_a_mangled_file_is_refused_in_words(example: str, junk: Any, data: st.DataObject) -> None:
    """Whatever stands in a place where it does not belong, nobody gets to see a traceback of ours."""
    content = yaml.safe_load(example)
    path = data.draw(st.sampled_from(places(content)[1:]))
    try:
        scenario.play_scenario(replaced(content, path, junk), pack())
    except (InputError, RuleViolation):
        pass
    except Exception as error:
        if ours(error):
            raise


GUARDED = {
    "scenario", "questions", "asking", "policy", "pregame", "campaign", "odds", "relations", "warband",
}  # fmt: skip
"""The modules that read a file and the ones this test answers for; others have tests of their own."""


def ours(error: Exception) -> bool:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/rules/engine/" in frame.filename]
    return bool(frames) and Path(frames[-1].filename).stem in GUARDED


def test_every_step_has_an_example(tmp_path: Path) -> None:
    played = {str(read(example, tmp_path).get("steps")) for example in examples()}
    assert played >= {*STEPS, "pregame"}
    assert any("ask" in read(example, tmp_path) for example in examples())


NOT_WRITTEN = {"id", "warband", "deeds"}
"""What the format fills in itself: ids are keys, and deeds are written as `fighters`."""


@pytest.mark.parametrize("kind", [CampaignSettings, Warband, Fighter, Participant, Deed])
def test_every_key_is_described(kind: type[Any]) -> None:
    text = DOCUMENT.read_text()
    names = set(kind.__struct_fields__) - NOT_WRITTEN
    assert {name for name in names if f"`{name}`" not in text} == set()


@pytest.mark.parametrize(
    "names",
    [scenario.KEYS, STEPS, PREGAME, POLICIES, asking.QUERIES, asking.ODDS, CHARACTERISTICS],
    ids=["keys", "steps", "pregame", "policies", "queries", "odds", "characteristics"],
)
def test_every_name_is_mentioned(names: Any) -> None:
    text = DOCUMENT.read_text()
    assert {name for name in names if not re.search(rf"[`{{ ,\n]{re.escape(name)}[`:,]", text)} == set()


def test_every_result_is_described() -> None:
    text = DOCUMENT.read_text()
    example = {"warbands": {"reds": {"fighters": {"captain": {}}}}, "steps": "underdog", "ask": [{"scenarios": 2}]}
    assert {key for key in scenario.play_scenario(example, pack()) if f"`{key}`" not in text} == set()


def test_every_topic_of_the_engine_is_described() -> None:
    """Topics are words of the engine's code and of the exploration table."""
    text = DOCUMENT.read_text()
    assert {topic for topic in topics() if f"`{topic}`" not in text} == set()


def topics() -> set[str]:
    found = set(re.findall(r"topic: (\w+)", (scenario_folder() / "packs/t9a-sc/exploration.yaml").read_text()))
    for path in (scenario_folder() / "engine").rglob("*.py"):
        found |= set(
            re.findall(r'Question\(\s*[^"]*?"(\w+)"', re.sub(r'run\.key\(f?"[^"]*"\)', "key", path.read_text()))
        )
    return found - {"any", "one"}


def scenario_folder() -> Path:
    return Path(scenario.__file__).parents[1]
