"""Whatever somebody writes into a scenario file, the answer is a result or words that say what is wrong with it."""

from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.engine.errors import InputError, RuleViolation
from rules.engine.scenario import pack_folders, play_scenario
from tests.engine.json_like import values
from tests.engine.test_scenario_docs import examples, pack, read

Place = tuple[Any, ...]


def places(content: Any, path: Place = ()) -> list[Place]:
    inner = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    return [path, *(place for key, value in inner for place in places(value, (*path, key)))]


def inside(content: Any, path: Place) -> Any:
    for key in path:
        content = content[key]
    return content


def replace_value(content: Any, path: Place, value: Any, name: Any) -> None:
    inside(content, path[:-1])[path[-1]] = value


def rename_key(content: Any, path: Place, value: Any, name: Any) -> None:
    holder = inside(content, path[:-1])
    if isinstance(holder, dict):
        holder[name] = holder.pop(path[-1])


def add_key(content: Any, path: Place, value: Any, name: Any) -> None:
    holder = inside(content, path)
    if isinstance(holder, dict):
        holder[name] = value
    elif isinstance(holder, list):
        holder.append(value)


def leave_out(content: Any, path: Place, value: Any, name: Any) -> None:
    del inside(content, path[:-1])[path[-1]]


def told_or_played(content: Any) -> None:
    try:
        result = play_scenario(content, pack())
    except (InputError, RuleViolation):
        pass
    else:
        assert isinstance(result, dict)


@cache
def keys() -> list[str]:
    """Every key that an example uses, so that keys turn up in places where they mean something else, or the same."""
    found = {part for example in examples() for path in places(read(example)) for part in path}
    return sorted(part for part in found if isinstance(part, str))


@cache
def anything() -> st.SearchStrategy[Any]:
    return values(keys(), keys())


MISTAKES = (replace_value, replace_value, replace_value, rename_key, add_key, add_key, leave_out)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(examples()), st.data())
def test_a_mangled_file_is_played_or_refused_in_words(example: str, data: st.DataObject) -> None:
    content = deepcopy(read(example))
    for _ in range(data.draw(st.integers(1, 3))):
        there = places(content)[1:]
        if not there:
            break
        path = data.draw(st.sampled_from(there))
        mistake = data.draw(st.sampled_from(MISTAKES))
        name = data.draw(st.sampled_from(keys()) | st.text(max_size=3) | st.integers(0, 3))
        mistake(content, path, data.draw(anything()), name)
    told_or_played(content)


@given(values())
@settings(deadline=None)
def test_anything_at_all_is_refused_in_words(content: Any) -> None:
    told_or_played(content)


FIGHTER_FIELDS: dict[str, list[Any]] = {
    "rules": [
        "Regeneration (x)",
        "Regeneration",
        "Wanderer (soon)",
        "(",
        "",
        "Fear (much)",
        "Aegis (all)",
        5,
        ["Fear"],
    ],
    "models": [0, -1, 10**9, 2.5, "two"],
    "items": [{"name": "Sword", "upgrades": ["Unheard of"]}, {"name": ["Sword"]}, {"name": "Sword", "id": 3}],
    "devotion": ["lukewarm", 3],
    "rolls_taken": [-5],
    "experience": [float("nan"), float("inf"), "9" * 30],
}


@pytest.mark.parametrize(
    ("field", "value"), [(field, value) for field, all_ in FIGHTER_FIELDS.items() for value in all_]
)
def test_a_fighter_that_cannot_be_is_refused(field: str, value: Any) -> None:
    fighter = {field: [value] if field in ("rules", "items") else value}
    content = {
        "warbands": {"reds": {"fighters": {"captain": fighter, "smith": {}}}, "blues": {"fighters": {"boss": {}}}},
        "battle": {"reds": {"fighters": {"captain": {"out_of_action": 1, "by": {"warband": "blues"}}}}},
        "steps": ["injury", "exploration", "advancement", "warband"],
        "answers": {"reds/injury/captain/injury/result": "fight"},
        "dice": [6, 5] + [3, 4, 1, 6, 2, 5] * 300,
        "policy": "default",
        "ask": [{"relation": ["reds.captain", "blues.boss"]}],
    }
    told_or_played(content)


