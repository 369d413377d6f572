"""Seasons in memory, and the simulations of a campaign."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Campaign, Simulation
from campaigns.services import run_simulation_chunk as chunk_service
from campaigns.services.cancel_simulation import cancel_simulation
from campaigns.services.run_simulation_chunk import run_simulation_chunk
from campaigns.services.start_simulation import AT_ONCE, start_simulation
from campaigns.simulation import Start, merged, simulate
from campaigns.simulation_sheet import buckets, sheet_of
from campaigns.simulations import start_of, tally_of
from campaigns.tasks import run_simulation, tend_batches
from rules.engine.errors import RuleViolation
from rules.library import pack
from tests.campaigns.stage import PLAYERS, Scene, a_scene
from tests.campaigns.threads import at_once
from tests.people import sign_in
from warbands.models import Warband


@pytest.fixture
def scene(db: None) -> Scene:
    return a_scene(PLAYERS)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """What was put on the queue, instead of a queue."""
    messages: list[list[int]] = []
    monkeypatch.setattr("campaigns.simulations.current_app.send_task", lambda _name, args: messages.append(args))
    return messages


def begun(scene: Scene, **given: Any) -> Simulation:
    wanted: dict[str, Any] = {"seasons": 4, "rounds": 3, "seed": "a seed"} | given
    return start_simulation(actor=scene.gm, campaign=scene.campaign, send=False, **wanted)


def to_the_end(simulation: Simulation) -> Simulation:
    while run_simulation_chunk(simulation=simulation.pk):
        pass
    simulation.refresh_from_db()
    return simulation


def everything() -> dict[str, Any]:
    """Every row of every table of ours, but for the simulations themselves."""
    models = [model for model in apps.get_models() if model._meta.app_label in ("campaigns", "warbands", "market")]
    return {
        model._meta.label: list(model._default_manager.order_by("pk").values())
        for model in models
        if model is not Simulation
    }


def test_the_same_seed_gives_the_same_numbers_whatever_the_chunks(scene: Scene) -> None:
    start = start_of(begun(scene))
    whole = simulate(start, "s", range(6), 3, pack())
    parts = [simulate(start, "s", chunk, 3, pack()) for chunk in (range(4, 6), range(1), range(1, 4))]
    assert merged(merged(parts[0], parts[1]), parts[2]) == whole
    assert simulate(start, "t", range(6), 3, pack()) != whole


def test_a_season_counts_every_warband_and_one_comes_first(scene: Scene) -> None:
    tally = simulate(start_of(begun(scene)), "s", range(5), 4, pack())
    assert tally.seasons == 5
    assert sum(fate.first for fate in tally.fates.values()) == 5
    assert sum(tally.ratings.values()) == sum(tally.treasuries.values()) == 5 * len(PLAYERS)
    assert sum(tally.deaths.values()) == 5
    assert 0 < tally.battles <= 5 * 4 * len(PLAYERS) / 2
    lost = sum(number * count for number, count in tally.deaths.items())
    assert lost == sum(fate.deaths for fate in tally.fates.values())


def test_the_stronger_win_more_often(scene: Scene) -> None:
    """The two meet in every season, under names of their own: lots fall by name, and rows are numbered anew."""
    by_rating = sorted(start_of(begun(scene)).states.values(), key=lambda state: state.rating)
    both = {"weak": by_rating[0], "strong": by_rating[-1]}
    start = Start({name: msgspec.structs.replace(state, id=name) for name, state in both.items()})
    fates = simulate(start, "s", range(200), 1, pack()).fates
    assert fates["strong"].wins > fates["weak"].wins
    assert fates["strong"].wins + fates["weak"].wins > 150


def test_nothing_else_changes(scene: Scene) -> None:
    before = everything()
    done = to_the_end(begun(scene))
    assert done.state == Simulation.State.DONE
    assert everything() == before


def test_it_goes_on_in_chunks_and_comes_to_what_one_piece_gives(
    scene: Scene, sent: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("campaigns.simulations.BATTLES_A_CHUNK", 1)
    simulation = begun(scene)
    for done in (1, 2, 3, 4):
        run_simulation(simulation.pk)
        simulation.refresh_from_db()
        assert simulation.done == done
    assert simulation.state == Simulation.State.DONE
    assert sent == [[simulation.pk]] * 3
    assert tally_of(simulation) == simulate(start_of(simulation), "a seed", range(4), 3, pack())


def test_rosters_that_change_meanwhile_do_not_change_it(scene: Scene) -> None:
    simulation = begun(scene)
    Warband.objects.update(name="Another name", treasury=9)
    assert "Another name" not in [line.name for line in sheet_of(to_the_end(simulation)).lines]


@pytest.mark.django_db(transaction=True)
def test_two_workers_with_the_same_message_count_a_season_once() -> None:
    simulation = begun(a_scene(PLAYERS), seasons=2)
    at_once(*[lambda: run_simulation_chunk(simulation=simulation.pk)] * 2)
    to_the_end(simulation)
    assert tally_of(simulation) == simulate(start_of(simulation), "a seed", range(2), 3, pack())


def test_a_chunk_that_dies_leaves_nothing(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = begun(scene)

    def killed(*_given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(chunk_service, "simulate", killed)
        with pytest.raises(KeyboardInterrupt):
            run_simulation_chunk(simulation=simulation.pk)
    assert to_the_end(simulation).done == 4
    assert tally_of(simulation).seasons == 4


def test_a_lost_message_is_sent_again(scene: Scene, sent: list[list[int]]) -> None:
    simulation = begun(scene)
    tend_batches()
    assert sent == []
    Simulation.objects.update(moved=timezone.now() - timedelta(minutes=5))
    tend_batches()
    assert sent == [[simulation.pk]]


def test_a_mistake_of_ours_ends_it_with_a_sentence(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = begun(scene)

    def broken(*_given: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(chunk_service, "simulate", broken)
    assert not run_simulation_chunk(simulation=simulation.pk)
    simulation.refresh_from_db()
    assert simulation.state == Simulation.State.FAILED
    assert "ZeroDivisionError" in simulation.reason


def test_a_cancelled_one_plays_no_further_season(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("campaigns.simulations.BATTLES_A_CHUNK", 1)
    simulation = begun(scene)
    run_simulation_chunk(simulation=simulation.pk)
    cancel_simulation(actor=scene.gm, simulation=simulation)
    assert not run_simulation_chunk(simulation=simulation.pk)
    simulation.refresh_from_db()
    assert (simulation.state, simulation.done) == (Simulation.State.CANCELLED, 1)
    with pytest.raises(RuleViolation):
        cancel_simulation(actor=scene.gm, simulation=simulation)


@pytest.mark.parametrize(("seasons", "rounds"), [(0, 3), (501, 3), (10_000, 3), (3, 0), (3, 31)])
def test_too_few_and_too_many_are_refused(scene: Scene, seasons: int, rounds: int) -> None:
    with pytest.raises(RuleViolation, match="Choose 1 to"):
        begun(scene, seasons=seasons, rounds=rounds)


def test_it_takes_two_warbands(db: None) -> None:
    with pytest.raises(RuleViolation, match="two warbands"):
        begun(a_scene(PLAYERS[:1]))


def test_who_left_is_not_played(scene: Scene) -> None:
    scene.campaign.enrolments.filter(warband=scene.warbands["Ilse"]).update(left=timezone.now())
    assert str(scene.warbands["Ilse"].pk) not in start_of(begun(scene)).states


def test_only_some_run_at_the_same_time(scene: Scene) -> None:
    for _number in range(AT_ONCE):
        begun(scene)
    with pytest.raises(RuleViolation, match="run already"):
        begun(scene)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({}, []),
        ({7: 2}, [("7", 2)]),
        ({0: 1, 3: 2}, [("0", 1), ("1", 0), ("2", 0), ("3", 2)]),
        ({95: 1, 130: 1}, [("95–99", 1), ("100–104", 0), *[(f"{low}–{low + 4}", 0) for low in range(105, 130, 5)],
                           ("130–134", 1)]),
    ],
)  # fmt: skip
def test_buckets_are_even_and_without_gaps(counts: dict[int, int], expected: list[tuple[str, int]]) -> None:
    assert buckets(counts) == expected


# Pages ------------------------------------------------------------------------------------------------


@pytest.fixture
def gm(client: Client, scene: Scene) -> Client:
    return sign_in(client, "Priya")


def test_a_game_master_starts_one_and_is_led_to_it(
    gm: Client, scene: Scene, sent: list[list[int]], django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        answer = gm.post(reverse("simulations", args=[scene.campaign.pk]), {"seasons": 7, "rounds": 2})
    simulation = Simulation.objects.get()
    assert answer.headers["Location"] == simulation.get_absolute_url()
    assert (simulation.seasons, simulation.rounds, simulation.made_by) == (7, 2, scene.gm)
    assert sent == [[simulation.pk]]


@pytest.mark.parametrize("seasons", ["0", "10000", "", "many"])
def test_a_wrong_number_is_told_beside_its_field(gm: Client, scene: Scene, seasons: str) -> None:
    answer = gm.post(reverse("simulations", args=[scene.campaign.pk]), {"seasons": seasons, "rounds": 2})
    assert answer.status_code == 422
    assert not Simulation.objects.exists()
    assert f'value="{seasons}"' in answer.text or not seasons


def test_a_campaign_of_one_warband_is_refused_with_a_sentence(client: Client, db: None) -> None:
    scene = a_scene(PLAYERS[:1])
    answer = sign_in(client, "Priya").post(
        reverse("simulations", args=[scene.campaign.pk]), {"seasons": 7, "rounds": 2}
    )
    assert answer.status_code == 409
    assert "two warbands at least" in answer.text


def test_the_page_moves_while_it_runs_and_shows_charts_when_done(gm: Client, scene: Scene) -> None:
    simulation = begun(scene)
    running = gm.get(simulation.get_absolute_url())
    assert "0 of 4 seasons" in running.text
    assert "every 2s" in running.text
    to_the_end(simulation)
    done = gm.get(reverse("simulation_progress", args=[scene.campaign.pk, simulation.pk]))
    assert "4 of 4 seasons" in done.text
    assert "every 2s" not in done.text
    for words in (
        "Ratings in the end",
        "Treasuries in the end",
        "Models lost for good",
        "Who came first",
        "Sable Oath",
    ):
        assert words in done.text


def test_it_is_stopped_with_a_button(gm: Client, scene: Scene) -> None:
    simulation = begun(scene)
    address = reverse("simulation_cancel", args=[scene.campaign.pk, simulation.pk])
    assert "Stopped" in gm.post(address, follow=True).text
    assert "over already" in gm.post(address, follow=True).text


def test_players_and_other_game_masters_do_not_see_it(client: Client, scene: Scene) -> None:
    simulation = begun(scene)
    other = Campaign.objects.create(name="Elsewhere")
    player = sign_in(client, "Ilse")
    for route in ("simulation", "simulation_progress"):
        assert player.get(reverse(route, args=[scene.campaign.pk, simulation.pk])).status_code == 404
    cancel = reverse("simulation_cancel", args=[scene.campaign.pk, simulation.pk])
    assert player.post(cancel).status_code == 404
    assert player.post(reverse("simulations", args=[scene.campaign.pk]), {"seasons": 7, "rounds": 2}).status_code == 404
    assert sign_in(client, "Priya").get(reverse("simulation", args=[other.pk, simulation.pk])).status_code == 404


def test_the_list_takes_no_more_queries_with_more_of_them(
    gm: Client, scene: Scene, django_assert_max_num_queries: Any
) -> None:
    start = json.loads(json.dumps(begun(scene).start))
    Simulation.objects.bulk_create(
        Simulation(campaign=scene.campaign, made_by=scene.gm, seasons=1, rounds=1, start=start) for _ in range(15)
    )
    with django_assert_max_num_queries(8):
        assert gm.get(reverse("simulations", args=[scene.campaign.pk])).status_code == 200
