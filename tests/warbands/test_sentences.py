"""Every kind of change is told, and nothing is told with a placeholder in it."""

from typing import Any

import pytest

from rules.engine.changes import LISTS, VOCABULARY
from rules.engine.pack.check import walk_effects
from rules.engine.pack.effects import Lasting
from rules.engine.vocabulary import EFFECTS
from rules.library import pack
from warbands.lasting import LASTING, lasting
from warbands.names import Names
from warbands.sentences import FIELDS, TELLERS, is_bookkeeping, sentence

NAMES = Names({"f1": "Odile", "f2": "Joss"}, {"7": "Sable Oath", "7/f3": "Veyra of Sable Oath"})
SWORD = {"id": "i1", "name": "Sword", "upgrades": ["Sharpened"], "detail": ""}
FIGHTER = {"id": "f1", "name": "Odile", "type": "Marshal", "models": 1}
WOUND = {"name": "Leg Wound", "battle": "b1", "by": "7/f3"}
HATRED = {"name": "Hatred", "value": "", "against": "fighter:7/f3"}

TOLD: list[tuple[dict[str, Any], str]] = [
    (
        {"event": "Founded", "state": {"name": "Wardens", "treasury": 12, "fighters": {"f1": {"models": 3}}}},
        "Wardens was founded with 3 models and 12 points left.",
    ),
    ({"event": "TreasuryChanged", "amount": 90, "cause": "income"}, "90 points came in: income."),
    ({"event": "TreasuryChanged", "amount": -1, "cause": "upkeep"}, "1 point paid: upkeep."),
    (
        {"event": "WarbandSet", "field": "rating", "before": 56, "after": 66, "cause": "warband phase"},
        "Rating 56 to 66: warband phase.",
    ),
    (
        {"event": "WarbandSet", "field": "leader", "before": "f2", "after": "f1", "cause": "new leader"},
        "Odile leads the warband now.",
    ),
    (
        {"event": "WarbandSet", "field": "leader", "before": "f2", "after": "", "cause": "Dead"},
        "Joss leads the warband no more.",
    ),
    (
        {"event": "WarbandSet", "field": "name", "before": "Old", "after": "New", "cause": "renamed"},
        "The warband, once Old, is now called New.",
    ),
    (
        {"event": "WarbandSet", "field": "devotion", "before": "low", "after": "high", "cause": "Survived"},
        "Devotion low to high: Survived.",
    ),
    (
        {"event": "EffectBegan", "effect": {"name": "next_exploration_dice", "value": 1}, "cause": "Shop"},
        "From now on: dice in the next exploration: +1 (Shop).",
    ),
    (
        {"event": "EffectBegan", "effect": {"name": "zone_roll", "value": 30}, "cause": "zone_roll"},
        "From now on: 30 for the deployment zone (rolled).",
    ),
    (
        {"event": "EffectEnded", "effect": {"name": "moneylender"}, "cause": "used"},
        "Over: the moneylender pays the market status in points after every trading (used).",
    ),
    ({"event": "FighterJoined", "fighter": FIGHTER, "cause": "recruited"}, "Odile joined, Marshal: recruited."),
    (
        {"event": "FighterJoined", "fighter": FIGHTER | {"models": 4}, "cause": "recruited"},
        "Odile joined, 4 Marshal: recruited.",
    ),
    ({"event": "FighterVanquished", "fighter": FIGHTER, "cause": "Dead"}, "Odile is gone for good: dead."),
    ({"event": "ModelsChanged", "fighter": "f1", "amount": -1, "cause": "Dead"}, "Odile lost a model: dead."),
    ({"event": "ModelsChanged", "fighter": "f1", "amount": 2, "cause": "hired"}, "2 models joined Odile: hired."),
    ({"event": "IdsTaken", "amount": 2}, "2 numbers were given out."),
    (
        {"event": "ExperienceGained", "fighter": "f1", "amount": 0.5, "cause": "participation"},
        "Odile gained 0.5 experience: took part.",
    ),
    (
        {"event": "CharacteristicChanged", "fighter": "f1", "characteristic": "Off", "amount": -1, "cause": "Curse"},
        "Odile: Offensive Skill lowered by 1, Curse.",
    ),
    (
        {"event": "MaximumChanged", "fighter": "f1", "characteristic": "Str", "amount": 1, "cause": "Mighty"},
        "Odile: the maximum of Strength is 1 higher, Mighty.",
    ),
    (
        {"event": "Gained", "fighter": "f1", "what": "injury", "trait": WOUND, "cause": "Leg Wound"},
        "Odile was hurt by Veyra of Sable Oath: Leg Wound.",
    ),
    (
        {"event": "Gained", "fighter": "f1", "what": "rule", "trait": HATRED, "cause": "Bigotry"},
        "Odile has Hatred (against Veyra of Sable Oath) now: Bigotry.",
    ),
    (
        {"event": "Lost", "fighter": "f1", "what": "skill", "trait": "Haggle", "cause": "mistake"},
        "Odile lost Haggle: mistake.",
    ),
    (
        {"event": "ItemGained", "holder": "", "item": SWORD, "cause": "Shop"},
        "Sharpened Sword came into the stockpile: Shop.",
    ),
    ({"event": "ItemLost", "holder": "f1", "item": SWORD, "cause": "sold"}, "Odile lost Sharpened Sword: sold."),
    (
        {"event": "ItemMoved", "item": SWORD, "giver": "f1", "taker": "f2", "cause": "allocated"},
        "Odile gave Sharpened Sword to Joss.",
    ),
    (
        {"event": "ItemMoved", "item": SWORD, "giver": "", "taker": "f2", "cause": "allocated"},
        "Joss took Sharpened Sword from the stockpile.",
    ),
    (
        {"event": "ItemMoved", "item": SWORD, "giver": "f1", "taker": "", "cause": "allocated"},
        "Odile put Sharpened Sword into the stockpile.",
    ),
    ({"event": "Noted", "text": "Ilse leads it", "cause": "Game master: why"}, "Ilse leads it (Game master: why)"),
    (
        {"event": "FighterSet", "fighter": "f1", "field": "captive_of", "before": "", "after": "7", "cause": "Lost"},
        "Odile is held captive by Sable Oath: Lost.",
    ),
    (
        {"event": "FighterSet", "fighter": "f1", "field": "melee_kills", "before": 1, "after": 3, "cause": "battle"},
        "Odile took 2 enemies out of action in melee, 3 in all.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("change", "told"), TOLD, ids=[told for _change, told in TOLD])
def test_a_change_is_told(change: dict[str, Any], told: str) -> None:
    assert sentence(change, NAMES) == told


def test_every_kind_of_change_is_told() -> None:
    assert set(TELLERS) == {*VOCABULARY, "Founded"}
    assert {change["event"] for change, _told in TOLD} == {*VOCABULARY, "Founded"}


@pytest.mark.parametrize("event", ["Gained", "Lost"])
@pytest.mark.parametrize("what", LISTS)
def test_everything_a_fighter_can_have_is_told(event: str, what: str) -> None:
    trait = {"rule": HATRED, "injury": {"name": "Leg Wound", "battle": "b1", "by": ""}}.get(what, "Haggle")
    said = sentence({"event": event, "fighter": "f1", "what": what, "trait": trait, "cause": "why"}, NAMES)
    assert "Odile" in said
    assert "%" not in said


@pytest.mark.parametrize("field", [*FIELDS, "species"])
@pytest.mark.parametrize(("before", "after"), [(0, 1), (1, 0)])
def test_every_value_of_a_fighter_is_told(field: str, before: int, after: int) -> None:
    values: dict[str, Any] = {"before": before, "after": after}
    if field == "captive_of":
        values = {part: "7" if value else "" for part, value in values.items()}
    if field == "skill_lists":
        values = {part: ["Combat"] if value else [] for part, value in values.items()}
    said = sentence({"event": "FighterSet", "fighter": "f1", "field": field, "cause": "why"} | values, NAMES)
    assert said.endswith(".")
    assert "%" not in said


def test_who_is_gone_has_no_name_but_a_sentence() -> None:
    change = {"event": "ExperienceGained", "fighter": "f99", "amount": 1, "cause": "participation"}
    assert sentence(change, NAMES) == "somebody who is gone gained 1 experience: took part."
    assert NAMES.foe("7/f99") == "somebody of Sable Oath"
    assert NAMES.foe("8/f1") == "a foe long gone"


def test_numbers_given_out_are_bookkeeping() -> None:
    assert is_bookkeeping({"event": "IdsTaken", "amount": 1})
    assert not is_bookkeeping(TOLD[1][0])


def test_everything_that_a_warband_can_remember_has_words() -> None:
    effects = walk_effects(effect for row in pack().exploration.values() for effect in row.effects)
    found = {effect.name for effect in effects if isinstance(effect, Lasting)}
    assert "moneylender" in found
    assert found <= EFFECTS.keys() == LASTING.keys()
    for name in LASTING:
        assert "%" not in lasting({"name": name, "value": 2, "target": "Zombie"})
