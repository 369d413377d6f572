"""Questions say enough for a page to ask them well."""

from functools import cache
from typing import Any

import msgspec
import pytest

from rules.engine import scenario
from rules.engine.errors import InputError, RuleViolation
from rules.engine.phases.exploration import income, sets_within
from rules.engine.questions import Answer, Question
from rules.engine.run import StepRun
from tests.golden.test_golden import FOLDER, pack, read


@cache
def questions_of_all_scenarios() -> list[Question]:
    """Everything that is asked in any golden scenario, also where it is then refused."""
    return asked_in([entry for path in sorted(FOLDER.rglob("*.yaml")) for entry in read(path)])


def asked_in(entries: list[dict[str, Any]]) -> list[Question]:
    found: list[Question] = []
    answer = StepRun._answer

    def remember(run: StepRun, question: Question) -> Answer:
        found.append(question)
        return answer(run, question)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StepRun, "_answer", remember)
        for entry in entries:
            try:
                scenario.play_scenario(entry, pack())
            except (InputError, RuleViolation):
                continue
    return found


def test_every_option_has_words() -> None:
    topics = {question.topic for question in questions_of_all_scenarios()}
    assert len(topics) > 30
    for question in questions_of_all_scenarios():
        assert all(option.label for option in question.options), question.key


def test_every_question_can_be_written_down() -> None:
    """A page gets it as plain data."""
    for question in questions_of_all_scenarios():
        assert msgspec.json.decode(msgspec.json.encode(question))["key"] == question.key


@pytest.mark.parametrize(
    "topic",
    ["advance", "which_set", "skill", "devotion", "which_die", "leader", "too_many_heroes", "streetwise", "upkeep",
     "share_experience", "captive_fate", "rescue", "pits", "healing_herb", "skill_lists", "seventh_hero"],
)  # fmt: skip
def test_where_it_matters_every_option_says_what_it_leads_to(topic: str) -> None:
    asked = [question for question in questions_of_all_scenarios() if question.topic == topic]
    assert asked
    assert [question.key for question in asked if not all(option.consequence for option in question.options)] == []


@pytest.mark.parametrize(
    ("topic", "facts"),
    [
        ("keep_six", {"dice", "sets"}),
        ("which_set", {"dice", "income"}),
        ("advance", {"becomes"}),
        ("upkeep", {"due", "treasury"}),
        ("ransom", {"captor", "treasury", "items", "captives"}),
        ("drink_from_the_well", {"cause"}),
        ("straggler", {"cause"}),
        ("which_die", {"cause"}),
        ("share_experience", {"cause", "each", "remainder"}),
    ],
)
def test_facts_that_a_page_needs_come_along(topic: str, facts: set[str]) -> None:
    asked = [question for question in questions_of_all_scenarios() if question.topic == topic]
    assert asked
    assert all(facts <= question.facts.keys() for question in asked)


def first(entry: dict[str, Any]) -> Question:
    return asked_in([entry])[0]


def test_an_advance_says_what_the_values_become() -> None:
    pupil = {
        "experience": 2, "rolls_taken": 0, "profile": {"Off": 3, "Def": 2, "BS": 3}, "weapon_proficiencies": ["Bow"],
    }  # fmt: skip
    entry = {"steps": "advancement", "warbands": {"W": {"fighters": {"otto": pupil}}}, "dice": [3, 4]}
    question = first(entry)
    assert [(option.key, option.label, option.consequence) for option in question.options] == [
        ("Off+Def", "Offensive Skill and Defensive Skill", "Off 3 to 4, Def 2 to 3"),
        ("BS", "Ballistic Skill", "BS 3 to 4"),
    ]
    assert question.facts["becomes"] == {"Off+Def": {"Off": (3, 4), "Def": (2, 3)}, "BS": {"BS": (3, 4)}}


def test_what_is_at_its_maximum_does_not_become_more() -> None:
    highest = pack().maxima["Human"]["Def"]
    pupil = {
        "experience": 2, "rolls_taken": 0, "profile": {"Def": highest}, "weapon_proficiencies": ["Bow"],
    }  # fmt: skip
    entry = {"steps": "advancement", "warbands": {"W": {"fighters": {"otto": pupil}}}, "dice": [3, 4]}
    assert first(entry).facts["becomes"]["Off+Def"]["Def"] == (highest, highest)


def test_each_set_comes_with_the_dice_that_earn_the_most() -> None:
    faces = [1, 1, 1, 5, 5, 2, 6]
    found = sets_within(faces, pack())
    assert set(found) == {"11", "111", "55"}
    assert found["11"]["keep"] == ["0", "1", "3", "4", "5", "6"]
    assert found["111"]["keep"] == ["0", "1", "2", "3", "4", "6"]
    assert found["11"]["income"] == income(20, pack())
    assert found["111"]["finds"] == pack().exploration["111"].text


def test_nobody_keeps_a_smaller_set_than_the_dice_allow() -> None:
    """Six threes and a one: five of them are the fewest that can be kept."""
    assert set(sets_within([3, 3, 3, 3, 3, 3, 1], pack())) == {"33333", "333333"}


def test_a_risk_is_told_beforehand() -> None:
    asked = [question for question in questions_of_all_scenarios() if question.topic == "enter_the_pit"]
    assert {question.options[0].consequence for question in asked} == {"D6x20 points (on a 6 a hero is lost)"}


def test_a_hero_is_named_with_the_value_that_he_is_tested_with() -> None:
    fighters = {"otto": {"profile": {"Res": 4}}, "hans": {}}
    warband = {"fighters": fighters, "leader": "otto", "effects": [{"name": "exploration_roll", "target": "1,1,6"}]}
    question = first({"steps": "exploration", "warbands": {"W": warband}, "dice": []})
    assert question.topic == "drink_from_the_well"
    assert [option.consequence for option in question.options] == [
        "A test with Resilience 4", "A test with Resilience 3", "Nothing happens",
    ]  # fmt: skip
