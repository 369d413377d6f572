"""What a game master does by hand: each order changes what it says, can be taken back, and is refused in words."""

from functools import cache
from typing import Any

import pytest
from msgspec import convert
from msgspec.structs import replace

from rules.engine.changes import fold, unfold
from rules.engine.dice import SeededDice
from rules.engine.errors import InputError, RuleViolation
from rules.engine.interventions import AnyOrder, Intervention, Past, intervene
from rules.engine.pack.load import load_packs
from rules.engine.rating import warband_rating
from rules.engine.scenario import warband
from rules.engine.settings import CampaignSettings
from rules.engine.state import Warband

pack = cache(load_packs)


def band() -> Warband:
    fighters = {
        "boss": {"items": ["Sword"], "skills": ["Acrobat"]},
        "aide": {"experience": 12, "starting_experience": 8},
        "crew": {"kind": "henchmen", "models": 3},
    }
    made = warband("w", {"fighters": fighters, "leader": "boss", "treasury": 50, "next_id": 90}, pack())
    return replace(made, rating=warband_rating(made, pack()))


def done(order: dict[str, Any], state: Warband | None = None, past: Past = Past()) -> Intervention:  # noqa: B008
    dice = SeededDice(b"a seed")
    return intervene(state or band(), convert(order, AnyOrder), pack(), dice, CampaignSettings(), "by hand", past)


ORDERS: list[dict[str, Any]] = [
    {"do": "points", "amount": 25},
    {"do": "points", "amount": -50},
    {"do": "give_item", "item": "Shield", "fighter": "boss"},
    {"do": "give_item", "item": "Shield"},
    {"do": "experience", "fighter": "aide", "amount": 3},
    {"do": "experience", "fighter": "aide", "amount": -4},
    {"do": "injure", "fighter": "boss", "injury": "Blinded in One Eye"},
    {"do": "give_skill", "fighter": "aide", "skill": "Acrobat"},
    {"do": "take_skill", "fighter": "boss", "skill": "Acrobat"},
    {"do": "remove", "fighter": "crew"},
    {"do": "devotion", "devotion": "high"},
    {"do": "leader", "fighter": "aide"},
]


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order["do"])
def test_what_was_done_by_hand_is_taken_back_by_its_inverse(order: dict[str, Any]) -> None:
    before = band()
    result = done(order, before)
    assert result.changes
    assert fold(before, result.changes) == result.after
    assert unfold(result.after, result.changes) == before


def test_the_rating_follows_from_the_rest() -> None:
    after = done({"do": "remove", "fighter": "crew"}).after
    assert after.rating == warband_rating(after, pack())
    assert after.rating != band().rating


def test_an_item_is_taken_by_its_number() -> None:
    sword = band().fighters["boss"].items[0]
    assert done({"do": "take_item", "item": sword.id}).after.fighters["boss"].items == ()


def test_a_fallen_fighter_comes_back_as_he_was() -> None:
    fallen = band().fighters["aide"]
    without = done({"do": "remove", "fighter": "aide"}).after
    after = done({"do": "revive", "fighter": "aide"}, without, Past(fallen={"aide": fallen})).after
    assert after.fighters["aide"] == fallen


def test_healing_takes_back_what_the_injury_did() -> None:
    hurt = done({"do": "injure", "fighter": "boss", "injury": "Blinded in One Eye"})
    assert hurt.after.fighters["boss"].profile != band().fighters["boss"].profile
    past = Past(done=hurt.changes)
    healed = done({"do": "heal", "fighter": "boss", "injury": "Blinded in One Eye"}, hurt.after, past).after
    assert healed.fighters["boss"] == band().fighters["boss"]


REFUSED: list[dict[str, Any]] = [
    {"do": "points", "amount": 0},
    {"do": "points", "amount": -51},
    {"do": "give_item", "item": "Moonbeam"},
    {"do": "give_item", "item": "Shield", "fighter": "nobody"},
    {"do": "take_item", "item": "i999"},
    {"do": "experience", "fighter": "aide", "amount": -5},
    {"do": "injure", "fighter": "boss", "injury": "Bad Mood"},
    {"do": "heal", "fighter": "boss", "injury": "Blinded in One Eye"},
    {"do": "give_skill", "fighter": "boss", "skill": "Acrobat"},
    {"do": "take_skill", "fighter": "aide", "skill": "Acrobat"},
    {"do": "revive", "fighter": "aide"},
    {"do": "revive", "fighter": "stranger"},
    {"do": "remove", "fighter": "stranger"},
    {"do": "devotion", "devotion": "medium"},
    {"do": "devotion", "devotion": "huge"},
    {"do": "leader", "fighter": "crew"},
    {"do": "leader", "fighter": "boss"},
]


@pytest.mark.parametrize("order", REFUSED, ids=str)
def test_what_makes_no_sense_is_refused_in_words(order: dict[str, Any]) -> None:
    before = band()
    with pytest.raises((InputError, RuleViolation)) as refusal:
        done(order, before)
    assert str(refusal.value)
