"""A client that was generated from the schema plays a whole battle: from the call for it to the last step after it."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import LazySettings

from campaigns.models import Battle, Run
from tests.api.generated import Client, content, forget_client, make_client
from tests.campaigns.stage import Scene, a_scene
from warbands.models import Warband
from warbands.reconcile import reconcile

MOST_TURNS = 400


@pytest.fixture(scope="module")
def _generated(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("client")
    not_understood = make_client(request.config.rootpath / "docs" / "openapi.json", folder)
    assert not_understood == []
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield
        forget_client()


@pytest.mark.django_db
@pytest.mark.usefixtures("_generated", "one_connection")
def test_a_generated_client_plays_a_whole_battle(settings: LazySettings) -> None:
    settings.API_RATES = {"read": 10**6, "act": 10**6}
    scene = a_scene()
    players = {name: Client(scene.people[name]) for name in scene.warbands}
    place = _call_for_it(scene, players)
    _prepare(scene, players, place)
    _report(scene, players, place)
    _walk_to_the_end(scene, players, place)
    _look_back(scene, players, place)


def _call_for_it(scene: Scene, players: dict[str, Client]) -> tuple[int, int]:
    campaign, marek = scene.campaign.pk, scene.warbands["Marek"].pk
    everybody = [warband.pk for warband in scene.warbands.values()]
    body = content("NewBattle", warbands=everybody, scenario="Skirmish")
    made = players["Ilse"]("battles.propose_battle", campaign, status=201, body=body, idempotency_key="a-battle")
    again = players["Ilse"]("battles.propose_battle", campaign, status=201, body=body, idempotency_key="a-battle")
    assert (made.state.value, made.number) == ("proposed", again.number)
    place = (campaign, made.number)
    found = players["Marek"]("battles.list_battles", campaign, mine=True)
    assert [battle.number for battle in found.items] == [made.number]
    yes = content("BattleAnswer", warband=marek, accept=True)
    assert players["Marek"]("battles.answer_proposal", *place, body=yes).state.value == "scheduled"
    started = players["Ilse"]("battles.start_battle", *place, body=content("BattleStart"))
    assert started.state.value == "pregame"
    return place


def _prepare(scene: Scene, players: dict[str, Client], place: tuple[int, int]) -> None:
    """The server's dice; every question is answered with nobody, or with its first option."""
    for name, warband in scene.warbands.items():
        state = players[name]("battles.roll_all_pregame", *place, warband.pk)
        while (asked := _seat(state, warband).question) is not None:
            answer = [] if asked.form.value == "any" else asked.options[0].key
            body = content("PregameAnswer", key=asked.key, answer=answer)
            state = players[name]("battles.answer_pregame", *place, warband.pk, body=body)
    for name, warband in scene.warbands.items():
        players[name]("battles.finish_pregame", *place, warband.pk)
    assert players["Ilse"]("battles.read_battle", *place).state.value == "playing"


def _seat(state: Any, warband: Warband) -> Any:
    return next(seat for seat in state.seats if seat.warband.id == warband.pk)


def _report(scene: Scene, players: dict[str, Client], place: tuple[int, int]) -> None:
    """Ilse won, and her leader took one of Marek's out."""
    ilse, marek = scene.warbands["Ilse"], scene.warbands["Marek"]
    blank = players["Ilse"]("battles.read_report", *place)
    fallen = next(side for side in blank.sides if side.warband.id == marek.pk).lines[1].fighter
    leader = f"{ilse.pk}/{ilse.fighters.get(is_leader=True).key}"
    body = content(
        "ReportEdit",
        ending={"kind": "alone", "winners": [ilse.pk]},
        sides=[{"warband": marek.pk, "routed": 1}],
        lines=[{"warband": marek.pk, "fighter": fallen, "out": 1, "by": leader, "how": "melee"}],
    )
    written = players["Ilse"]("battles.write_report", *place, body=body)
    assert not [finding for finding in written.findings if finding.grave]
    assert players["Ilse"]("battles.send_report", *place).state.value == "reported"
    agreed = players["Marek"]("battles.confirm_report", *place, body=content("ReportConfirmation"))
    assert agreed.state.value == "postgame"


def _walk_to_the_end(scene: Scene, players: dict[str, Client], place: tuple[int, int]) -> None:
    for _turn in range(MOST_TURNS):
        moved = [_walk_on(players[name], (*place, warband.pk)) for name, warband in scene.warbands.items()]
        if not any(moved):
            break
    assert not Run.objects.filter(state=Run.State.OPEN).exists()


def _walk_on(player: Client, place: tuple[int, int, int]) -> bool:
    """The one thing that is due: a roll, an answer, or to close the step. Whether there was one."""
    run = player("postgame.read_run", *place)
    if not run.step or run.waits_for:
        return False
    if run.wanted is not None:
        player("postgame.roll_run", *place, body=content("RollKey", key=run.wanted.key))
    elif run.question is not None and run.question.mine:
        asked = run.question.to_dict()
        player("postgame.answer_run", *place, body=content("RunAnswer", key=asked["key"], answer=asked["default"]))
    elif run.is_complete:
        player("postgame.close_step", *place, body=content("RunStepOrder", step=run.step))
    else:
        return False
    return True


def _look_back(scene: Scene, players: dict[str, Client], place: tuple[int, int]) -> None:
    closed = players["Marek"]("battles.read_battle", *place)
    assert closed.state.value == "closed"
    assert Battle.objects.get(campaign=place[0], number=place[1]).state == Battle.State.CLOSED
    proof = players["Marek"]("postgame.read_proof", *place)
    assert proof.is_true
    assert proof.rolls
    ledger = players["Ilse"]("warbands.list_ledger", scene.warbands["Ilse"].pk, limit=100)
    assert {entry.battle for entry in ledger.items} >= {f"{place[0]}-{place[1]}"}
    assert not reconcile().differences
