"""Every change can be taken back, and folding changes gives the state: the very same one, order included."""

from functools import cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.engine import acts
from rules.engine import changes as c
from rules.engine.battle import Battle
from rules.engine.dice import ScriptedDice, SeededDice
from rules.engine.pack.load import load_packs
from rules.engine.pack.schema import Pack
from rules.engine.plain import state_to_plain
from rules.engine.policy import POLICIES
from rules.engine.run import StepRun
from rules.engine.scenario import HUMAN
from rules.engine.scenario import battle as read_battle
from rules.engine.scenario import warband as read_warband
from rules.engine.sequence import play
from rules.engine.state import Effect, Fighter, Injury, Item, Rule, Warband, evolve

SWORD, SHIELD, TORCH = Item("i1", "Sword"), Item("i2", "Shield"), Item("i3", "Torch")
LUCK, DEBT = Effect("luck", 2), Effect("debt", 1)
HATRED, FEAR = Rule("Hatred", "", "species:Orc"), Rule("Fear", "1")


def warband() -> Warband:
    odile = Fighter("odile", "Odile", "hero", "Captain", "Human", dict(HUMAN), items=(SWORD,), rules=(HATRED, FEAR))
    watch = Fighter("watch", "Watch", "henchmen", "Guard", "Human", dict(HUMAN), models=3, items=(SHIELD,))
    return Warband(
        "w", "Wardens", "EoS", treasury=20, leader="odile", fighters={"odile": odile, "watch": watch},
        stockpile=(TORCH,), effects=(LUCK, DEBT),
    )  # fmt: skip


NEW = Fighter("pell", "Pell", "hero", "Squire", "Human", dict(HUMAN))

POSSIBLE: list[c.Change] = [
    c.TreasuryChanged("w", 15, "found"),
    c.TreasuryChanged("w", -5, "upkeep"),
    c.WarbandSet("w", "leader", "odile", "", "fell"),
    c.EffectBegan("w", Effect("moneylender", 1), "found"),
    c.EffectBegan("w", Effect("rarity_once", 1), "taken back", 1),
    c.EffectEnded("w", LUCK, "used", 0),
    c.FighterJoined("w", NEW, 1, "recruited"),
    c.FighterVanquished("w", warband().fighters["watch"], 1, "dead"),
    c.ModelsChanged("w", "watch", -1, (SHIELD,), "dead"),
    c.ModelsChanged("w", "watch", 2, (Item("i9", "Shield"),), "recruited"),
    c.IdsTaken("w", 3),
    c.ExperienceGained("w", "odile", 1.5, "took part"),
    c.CharacteristicChanged("w", "odile", "Str", 1, "advance"),
    c.MaximumChanged("w", "odile", "Off", 1, "arena"),
    c.FighterSet("w", "odile", "delayed", False, True, "leg wound"),
    c.Gained("w", "odile", "skill", "Haggle", "advance"),
    c.Gained("w", "odile", "injury", Injury("Leg Wound", "b1"), "leg wound"),
    c.Gained("w", "odile", "rule", Rule("Fearless"), "taken back", 1),
    c.Lost("w", "odile", "rule", HATRED, "forgiven", 0),
    c.ItemGained("w", "", Item("i7", "Axe"), "found"),
    c.ItemGained("w", "odile", Item("i8", "Axe"), "given"),
    c.ItemLost("w", "odile", SWORD, "robbed"),
    c.ItemMoved("w", TORCH, "", "odile", "allocated"),
    c.Noted("w", "Ilse leads it now", "Game master: she moved away"),
]


def test_every_kind_of_change_is_tried_here() -> None:
    assert {type(change) for change in POSSIBLE} == set(c.VOCABULARY.values())


@given(st.sampled_from(POSSIBLE))
def test_a_change_and_its_inverse_cancel(change: c.Change) -> None:
    before = warband()
    assert written(change.inverse().apply(change.apply(before))) == written(before)
    assert change.inverse().inverse() == change


def written(content: Any) -> Any:
    """Two states that are written alike differ in nothing, not even in the order of a mapping."""
    if isinstance(content, Warband):
        return written(state_to_plain(content))
    if isinstance(content, dict):
        return [(key, written(value)) for key, value in content.items()]
    return [written(value) for value in content] if isinstance(content, list | tuple) else content


