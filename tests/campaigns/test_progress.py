"""How warbands fared over their battles, as the charts of the standings read it from the ledger."""

import pytest

from campaigns.models import Battle
from campaigns.progress import casualty_chart, luck_chart, rating_chart, read_progress, treasury_chart
from campaigns.standings import Line, lines, worked_out
from rules.engine.changes import Change, TreasuryChanged, WarbandSet
from tests.campaigns.stage import Scene, a_battle, a_scene
from warbands.models import Warband
from warbands.projection import read_state
from warbands.services.apply_changes import apply_changes

pytestmark = pytest.mark.django_db


def write(scene: Scene, name: str, change: Change, battle: str, faces: list[int] | None = None) -> None:
    warband = Warband.objects.get(pk=scene.warbands[name].pk)
    rolls = [{"purpose": "exploration: 2", "faces": faces, "kept": list(range(len(faces)))}] if faces else []
    step = "exploration" if faces else "warband"
    apply_changes(
        warband=warband, changes=[change], actor=warband.owner, cause=step, step=step, battle=battle, rolls=rolls
    )


def rate(scene: Scene, name: str, to: float, battle: str) -> None:
    before = read_state(Warband.objects.get(pk=scene.warbands[name].pk)).rating
    write(scene, name, WarbandSet(str(scene.warbands[name].pk), "rating", before, to, "phase"), battle)


def earn(scene: Scene, name: str, amount: int, battle: str, faces: list[int] | None = None) -> None:
    write(scene, name, TreasuryChanged(str(scene.warbands[name].pk), amount, "income"), battle, faces)


def shown(scene: Scene) -> list[Line]:
    found = worked_out(scene.campaign)
    return lines(found.rows, scene.people["Ilse"], found.winner)


def test_ratings_are_those_that_everybody_went_in_with_and_what_they_have_now() -> None:
    """A battle that changes nothing is a point too."""
    scene = a_scene()
    for before in (60, 75, 75):
        battle = a_battle(scene, state=Battle.State.CLOSED)
        battle.participations.filter(warband=scene.warbands["Ilse"]).update(rating_before=before)
    rate(scene, "Ilse", 80, battle.key)
    mine = next(line for line in shown(scene) if line.mine)
    assert mine.row.ratings == (60, 75, 75, 80)


def test_treasuries_count_what_came_between_the_battles_too() -> None:
    scene = a_scene()
    first, second = (a_battle(scene, state=Battle.State.CLOSED) for _ in range(2))
    key, before = scene.warbands["Ilse"].pk, Warband.objects.get(pk=scene.warbands["Ilse"].pk).treasury
    earn(scene, "Ilse", 30, first.key)
    earn(scene, "Ilse", 7, first.key)
    earn(scene, "Ilse", 5, "")
    earn(scene, "Ilse", 10, second.key)
    assert read_progress(scene.campaign, [key]).treasuries == {key: [before, before + 37, before + 52]}


def test_luck_counts_the_dice_of_explorations_here() -> None:
    scene = a_scene()
    battle = a_battle(scene, state=Battle.State.CLOSED)
    key = scene.warbands["Ilse"].pk
    earn(scene, "Ilse", 1, battle.key, [6, 1, 2])
    earn(scene, "Ilse", 1, "999-3", [6, 6])
    assert read_progress(scene.campaign, [key]).explored == {key: (9, 3)}


def test_charts_have_a_line_a_warband_and_tell_the_numbers() -> None:
    scene = a_scene()
    battle = a_battle(scene, state=Battle.State.CLOSED)
    for name, faces in (("Ilse", [6, 5]), ("Marek", [1, 1])):
        earn(scene, name, 3, battle.key, faces)
        rate(scene, name, 70, battle.key)
    found = read_progress(scene.campaign, [warband.pk for warband in scene.warbands.values()])
    seen = shown(scene)
    names = {warband.name for warband in scene.warbands.values()}
    assert {group.name for group in rating_chart(seen).groups} == names
    assert {group.name for group in treasury_chart(found, seen).groups} == names
    assert {row[0] for row in casualty_chart(seen).groups[0].rows} == names
    luck = {row[0]: row[1:3] for row in luck_chart(found, seen).groups[0].rows}
    assert luck[scene.warbands["Ilse"].name] == ("11", "7")


def test_two_warbands_of_one_name_have_two_lines() -> None:
    scene = a_scene()
    battle = a_battle(scene, state=Battle.State.CLOSED)
    Warband.objects.update(name="Twins")
    for name in scene.warbands:
        rate(scene, name, 70, battle.key)
    assert [group.name for group in rating_chart(shown(scene)).groups] == ["Twins", "Twins (2)"]
