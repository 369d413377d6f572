"""A scenario file as a battle of the site: its warbands, its report, its dice and its answers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from msgspec import to_builtins

from campaigns.models import Battle, Deed, Run
from rules.engine import scenario
from rules.engine.battle import Battle as Fought
from rules.engine.documents import read_yaml
from rules.engine.state import evolve
from rules.library import pack
from tests.campaigns.runs import opened, run_of
from tests.campaigns.stage import Scene, a_battle
from tests.golden.test_golden import FOLDER, assert_part
from warbands.models import Warband
from warbands.projection import read_state, write_state


@dataclass
class Golden:
    """The first warband's post-game, opened; `dice` are thrown in their order."""

    run: Run
    name: str
    answers: dict[str, Any]
    dice: Iterator[int]
    expect: dict[str, Any]

    def answer(self, key: str) -> Any:
        """By a key of the site, where warbands are numbers."""
        return self.answers[f"{self.name}/{key.partition('/')[2]}"]

    def compare(self) -> None:
        """The end with what the file says of it; and no die is left."""
        end = to_builtins(read_state(Warband.objects.get(pk=self.run.warband_id)))
        assert_part(self.expect["state"][self.name], end, self.name)
        assert next(self.dice, None) is None


def golden_battle(scene: Scene, file: str) -> Golden:
    """With the players of the scene in the order of the file."""
    entry = read_yaml(FOLDER / file)
    battle, keys = staged(scene, entry["warbands"], entry["battle"])
    first = next(iter(keys))
    return Golden(run_of(battle, keys[first]), first, entry["answers"], iter(entry["dice"]), entry["expect"])


def staged(scene: Scene, warbands: dict[str, Any], fought: dict[str, Any]) -> tuple[Battle, dict[str, str]]:
    """Warbands and a report as a scenario file has them, with the post-game opened; and their keys on the site."""
    states = {name: scenario.warband(name, given, pack()) for name, given in warbands.items()}
    keys = {name: str(row.pk) for name, row in zip(states, scene.warbands.values(), strict=True)}
    for name, row in zip(states, scene.warbands.values(), strict=True):
        write_state(row, read_state(row), evolve(states[name], id=keys[name]))
        row.refresh_from_db()
    battle = a_battle(scene, state=Battle.State.CONFIRMED)
    _report(battle, scenario.battle(fought, states, pack()), keys)
    return opened(battle), keys


def _report(battle: Battle, fought: Fought, keys: dict[str, str]) -> None:
    for name, part in fought.participants.items():
        row = battle.participations.get(warband=int(keys[name]))
        row.result, row.fought = part.result, [int(keys[other]) for other in part.fought]
        row.rating_before, row.routed = part.rating, part.routed
        row.save()
        for deed in Deed.objects.filter(participation=row):
            done, by = part.deed(deed.fighter), part.deed(deed.fighter).by
            deed.out_of_action, deed.melee_kills, deed.ranged_kills = (
                done.out_of_action, done.melee_kills, done.ranged_kills,
            )  # fmt: skip
            deed.by_warband_id = int(keys[by.warband]) if by.warband else None
            deed.by_fighter, deed.by_species, deed.how = by.fighter, by.species, by.how
            deed.save()