def independent(chosen: list[c.Change]) -> list[c.Change]:
    """Without those whose ground another one takes away."""
    touched: set[Any] = set()
    kept = []
    for change in chosen:
        named = [getattr(change, name, None) for name in ("fighter", "holder", "item", "effect", "trait")]
        things = {thing.id if isinstance(thing, Fighter | Item) else thing for thing in named if thing}
        if not things & touched:
            kept.append(change)
            touched |= things
    return kept


@given(st.lists(st.sampled_from(POSSIBLE), max_size=8, unique_by=id))
def test_folding_and_unfolding_gives_the_state_back(chosen: list[c.Change]) -> None:
    kept = independent(chosen)
    before = warband()
    after = c.fold(before, kept)
    assert written(c.unfold(after, kept)) == written(before)


THINGS = st.lists(st.sampled_from("abc"), max_size=6)


@settings(deadline=None)
@given(THINGS, st.lists(st.tuples(st.booleans(), st.sampled_from("abc")), max_size=8))
def test_what_comes_and_goes_stands_where_it_stood_when_all_is_taken_back(
    names: list[str], steps: list[tuple[bool, str]]
) -> None:
    """Skills and effects, several of a name among them, gained and lost in any order."""
    odile = evolve(warband().fighters["odile"], skills=tuple(names))
    before = evolve(warband(), fighters={"odile": odile}, effects=tuple(map(Effect, names)))
    run = StepRun("test", {"w": before}, "w", Battle("", {}), pack(), ScriptedDice(()))
    for gains, name in steps:
        if gains:
            run.change(c.Gained("w", "odile", "skill", name, ""), c.EffectBegan("w", Effect(name), ""))
        elif name in run.fighter("odile").skills:
            acts.lose(run, "odile", "skill", name, "")
            acts.end_effect(run, Effect(name), "")
    assert written(c.fold(before, run.changes)) == written(run.state)
    assert written(c.unfold(run.state, run.changes)) == written(before)


def test_a_loss_whose_place_is_no_longer_right_takes_the_first_that_is_alike() -> None:
    loss = c.Lost("w", "odile", "rule", FEAR, "corrected", 7)
    assert loss.apply(warband()).fighters["odile"].rules == (HATRED,)
    assert c.EffectEnded("w", LUCK, "corrected", c.END).apply(warband()).effects == (DEBT,)


@cache
def pack() -> Pack:
    return load_packs()


ENTRY = {
    "treasury": 40,
    "effects": [
        {"name": "underdog", "value": 1}, {"name": "moneylender", "value": 1}, {"name": "rarity_once", "value": 2},
        {"name": "next_exploration_dice", "value": 1}, {"name": "liquor_upkeep", "value": 5, "target": "smith"},
    ],
    "stockpile": ["Sword", "Garlic"],
    "fighters": {
        "captain": {"experience": 6, "rolls_taken": 0, "skill_lists": ["Combat", "Speed"], "used": ["Torch"]},
        "smith": {"experience": 4, "rolls_taken": 0, "items": ["Axe"], "used": ["Mad Mushroom", "Torch"],
                  "rules": ["Wanderer (6+)", "Fear (1)", "Wanderer (5+)"], "injuries": ["Old Battle Wound"]},
        "guards": {"kind": "henchmen", "models": 3, "items": ["Sword", "Sword"], "experience": 5, "rolls_taken": 0},
    },
}  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.binary(min_size=1, max_size=8), st.sampled_from(list(POLICIES)))
def test_a_whole_post_game_can_be_taken_back(seed: bytes, policy: str) -> None:
    before = {name: read_warband(name, ENTRY, pack()) for name in ("reds", "blues")}
    fallen = {key: {"out_of_action": 1, "by": {"warband": "blues", "fighter": "smith"}} for key in ENTRY["fighters"]}  # type: ignore[attr-defined]
    fought = read_battle({"reds": {"fighters": fallen}}, before, pack())
    played = play(before, "reds", fought, pack(), SeededDice(seed), policy=POLICIES[policy])
    for name, state in before.items():
        mine = [change for change in played.changes if change.warband == name]
        assert written(c.fold(state, mine)) == written(played.warbands[name])
        assert written(c.unfold(played.warbands[name], mine)) == written(state)


def test_a_change_leaves_the_old_state_alone() -> None:
    before = warband()
    for change in POSSIBLE:
        change.apply(before)
    assert before == warband()
