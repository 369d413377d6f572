"""docs/engine.md: its examples do what they say, and it speaks of things that exist."""

import doctest
import re
from pathlib import Path

from rules.engine.sequence import STEPS

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "engine.md"


def test_the_examples_do_what_they_say() -> None:
    examples = doctest.DocTestParser().get_doctest(DOCUMENT.read_text(), {}, "engine.md", str(DOCUMENT), 0)
    told: list[str] = []
    found = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=told.append)
    assert found.attempted > 40
    assert found.failed == 0, "".join(told)


def test_the_steps_stand_in_their_order() -> None:
    assert re.findall(r"^\| `(\w+)` \|", DOCUMENT.read_text(), re.MULTILINE) == list(STEPS)


def test_every_module_that_is_named_is_there() -> None:
    text = DOCUMENT.read_text()
    named = set(re.findall(r"`(?:rules/engine/)?((?:\w+/)*\w+\.py)`", text))
    assert len(named) > 15
    assert {name for name in named if not (ROOT / "rules" / "engine" / name).exists()} == set()
