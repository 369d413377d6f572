"""Few events out of the many changes of a step."""

import pytest
from msgspec.structs import replace

from campaigns.chronicle import plain_sentence
from campaigns.models import Battle, Event
from campaigns.telling_steps import names_at, step_events
from rules.engine.changes import (
    Change,
    ExperienceGained,
    FighterJoined,
    FighterSet,
    FighterVanquished,
    Gained,
    IdsTaken,
    ItemGained,
    ModelsChanged,
    TreasuryChanged,
    WarbandSet,
)
from rules.engine.phases.advancement import PROMOTED
from rules.engine.stall import BOUGHT
from rules.engine.state import Fighter, Injury, Item
from tests.campaigns.stage import Scene, a_battle, a_scene
from warbands.models import Warband
from warbands.projection import read_state

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return a_scene()


@pytest.fixture
def battle(scene: Scene) -> Battle:
    return a_battle(scene, state=Battle.State.POSTGAME)


@pytest.fixture
def wardens(scene: Scene) -> Warband:
    return scene.warbands["Ilse"]


def told(battle: Battle, warband: Warband, *changes: Change) -> list[str]:
    states = {str(row.pk): read_state(row) for row in Warband.objects.all()}
    own = [change for change in changes if change.warband == str(warband.pk)]
    Event.objects.bulk_create(step_events(battle, warband, own, names_at([states], str(warband.pk))))
    events = Event.objects.filter(battle=battle).order_by("pk")
    assert all(event.warband == warband for event in events)
    return [plain_sentence(event) for event in events]


def fighter(warband: Warband, name: str) -> Fighter:
    return next(one for one in read_state(warband).fighters.values() if one.name == name)


def test_a_death_a_capture_and_a_lost_hand_are_told_each(battle: Battle, scene: Scene, wardens: Warband) -> None:
    me, foe = str(wardens.pk), str(scene.warbands["Marek"].pk)
    joss, pell, odile = (fighter(wardens, name) for name in ("Joss Wynn", "Pell Ashdown", "Odile Brandt"))
    assert told(
        battle, wardens,
        FighterVanquished(me, joss, 1, "Dead"),
        FighterSet(me, pell.id, "captive_of", "", foe, "Captured"),
        FighterSet(me, odile.id, "hands_lost", 0, 1, "Lost Hand"),
    ) == [
        "Joss Wynn of The Lantern Wardens is gone for good: dead.",
        "Pell Ashdown of The Lantern Wardens was taken captive by Sable Oath.",
        "Odile Brandt of The Lantern Wardens lost a hand: Lost Hand.",
    ]  # fmt: skip


def test_wounds_skills_and_finds_are_told_together(battle: Battle, wardens: Warband) -> None:
    me = str(wardens.pk)
    joss, pell = (fighter(wardens, name) for name in ("Joss Wynn", "Pell Ashdown"))
    lantern = Item("i90", "Lantern")
    assert told(
        battle, wardens,
        Gained(me, joss.id, "injury", Injury("Smashed Leg", battle.key), "Smashed Leg"),
        Gained(me, pell.id, "injury", Injury("Old Wound", battle.key), "Old Wound"),
        Gained(me, joss.id, "skill", "Dodge", "advancement"),
        ItemGained(me, "", lantern, "Well"),
        ItemGained(me, "", replace(lantern, id="i91"), "Well"),
    ) == [
        "The Lantern Wardens brought wounds home: Joss Wynn (Smashed Leg), Pell Ashdown (Old Wound).",
        "The Lantern Wardens learned: Joss Wynn (Dodge).",
        "The Lantern Wardens found 2 Lantern.",
    ]  # fmt: skip


def test_promotions_new_leaders_freed_captives_and_losses_of_groups_are_told(battle: Battle, wardens: Warband) -> None:
    me = str(wardens.pk)
    group, pell = fighter(wardens, "The Ferrymen"), fighter(wardens, "Pell Ashdown")
    hero = replace(group, id="f99", name="Bruno", kind="hero", models=1)
    assert told(
        battle, wardens,
        ModelsChanged(me, group.id, -1, (), PROMOTED),
        FighterJoined(me, hero, 6, PROMOTED),
        FighterSet(me, pell.id, "kind", "henchmen", "hero", PROMOTED),
        WarbandSet(me, "leader", "", pell.id, "new leader"),
        FighterSet(me, pell.id, "captive_of", "12", "", "ransom"),
        ModelsChanged(me, group.id, -1, (), "Dead"),
    ) == [
        "Bruno of The Lantern Wardens rose from the ranks and is a hero now.",
        "Pell Ashdown of The Lantern Wardens rose from the ranks and is a hero now.",
        "Pell Ashdown leads The Lantern Wardens now.",
        "Pell Ashdown of The Lantern Wardens is free again: ransom.",
        "The Ferrymen of The Lantern Wardens lost a model: dead.",
    ]  # fmt: skip


def test_what_was_bought_learned_by_counting_or_happened_to_others_is_not(battle: Battle, wardens: Warband) -> None:
    me, joss = str(wardens.pk), fighter(wardens, "Joss Wynn")
    assert told(
        battle, wardens,
        ItemGained(me, "", Item("i90", "Sword"), BOUGHT),
        ExperienceGained(me, joss.id, 1, "participation"),
        TreasuryChanged(me, 30, "exploration"),
        IdsTaken(me, 1),
        Gained("0", "f1", "skill", "Dodge", "advancement"),
    ) == []  # fmt: skip


def test_the_dead_carry_no_wounds_home(battle: Battle, wardens: Warband) -> None:
    me, joss = str(wardens.pk), fighter(wardens, "Joss Wynn")
    assert told(
        battle, wardens,
        Gained(me, joss.id, "injury", Injury("Multiple Injuries", battle.key), "Multiple Injuries"),
        FighterVanquished(me, joss, 1, "Dead"),
    ) == ["Joss Wynn of The Lantern Wardens is gone for good: dead."]  # fmt: skip