SLIPS: dict[str, Any] = {
    "species": "Martian",
    "rules": ["Regeneratoin (4+)"],
    "skills": ["Hagle"],
    "skill_lists": ["Combta"],
    "spells": ["Firebal"],
    "injuries": ["Blind"],
    "advances": ["Off and Def"],
    "addictions": ["Beer"],
    "used": ["Beer"],
    "weapon_proficiencies": ["Swrod"],
    "armour_proficiencies": ["Sword"],
    "maxima": {"Strength": 1},
    "experience": -1,
    "hands_lost": -1,
}


@pytest.mark.parametrize("field", SLIPS)
def test_a_slip_is_told_with_its_place_and_what_was_allowed(field: str) -> None:
    content = {"warbands": {"reds": {"fighters": {"captain": {field: SLIPS[field]}}}}, "battle": {}}
    with pytest.raises(InputError) as refusal:
        play_scenario(content, pack())
    assert refusal.value.where == f"warbands.reds.fighters.captain.{field}"
    assert refusal.value.allowed


OTHER_MISTAKES: dict[str, Any] = {
    "an id with a sign that has a meaning": {"warbands": {"reds": {"fighters": {"a#1": {}}}}, "battle": {}},
    "an upgrade that is built into nothing": {"warbands": {"reds": {"stockpile": ["Lucky"]}}, "battle": {}},
    "an empty id": {"warbands": {"reds": {"fighters": {"": {}}}}, "battle": {}},
    "an opponent who is not there": {"warbands": {"reds": {}}, "battle": {"reds": {"fought": ["blues"]}}},
    "somebody who fought himself": {"warbands": {"reds": {}}, "battle": {"reds": {"fought": ["reds"]}}},
    "a step that is a list": {"warbands": {"reds": {}}, "from": ["injury"]},
    "a warband that is a mapping": {"warbands": {"reds": {}}, "battle": {}, "for": {}},
    "dice on the table that are none": {
        "warbands": {"reds": {"effects": [{"name": "exploration_roll", "target": "3,x"}]}}, "steps": "exploration",
    },
    "typed dice that are no list": {"warbands": {"reds": {}}, "battle": {}, "typed": {"b1/market_status": 3}},
    "more dice than there are": {"ask": [{"odds": {"dice": "900D6"}}]},
    "a maximised roll without end": {"ask": [{"odds": {"rarity": 5, "maximised": 50_000}}]},
    "a market that is none": {"ask": [{"price": "Sword", "market": ["local"]}]},
    "an army of nowhere": {"warbands": {"reds": {"army": "XYZ"}}, "battle": {}},
    "nothing to do": {"warbands": {"reds": {}}},
    "nothing at all": {},
    "nobody to play": {"battle": {}},
    "somebody delayed who fell": {
        "warbands": {"reds": {"fighters": {"captain": {"delayed": True}}}},
        "battle": {"reds": {"fighters": {"captain": {"out_of_action": 1}}}},
    },
    "a market status of 7": {"warbands": {"reds": {"market_status": 7}}, "battle": {}},
    "a rarity pool of 19": {"warbands": {"reds": {"rarity_pool": 19}}, "battle": {}},
    "a wish about nothing": {"warbands": {"reds": {}}, "battle": {}, "policy": {"skil": "Haggle"}},
    "thick boxes that fall": {"warbands": {"reds": {}}, "battle": {}, "settings": {"lower_thresholds": [5, 2]}},
    "thick boxes beyond the track": {"warbands": {"reds": {}}, "battle": {}, "settings": {"higher_track": 10}},
    "more losses than models": {"warbands": {"reds": {}}, "battle": {}, "settings": {"rout_percent": 101}},
    "achievements once in a while": {"warbands": {}, "ask": [], "settings": {"achievements_once_per": "never"}},
    "an effect of nothing": {"warbands": {"reds": {"effects": [{"name": "rarity"}]}}, "battle": {}},
    "an achievement of nobody": {"warbands": {"reds": {}}, "battle": {"reds": {"achievements": ["Flight"]}}},
    "a number that is taken": {"warbands": {"reds": {"next_id": 3, "fighters": {"f3": {}}}}, "battle": {}},
    "an item in two hands": {
        "warbands": {"reds": {"stockpile": [{"name": "Axe", "id": "i7"}, {"name": "Sword", "id": "i7"}]}}, "battle": {},
    },
    "somebody felled by nobody": {
        "warbands": {"reds": {"fighters": {"captain": {}}}, "blues": {}},
        "battle": {"reds": {"fighters": {"captain": {"by": {"warband": "blues", "fighter": "boss"}}}}},
    },
    "a way to fall that is none": {
        "warbands": {"reds": {"fighters": {"captain": {}}}},
        "battle": {"reds": {"fighters": {"captain": {"by": {"how": "magic"}}}}},
    },
    "a captor who is not there": {
        "warbands": {"reds": {"fighters": {"captain": {"captive_of": "blues"}}}}, "steps": "player_trade",
    },
    "fewer than nobody out of action": {
        "warbands": {"reds": {"fighters": {"captain": {}}}},
        "battle": {"reds": {"fighters": {"captain": {"out_of_action": -1}}}},
    },
    "seeded and scripted dice": {"warbands": {"reds": {}}, "battle": {}, "seed": "x", "dice": [1]},
    "steps named twice": {"warbands": {"reds": {}}, "steps": "start", "from": "injury"},
    "an end before the beginning": {"warbands": {"reds": {}}, "from": "trading", "to": "injury"},
    "an answer to nobody": {"warbands": {"reds": {}}, "battle": {}, "answers": {"blues/injury/vanquish": []}},
    "fate in a step that is none": {"warbands": {"reds": {}}, "battle": {}, "fate": {"reds/injuries/x": [0]}},
    "dice for another battle": {"warbands": {"reds": {}}, "battle": {}, "typed": {"b2/market_status": [3]}},
}  # fmt: skip


