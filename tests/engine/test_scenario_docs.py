"""docs/scenario-format.md: its examples work, and it leaves nothing out."""

import re
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from rules.engine import asking, captives, scenario
from rules.engine.battle import Deed, Participant
from rules.engine.documents import parse_yaml
from rules.engine.exploration_dice import ONE_TIME
from rules.engine.pack import effects as e
from rules.engine.pack.load import load_packs
from rules.engine.pack.schema import Pack
from rules.engine.phases.trading import THIS_PHASE_ONLY
from rules.engine.phases.warband import ENDING
from rules.engine.policy import POLICIES
from rules.engine.pregame import GAME_EFFECTS, MAP_EFFECTS, PREGAME
from rules.engine.sequence import STEPS
from rules.engine.settings import CampaignSettings
from rules.engine.state import CHARACTERISTICS, Fighter, Warband
from rules.engine.vocabulary import EFFECTS, NAMES
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


def read(example: str) -> dict[str, Any]:
    """As the command reads a file."""
    content: dict[str, Any] = parse_yaml(example, title(example))
    return content


@pytest.mark.parametrize("example", [pytest.param(example, id=title(example)) for example in examples()])
def test_an_example_does_what_it_says(example: str) -> None:
    content = read(example)
    result = scenario.play_scenario(content, pack())
    assert content["expect"]
    compare(content["expect"], result)


def test_every_step_has_an_example() -> None:
    played = {str(read(example).get("steps")) for example in examples()}
    assert played >= {*STEPS, "pregame"}
    assert any("ask" in read(example) for example in examples())


NOT_WRITTEN = {"id", "warband", "deeds"}
"""What the format fills in itself: ids are keys, and deeds are written as `fighters`."""


@pytest.mark.parametrize("kind", [CampaignSettings, Warband, Fighter, Participant, Deed])
def test_every_key_is_described(kind: type[Any]) -> None:
    text = DOCUMENT.read_text()
    names = set(kind.__struct_fields__) - NOT_WRITTEN
    assert {name for name in names if f"`{name}`" not in text} == set()


@pytest.mark.parametrize(
    "names",
    [scenario.KEYS, STEPS, PREGAME, POLICIES, asking.QUERIES, asking.ODDS, CHARACTERISTICS, EFFECTS],
    ids=["keys", "steps", "pregame", "policies", "queries", "odds", "characteristics", "effects"],
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


def test_a_policy_may_have_a_wish_for_every_topic() -> None:
    assert topics() <= set(NAMES["policy"](pack()))
    assert {topic for topic in NAMES["policy"](pack()) if f"`{topic}`" not in DOCUMENT.read_text()} == set()


def topics() -> set[str]:
    found = set(re.findall(r"topic: (\w+)", (scenario_folder() / "packs/t9a-sc/exploration.yaml").read_text()))
    for path in (scenario_folder() / "engine").rglob("*.py"):
        found |= set(
            re.findall(r'Question\(\s*[^"]*?"(\w+)"', re.sub(r'run\.key\(f?"[^"]*"\)', "key", path.read_text()))
        )
    return found - {"any", "one"}


def scenario_folder() -> Path:
    return Path(scenario.__file__).parents[1]


def test_every_effect_that_the_engine_knows_can_be_written() -> None:
    from_tables = get_args(get_type_hints(e.Lasting)["name"])
    from_steps = (*MAP_EFFECTS, *GAME_EFFECTS, *captives.EFFECTS, *ENDING, *ONE_TIME, *THIS_PHASE_ONLY)
    assert {*from_tables, *from_steps} <= {*EFFECTS}
