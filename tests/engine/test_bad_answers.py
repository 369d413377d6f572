"""Whatever a player answers: the step goes on, or says in words why not, and nothing is left broken."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.engine import scenario
from rules.engine.battle import Battle
from rules.engine.changes import fold, unfold
from rules.engine.dice import SeededDice
from rules.engine.errors import InputError, RuleViolation
from rules.engine.pregame import PREGAME
from rules.engine.questions import ORDERS, Choices, Policy, Question
from rules.engine.sequence import STEPS, Played, play, steps_between
from rules.engine.settings import CampaignSettings
from rules.engine.state import Warband
from tests.engine.json_like import values
from tests.engine.test_scenario_docs import examples, pack, read, topics
from tests.golden.test_golden import FOLDER
from tests.golden.test_golden import read as read_golden

CASES_EACH = 4
"""How many situations a topic is asked in."""

FIELDS = (
    "do", "item", "items", "to", "from", "with", "give", "take", "points", "captives", "use", "die", "by", "fighter",
    "amount", "market", "half", "haggle", "mode", "type", "models", "name", "into", "upgrades",
)  # fmt: skip


class Rest:
    """The dice of a scenario in order, and when they are used up others."""

    def __init__(self, faces: list[int]) -> None:
        self.faces = iter(faces)
        self.behind = SeededDice(b"more")

    def face(self, key: str, index: int) -> int:
        return next(self.faces, None) or self.behind.face(key, index)

    def is_physical(self, key: str) -> bool:
        return False


class Listener(Policy):
    """Gives the answers that it was told, defaults otherwise, and remembers what was asked."""

    def __init__(self, answers: Mapping[str, Any] = MappingProxyType({})) -> None:
        self.answers = answers
        self.heard: list[Question] = []

    def answer(self, question: Question, run: Any) -> Any:
        self.heard.append(question)
        return self.answers.get(question.key, question.default)


@dataclass(frozen=True)
class Situation:
    """A scenario with its steps, apart from one answer."""

    entry: dict[str, Any]
    warbands: dict[str, Warband]
    battle: Battle
    rules: CampaignSettings

    def play(self, answers: dict[str, Any], policy: Policy) -> Played:
        me = self.entry.get("for", next(iter(self.warbands)))
        choices = Choices(answers, self.entry.get("fate") or {})
        dice = Rest(self.entry.get("dice", []))
        return play(
            self.warbands, me, self.battle, pack(), dice,
            steps=steps(self.entry), choices=choices, settings=self.rules, policy=policy,
        )  # fmt: skip


def steps(entry: dict[str, Any]) -> list[str]:
    if "steps" in entry:
        return [entry["steps"]] if isinstance(entry["steps"], str) else entry["steps"]
    names = list(STEPS)
    return steps_between(entry.get("from", names[0]), entry.get("to", names[-1]))


def entries() -> Iterator[dict[str, Any]]:
    """The examples of the scenario format, then the golden scenarios."""
    yield from (read(example) for example in examples())
    yield from (entry for path in sorted(FOLDER.rglob("*.yaml")) for entry in read_golden(path))


def situation(entry: dict[str, Any]) -> Situation:
    rules = msgspec.convert(entry.get("settings") or {}, CampaignSettings)
    warbands = {
        name: scenario.warband(name, deepcopy(content), pack(), rules) for name, content in entry["warbands"].items()
    }
    return Situation(entry, warbands, scenario.battle(deepcopy(entry.get("battle") or {}), warbands, pack()), rules)


@cache
def cases() -> dict[str, list[tuple[Situation, Question]]]:
    """By topic, in which situations and with which key a question is asked."""
    found: dict[str, list[tuple[Situation, Question]]] = {}
    for entry in entries():
        if "error" in entry.get("expect", {}) or entry.keys().isdisjoint(("steps", "from", "to", "battle")):
            continue
        listener = Listener(entry.get("answers") or {})
        try:
            where = situation(entry)
            where.play({}, listener)
        except (InputError, RuleViolation):
            continue
        for question in listener.heard:
            known = found.setdefault(question.topic, [])
            if len(known) < CASES_EACH and all(other.entry is not entry for other, _ in known):
                known.append((where, question))
    return found


def words(where: Situation, question: Question) -> list[str]:
    """What is worth saying here: ids, options, names of things."""
    found = [option.key for option in question.options]
    for name, warband in where.warbands.items():
        found += [name, *warband.fighters, *(item.id for item in warband.stockpile)]
        found += [item.id for fighter in warband.fighters.values() for item in fighter.items]
        found += [f"{name}/{key}" for key in warband.fighters]
    return list(dict.fromkeys(found))


@cache
def answers(topic: str, place: int) -> st.SearchStrategy[Any]:
    where, question = cases()[topic][place]
    inner = values(words(where, question), FIELDS)
    if question.form == ORDERS:
        wild = st.dictionaries(st.sampled_from(FIELDS), inner, min_size=1, max_size=4)
        close = likely(where, topic)
        return st.lists(close, min_size=1, max_size=3) | st.lists(wild | close, min_size=1, max_size=3) | inner
    keys = st.sampled_from([option.key for option in question.options])
    return keys | st.lists(keys, max_size=4) | inner


def likely(where: Situation, topic: str) -> st.SearchStrategy[Any]:
    """Orders of the right form with anything in some of their parts: what is behind the first check is reached too."""
    things = [item.id for warband in where.warbands.values() for item in warband.stockpile]
    for warband in where.warbands.values():
        things += [item.id for fighter in warband.fighters.values() for item in fighter.items]
    return st.one_of(*_ORDERS[topic](
        st.sampled_from(things or ["i1"]),
        st.sampled_from([key for warband in where.warbands.values() for key in warband.fighters] or ["f1"]),
        st.sampled_from([*where.warbands]),
    ))  # fmt: skip


Part = st.SearchStrategy[Any]
order = st.fixed_dictionaries


def allocations(thing: Part, who: Part, warband: Part) -> list[Part]:
    return [
        order({"item": thing, "to": who | anything()}, optional={"from": who | anything()}),
        order({"do": st.just("destroy") | anything(), "item": thing}),
    ]


def deals(thing: Part, who: Part, warband: Part) -> list[Part]:
    side = order({}, optional={"points": small() | anything(), "items": st.lists(thing) | anything()})
    return [order({"with": warband | anything(), "give": side | anything(), "take": side})]


def ransoms(thing: Part, who: Part, warband: Part) -> list[Part]:
    captive = st.tuples(warband, who).map("/".join)
    things = {"points": small() | anything(), "items": st.lists(thing), "captives": st.lists(captive) | anything()}
    return [order({}, optional=things)]


def modifications(thing: Part, who: Part, warband: Part) -> list[Part]:
    more = {"by": st.integers(-3, 3) | anything(), "fighter": who | anything()}
    uses = st.sampled_from(["dowser", "catacombs", "city_map", "tarot"])
    return [order({"use": uses, "die": small() | anything()}, optional=more)]


def purchases(thing: Part, who: Part, warband: Part) -> list[Part]:
    ware = st.sampled_from(["Sword", "Sharpened Sword", "Riding Horse", "Dispel Scroll", "Hunting Arrows"])
    upgraded = order({"name": ware, "upgrades": anything() | st.lists(st.just("Sharpened"))})
    haggle = order({"fighter": who | anything(), "mode": st.just("points") | anything()})
    kinds = st.sampled_from([*pack().fighters])
    amount = {"amount": small() | anything()}
    return [
        order({"do": st.just("buy"), "item": ware | upgraded | anything()}, optional=amount | {"haggle": haggle}),
        order({"do": st.just("buy"), "item": ware | upgraded}, optional={"market": anything(), "half": anything()}),
        order({"do": st.just("sell"), "item": thing | anything()}),
        order({"do": st.just("poison")}, optional=amount | {"haggle": haggle | anything()}),
        order({"do": st.just("recruit"), "type": kinds | anything()}, optional={"models": small() | anything()}),
        order({"do": st.just("recruit"), "into": who | anything()}, optional={"type": kinds, "name": anything()}),
        order({"do": st.just("hire"), "type": kinds}, optional={"name": anything(), "half": anything()}),
    ]


_ORDERS = {
    "allocate": allocations,
    "player_trade": deals,
    "ransom": ransoms,
    "modify_exploration": modifications,
    "trade": purchases,
}


@cache
def anything() -> st.SearchStrategy[Any]:
    return values()


def small() -> st.SearchStrategy[int]:
    return st.integers(0, 6)


def test_every_topic_is_asked_somewhere() -> None:
    assert topics() - cases().keys() == set()
    played = {step for found in cases().values() for where, _ in found for step in steps(where.entry)}
    assert played >= set(STEPS) - {"start", "underdog", "experience"}
    assert played & set(PREGAME)


@pytest.mark.parametrize("topic", sorted(topics() - _ORDERS.keys()))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_answer_is_taken_or_refused_in_words(topic: str, data: st.DataObject) -> None:
    answer_anything(topic, data)


@pytest.mark.parametrize("topic", _ORDERS)
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_order_is_carried_out_or_refused_in_words(topic: str, data: st.DataObject) -> None:
    answer_anything(topic, data)


BROKEN = {
    "trade": [
        {"do": "buy", "item": {"name": "Sword", "upgrades": [["Sharpened"]]}},
        {"do": "buy", "item": {"name": "Sword", "upgrades": 5}},
        {"do": "buy", "item": "Sword", "amount": 10**9},
        {"do": "recruit", "type": "Spearmen", "name": ["The Third"]},
    ],
    "allocate": [{"item": "i1", "to": ["captain"]}, {"item": "i1", "to": {"captain": 1}}, {"item": ["i1"], "to": ""}],
    "player_trade": [{"with": ["blues"]}, {"with": {"blues": 1}}],
}


@pytest.mark.parametrize(("topic", "order"), [(topic, order) for topic, orders in BROKEN.items() for order in orders])
def test_an_order_that_makes_no_sense_is_refused_as_such(topic: str, order: dict[str, Any]) -> None:
    where, question = cases()[topic][0]
    with pytest.raises(InputError):
        where.play({question.key: [order]}, Listener())


def answer_anything(topic: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(cases()[topic]) - 1))
    where, question = cases()[topic][place]
    answer = data.draw(answers(topic, place))
    given_answers = {key: value for key, value in (where.entry.get("answers") or {}).items() if key != question.key}
    given_answers[question.key] = answer
    before = deepcopy((msgspec.to_builtins(where.warbands), msgspec.to_builtins(where.battle), repr(given_answers)))
    try:
        played = where.play(given_answers, Listener())
    except (InputError, RuleViolation):
        pass
    else:
        assert_sound(where, played)
    assert (msgspec.to_builtins(where.warbands), msgspec.to_builtins(where.battle), repr(given_answers)) == before


def assert_sound(where: Situation, played: Played) -> None:
    """The changes lead from the old state to the new one and back, and nobody owes anything."""
    for name, before in where.warbands.items():
        after = played.warbands[name]
        mine = [change for change in played.changes if change.warband == name]
        assert fold(before, mine) == after
        assert unfold(after, mine) == before
        assert after.treasury >= min(0, before.treasury)
