"""Answer the rest for me: what would be done is told first."""

import pytest
from django.test import Client

from campaigns.models import Battle, Policy, Run
from tests.campaigns.runs import a_postgame, run_of
from tests.campaigns.walks import address, owner_of, press, step_on
from tests.people import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    scene, battle = a_postgame()
    return run_of(battle, scene.warbands["Marek"])


def test_it_says_what_it_would_do_and_rolls_nothing(run: Run, client: Client) -> None:
    page = owner_of(client, run).get(address(run, "finish")).content.decode()
    assert "Do you give anybody up before the injuries are rolled?" in page
    assert "Buying and selling" in page
    assert "buy and sell nothing" in page
    step_on(client, run)
    page = client.get(address(run, "finish")).content.decode()
    assert "The server rolls: Injury for Ilvane, D66." in page
    fresh = run_of(run.battle, run.warband_id)
    assert not fresh.thrown
    assert not fresh.typed


def test_only_this_step_or_the_whole_rest(run: Run, client: Client) -> None:
    owner_of(client, run)
    assert press(client, run, "finish", step="injury").status_code == 302
    assert run_of(run.battle, run.warband_id).step not in ("injury", "")
    assert press(client, run, "finish", step="").status_code == 302
    done = run_of(run.battle, run.warband_id)
    assert done.state == Run.State.FINISHED
    assert client.get(address(run, "finish")).status_code == 302
    assert "The post-game of Sable Oath is done." in client.get(address(run)).content.decode()


def test_it_stops_at_what_the_player_wants_to_be_asked(run: Run, client: Client) -> None:
    owner = run.warband.owner
    Policy.objects.create(person=owner, wishes={"otherwise": "greedy"}, reserved=["trade"])
    page = owner_of(client, run).get(address(run, "finish")).content.decode()
    assert "asks you" in page
    press(client, run, "finish", step="")
    assert run_of(run.battle, run.warband_id).step == "trading"
    assert "What do you buy, sell and recruit?" in client.get(address(run)).content.decode()


def test_it_is_its_players_alone(run: Run, client: Client) -> None:
    for name in ("Ilse", "Priya"):
        assert sign_in(client, name).get(address(run, "finish")).status_code == 404
        assert client.post(address(run, "finish"), {"version": run.version}).status_code == 404
    assert Battle.objects.get(pk=run.battle_id).runs.filter(state=Run.State.OPEN).count() == 2