@pytest.mark.parametrize("mistake", OTHER_MISTAKES)
def test_a_mistake_is_refused(mistake: str) -> None:
    with pytest.raises(InputError):
        play_scenario(OTHER_MISTAKES[mistake], pack())


def test_a_file_that_holds_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(InputError, match="nested too deep"):
        play_scenario({"warbands": {"reds": {"effects": endless}}, "battle": {}}, pack())


@pytest.mark.parametrize("packs", ["t9a-sc", ["../packs/t9a-sc"], [["t9a-sc"]], {"t9a-sc": 1}, [None], [""]])
def test_packs_are_folders_that_are_there(packs: Any) -> None:
    with pytest.raises(InputError):
        pack_folders({"packs": packs})


def test_packs_are_found_by_name() -> None:
    assert pack_folders({}) is None
    assert [folder.name for folder in pack_folders({"packs": ["t9a-sc", "starter-armies"]}) or []] == [
        "t9a-sc", "starter-armies",
    ]  # fmt: skip


FATE = [3, "0", [-1], ["0"], [0, 0], [9], {"0": 1}, [None], [True]]


@pytest.mark.parametrize("dice", FATE)
def test_fate_is_spent_on_dice_that_are_there(dice: Any) -> None:
    content = {
        "warbands": {"reds": {"fate_rerolls": 2, "fighters": {"captain": {}}}},
        "battle": {"reds": {"fighters": {"captain": {"out_of_action": 1}}}},
        "steps": "injury",
        "policy": "default",
        "seed": "any",
        "fate": {"reds/injury/captain/injury": dice},
    }
    with pytest.raises((InputError, RuleViolation)):
        play_scenario(content, pack())


def test_what_nothing_asked_for_is_told() -> None:
    content = {
        "warbands": {"reds": {"fate_rerolls": 1, "fighters": {"captain": {}}}},
        "battle": {"reds": {"fighters": {"captain": {"out_of_action": 1}}}},
        "steps": "injury",
        "answers": {"reds/injury/vanquish": [], "reds/injury/captain/injury/hreb": "use"},
        "fate": {"reds/injury/captain/injurry": [0]},
        "typed": {"b1/market_status": [3]},
        "dice": [4, 1, 6],
    }
    assert play_scenario(content, pack())["unused"] == {
        "answers": ["reds/injury/vanquish", "reds/injury/captain/injury/hreb"],
        "fate": ["reds/injury/captain/injurry"],
        "typed": ["b1/market_status"],
        "dice": 1,
    }
