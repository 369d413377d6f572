"""Every question of the engine has words on the walk."""

import ast
import importlib
from pathlib import Path

import pytest

from campaigns.walk.ordered import TEXTS, orders_text
from campaigns.walk.tables import advance
from campaigns.walk.wishes import USUAL, _finds
from campaigns.walk.words import ABOUT, STEPS, TOPICS, topic
from rules.engine import sequence
from rules.engine.pack import effects as e
from rules.engine.questions import ORDERS, Question
from rules.library import pack

ENGINE = Path(sequence.__file__).parent


def asked_in(file: Path) -> set[str]:
    """Topics of the questions that a module asks: a text, or a name in that module."""
    name = ".".join(["rules.engine", *file.relative_to(ENGINE).with_suffix("").parts])
    module = importlib.import_module(name)
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Question":
            given = node.args[1]
            if isinstance(given, ast.Constant):
                found.add(str(given.value))
            elif isinstance(given, ast.Name):
                found.add(str(getattr(module, given.id)))
    return found


def topics() -> set[str]:
    files = [file for file in ENGINE.rglob("*.py") if file.name not in ("questions.py", "pregame.py")]
    heroes = {
        choice.topic
        for row in pack().exploration.values()
        for choice in _heroes(row.effects)
    }  # fmt: skip
    return set().union(*map(asked_in, files)) | set(_finds(pack())) | heroes


def _heroes(part: object) -> list[e.ChooseHero]:
    found = [part] if isinstance(part, e.ChooseHero) else []
    inner = (
        part
        if isinstance(part, tuple | list)
        else [getattr(part, name) for name in getattr(part, "__struct_fields__", ())]
    )
    return found + [hero for one in inner for hero in _heroes(one)]


def test_every_topic_of_the_engine_has_a_title_and_an_explanation() -> None:
    found = topics()
    assert len(found) > 30
    assert found - set(TOPICS) == set(), "topics without words"
    assert set(TOPICS) - found == set(), "words without a topic"
    for name in found:
        words = topic(name)
        assert str(words.ask).endswith("?")
        assert str(words.explains).endswith(".")


def test_every_topic_says_what_the_plain_habit_does() -> None:
    assert set(TOPICS) - set(USUAL) - set(_finds(pack())) == set()


def test_every_step_has_a_name_and_a_sentence() -> None:
    assert list(STEPS) == list(sequence.STEPS) == list(ABOUT)


@pytest.mark.parametrize("table", ["advancement_higher", "advancement_lower"])
def test_every_advance_is_called_something(table: str) -> None:
    for row in getattr(pack(), table):
        for option in row.options:
            assert len(advance(option.key)) > 4


def test_a_topic_that_nobody_knows_still_has_a_name() -> None:
    assert topic("sing_a_song").ask == "Sing a song"


def test_orders_of_every_topic_have_words() -> None:
    asked = {
        str(node.args[1].value)
        for file in ENGINE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Question" and len(node.args) > 2
        if getattr(node.args[2], "id", "") == "ORDERS" and isinstance(node.args[1], ast.Constant)
    }
    assert {"trade", "ransom", "allocate"} <= asked <= TEXTS.keys()


@pytest.mark.parametrize(
    ("topic", "orders", "text"),
    [
        ("trade", [], "Nothing"),
        ("trade", [{"do": "buy", "item": "Sword", "amount": 2}, {"do": "sell", "item": "i1"}], "2 bought, 1 sold"),
        ("trade", [{"do": "recruit", "type": "Squire", "models": 3}, {"do": "hire"}], "3 recruited, 1 hired"),
        ("ransom", [{"points": 40}], "40 points"),
        ("ransom", [{"points": 0, "items": ["i1"], "captives": ["2/f1"]}], "1 thing, 1 captive in return"),
        ("ransom", [{}], "For nothing"),
        ("allocate", [{"item": "i1"}, {"item": "i2"}], "2 things moved"),
        ("player_trade", [{}], "1 deal"),
        ("modify_exploration", [{}, {}], "2 dice changed"),
    ],
)
def test_orders_are_told_by_what_they_did(topic: str, orders: list[dict[str, object]], text: str) -> None:
    assert orders_text(Question("1/step/orders", topic, ORDERS), orders) == text
