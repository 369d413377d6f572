"""What a post-game changed, before and after."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from campaigns.models import Battle, Run
from campaigns.walk.changed import compare, end_of
from rules.engine.plain import state_from_plain
from rules.engine.state import Effect, evolve
from tests.campaigns.runs import a_postgame, run_of, walk_all
from tests.campaigns.stage import Scene
from tests.campaigns.walks import address
from tests.people import sign_in
from warbands.models import Warband
from warbands.names import Names
from warbands.projection import read_state

pytestmark = pytest.mark.django_db


@pytest.fixture
def walked() -> tuple[Scene, Battle]:
    scene, battle = a_postgame()
    walk_all(battle)
    return scene, battle


def of(walked: tuple[Scene, Battle], name: str) -> Run:
    scene, battle = walked
    return run_of(battle, scene.warbands[name])


def test_the_end_is_what_the_tables_say(walked: tuple[Scene, Battle]) -> None:
    for name in ("Ilse", "Marek"):
        run = of(walked, name)
        assert end_of(run) == read_state(Warband.objects.get(pk=run.warband_id))


def test_it_names_everybody_and_sums_up(walked: tuple[Scene, Battle]) -> None:
    run = of(walked, "Ilse")
    before, after = state_from_plain(run.state_before), end_of(run)
    changed = compare(before, after, Names())
    totals = {line.what: (line.before, line.after) for line in changed.totals}
    assert totals["Treasury"] == (str(before.treasury), str(after.treasury))
    assert before.treasury != after.treasury
    named = {person.name for person in changed.people} | set(changed.same)
    assert named == {fighter.name for fighter in (*before.fighters.values(), *after.fighters.values())}
    odile = next(person for person in changed.people if person.name == "Odile Brandt")
    assert "Experience" in {line.what for line in odile.lines}


def test_what_lasts_is_a_part_of_it(walked: tuple[Scene, Battle]) -> None:
    before = state_from_plain(of(walked, "Ilse").state_before)
    after = evolve(before, effects=(Effect("moneylender"), Effect("next_exploration_dice", 1)))
    found = {line.what: line.after for line in compare(before, after, Names()).totals}
    assert found["The moneylender pays the market status in points after every trading"] == "from now on"
    back = {line.what: line.after for line in compare(after, before, Names()).totals}
    assert back["Dice in the next exploration: +1"] == "over"


def test_who_joined_and_what_some_models_took_along_is_told(walked: tuple[Scene, Battle]) -> None:
    before = state_from_plain(of(walked, "Ilse").state_before)
    key, group = next((key, one) for key, one in before.fighters.items() if len(one.items) > 2 and one.models > 2)
    rest = evolve(group, models=group.models - 1, items=group.items[1:], skill_lists=("Combat",))
    new = evolve(
        group, id="f99", name="Guardsman", kind="hero", models=1, items=group.items[:1], skill_lists=("Speed",)
    )
    after = evolve(before, fighters={**before.fighters, key: rest, "f99": new})
    people = {person.name: person for person in compare(before, after, Names()).people}
    lost = {line.what: (line.before, line.after) for line in people[group.name].lines}
    carried = [item.name for item in group.items].count(group.items[0].name)
    assert lost[group.items[0].name] == (str(carried), str(carried - 1))
    assert lost["Skill list"] == ("", "Combat")
    joined = {line.what: line.after for line in people["Guardsman"].lines}
    assert (people["Guardsman"].fate, joined["Skill list"]) == ("joined", "Speed")
    assert joined[group.items[0].name] == "has it"


def test_later_changes_are_no_part_of_it(walked: tuple[Scene, Battle]) -> None:
    run = of(walked, "Ilse")
    end = end_of(run)
    Warband.objects.filter(pk=run.warband_id).update(treasury=999)
    assert end_of(run) == end


def test_opponents_and_the_game_master_read_it(
    walked: tuple[Scene, Battle], client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    run = of(walked, "Ilse")
    for name in ("Ilse", "Marek", "Priya"):
        sign_in(client, name)
        with django_assert_max_num_queries(20):
            page = client.get(address(run, "changed"))
        assert page.status_code == 200
        assert "Odile Brandt" in page.content.decode()
