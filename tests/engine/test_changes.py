"""Every change can be taken back, and folding changes gives the state."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rules.engine import changes as c
from rules.engine.scenario import HUMAN
from rules.engine.state import Effect, Fighter, Injury, Item, Rule, Warband

SWORD, SHIELD, TORCH = Item("i1", "Sword"), Item("i2", "Shield"), Item("i3", "Torch")
LUCK = Effect("luck", 2)
HATRED = Rule("Hatred", "", "species:Orc")


def warband() -> Warband:
    odile = Fighter("odile", "Odile", "hero", "Captain", "Human", dict(HUMAN), items=(SWORD,), rules=(HATRED,))
    watch = Fighter("watch", "Watch", "henchmen", "Guard", "Human", dict(HUMAN), models=3, items=(SHIELD,))
    return Warband(
        "w", "Wardens", "EoS", treasury=20, leader="odile", fighters={"odile": odile, "watch": watch},
        stockpile=(TORCH,), effects=(LUCK,),
    )  # fmt: skip


NEW = Fighter("pell", "Pell", "hero", "Squire", "Human", dict(HUMAN))

POSSIBLE: list[c.Change] = [
    c.TreasuryChanged("w", 15, "found"),
    c.TreasuryChanged("w", -5, "upkeep"),
    c.WarbandSet("w", "leader", "odile", "", "fell"),
    c.EffectBegan("w", Effect("moneylender", 1), "found"),
    c.EffectEnded("w", LUCK, "used"),
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
    c.Lost("w", "odile", "rule", HATRED, "forgiven"),
    c.ItemGained("w", "", Item("i7", "Axe"), "found"),
    c.ItemGained("w", "odile", Item("i8", "Axe"), "given"),
    c.ItemLost("w", "odile", SWORD, "robbed"),
    c.ItemMoved("w", TORCH, "", "odile", "allocated"),
]


def test_every_kind_of_change_is_tried_here() -> None:
    assert {type(change) for change in POSSIBLE} == set(c.VOCABULARY.values())


@given(st.sampled_from(POSSIBLE))
def test_a_change_and_its_inverse_cancel(change: c.Change) -> None:
    before = warband()
    assert change.inverse().apply(change.apply(before)) == before
    assert change.inverse().inverse() == change


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
    assert c.unfold(after, kept) == before
    assert list(c.unfold(after, kept).fighters) == list(before.fighters)


def test_a_change_leaves_the_old_state_alone() -> None:
    before = warband()
    for change in POSSIBLE:
        change.apply(before)
    assert before == warband()
