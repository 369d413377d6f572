"""Every scenario file below this folder, played and compared with what it expects.

A file holds one scenario, or a `base` and a list of `scenarios` that are laid over it. `expect` names what
matters and leaves the rest open:

- `state`: part of the final state; mappings are compared key by key, everything else must be equal;
- `events`: events that happened, in this order, with others between them; `no_event`: ones that did not;
- `facts` and `no_fact`: the same for facts, things that happened and changed nothing;
- `pending`: the topics of the open questions; left out, there must be none;
- `answers`: what the questions of `ask` gave; `error`: part of the error that the scenario ends with;
- `rolls`: totals of all rolls, in order.
"""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rules.engine import scenario as scenarios
from rules.engine.documents import read_yaml
from rules.engine.errors import InputError, RuleViolation
from rules.engine.pack.load import load_packs
from rules.engine.pack.schema import Pack

FOLDER = Path(__file__).parent


@cache
def pack() -> Pack:
    return load_packs()


def collect() -> list[Any]:
    return [
        pytest.param(entry, id=f"{path.parent.name}/{path.stem}: {entry['title']}")
        for path in sorted(FOLDER.rglob("*.yaml"))
        for entry in read(path)
    ]


def read(path: Path) -> list[dict[str, Any]]:
    content = read_yaml(path)
    if "scenarios" not in content:
        return [content]
    return [laid_over(content.get("base", {}), entry) for entry in content["scenarios"]]


def laid_over(base: Any, top: Any) -> Any:
    if not isinstance(base, dict) or not isinstance(top, dict):
        return top
    return base | {key: laid_over(base.get(key), value) for key, value in top.items()}


@pytest.mark.parametrize("entry", collect())
def test_scenario(entry: dict[str, Any]) -> None:
    assert entry.get("section"), "a scenario names the section of the rulebook that it is about"
    expect = entry["expect"]
    if "error" in expect:
        with pytest.raises((InputError, RuleViolation)) as refusal:
            scenarios.play_scenario(entry, pack())
        assert expect["error"] in str(refusal.value)
        return
    result = scenarios.play_scenario(entry, pack())
    compare(expect, result)
    assert "dice" not in result.get("unused", {}), "there are scripted dice that nobody rolled"


def compare(expect: dict[str, Any], result: dict[str, Any]) -> None:
    assert [question["topic"] for question in result.get("pending", [])] == expect.get("pending", [])
    assert_part(expect.get("state", {}), result.get("state", {}), "state")
    assert_in_order(expect.get("events", []), result.get("events", []))
    for unwanted in expect.get("no_event", []):
        assert not [event for event in result["events"] if fits(unwanted, event)], f"{unwanted} happened"
    assert_in_order(expect.get("facts", []), result.get("facts", []))
    for unwanted in expect.get("no_fact", []):
        assert not [fact for fact in result["facts"] if fits(unwanted, fact)], f"{unwanted} is a fact"
    if "answers" in expect:
        assert_part(expect["answers"], result["answers"], "answers")
    if "rolls" in expect:
        assert [roll["total"] for roll in result["rolls"]] == expect["rolls"]


def assert_part(wanted: Any, found: Any, where: str) -> None:
    found = list(found) if isinstance(found, tuple) else found
    if isinstance(wanted, dict):
        for key, value in wanted.items():
            if value == "absent":
                assert key not in found, f"{where}.{key} is there"
            else:
                assert key in found, f"{where} has no {key}, only {list(found)}"
                assert_part(value, found[key], f"{where}.{key}")
    elif isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        for place, value in enumerate(wanted):
            assert_part(value, found[place], f"{where}[{place}]")
    else:
        assert found == wanted, f"{where} is {found!r}, not {wanted!r}"


def assert_in_order(wanted: list[Any], events: list[Any]) -> None:
    rest = iter(events)
    for event in wanted:
        assert any(fits(event, happened) for happened in rest), f"{event} is not among what happened:\n{events}"


def fits(wanted: Any, found: Any) -> bool:
    try:
        assert_part(wanted, found, "")
    except AssertionError:
        return False
    return True
