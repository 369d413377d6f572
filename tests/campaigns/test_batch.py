"""The pages of a batch, and the command."""

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from campaigns import batch_views
from campaigns.batches import Progress
from campaigns.models import Batch, Battle, Policy, Round
from campaigns.services.start_batch import start_batch
from campaigns.tasks import run_chunk
from tests.campaigns.runs import opened
from tests.campaigns.stage import PLAYERS, Scene, a_battle, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    scene = a_scene(PLAYERS)
    for pair in (("Ilse", "Marek"), ("Dagny", "Ruben")):
        opened(a_battle(scene, *pair, state=Battle.State.CONFIRMED))
    return scene


@pytest.fixture
def gm(client: Client, scene: Scene) -> Client:
    return sign_in(client, "Priya")


def test_the_game_master_sees_what_waits_and_starts_it(gm: Client, scene: Scene) -> None:
    page = gm.get(reverse("batches", args=[scene.campaign.pk]))
    assert "Battle 1" in page.text
    assert "The Lantern Wardens" in page.text
    answer = gm.post(reverse("batch_start", args=[scene.campaign.pk]), {"do": "resolve"})
    batch = Batch.objects.get()
    assert answer.headers["Location"] == batch.get_absolute_url()
    assert batch.items.count() == 2


def test_only_the_ticked_battles_are_in_it(gm: Client, scene: Scene) -> None:
    battle = scene.campaign.battles.get(number=2)
    gm.post(reverse("batch_start", args=[scene.campaign.pk]), {"battle": [battle.pk], "do": "preview"})
    batch = Batch.objects.get()
    assert batch.is_preview
    assert [item.battle for item in batch.items.all()] == [battle]


def test_pressing_twice_is_answered_with_a_sentence(gm: Client, scene: Scene) -> None:
    address = reverse("batch_start", args=[scene.campaign.pk])
    gm.post(address, {"do": "resolve"})
    again = gm.post(address, {"do": "resolve"})
    assert again.status_code == 409
    assert "no battle whose post-game waits" in again.text
    assert Batch.objects.count() == 1


def test_the_page_of_a_batch_shows_how_far_it_is_and_then_what_came_of_it(gm: Client, scene: Scene) -> None:
    batch = start_batch(actor=scene.gm, campaign=scene.campaign)
    running = gm.get(batch.get_absolute_url())
    assert "0 of 2 battles" in running.text
    assert "every 2s" in running.text
    run_chunk(batch.pk)
    done = gm.get(batch.get_absolute_url())
    assert "2 of 2 battles, 100 %" in done.text
    assert "every 2s" not in done.text
    assert "treasury" in done.text


def test_players_read_what_came_of_it_and_may_not_touch_it(client: Client, scene: Scene) -> None:
    batch = start_batch(actor=scene.gm, campaign=scene.campaign)
    player = sign_in(client, "Ilse")
    assert player.get(batch.get_absolute_url()).status_code == 200
    for route in ("batch_cancel", "batch_retry"):
        assert player.post(reverse(route, args=[scene.campaign.pk, batch.pk])).status_code == 404
    assert player.get(reverse("batches", args=[scene.campaign.pk])).status_code == 404


def test_a_preview_is_not_for_players(client: Client, scene: Scene) -> None:
    batch = start_batch(actor=scene.gm, campaign=scene.campaign, is_preview=True)
    assert sign_in(client, "Ilse").get(batch.get_absolute_url()).status_code == 404


def test_it_can_be_stopped_and_tried_again(gm: Client, scene: Scene) -> None:
    batch = start_batch(actor=scene.gm, campaign=scene.campaign)
    gm.post(reverse("batch_cancel", args=[scene.campaign.pk, batch.pk]))
    batch.refresh_from_db()
    assert batch.state == Batch.State.CANCELLED
    assert "Try the others again" in gm.get(batch.get_absolute_url()).text
    gm.post(reverse("batch_retry", args=[scene.campaign.pk, batch.pk]))
    batch.refresh_from_db()
    assert batch.state == Batch.State.RUNNING


def test_the_command_resolves_with_a_bar(scene: Scene) -> None:
    out = StringIO()
    call_command("resolve", campaign=scene.campaign.pk, stdout=out)
    assert "2/2" in out.getvalue()
    assert "2 done, 0 need somebody, 0 failed." in out.getvalue()
    assert {battle.state for battle in Battle.objects.all()} == {Battle.State.CLOSED}


def test_a_dry_run_of_the_command_does_nothing(scene: Scene) -> None:
    out = StringIO()
    call_command("resolve", campaign=scene.campaign.pk, dry_run=True, stdout=out)
    assert "treasury" in out.getvalue()
    assert {battle.state for battle in Battle.objects.all()} == {Battle.State.POSTGAME}


def test_the_command_says_what_it_does_not_know(scene: Scene) -> None:
    with pytest.raises(CommandError, match="no campaign 0"):
        call_command("resolve", campaign=0)
    with pytest.raises(CommandError, match="no battle 99"):
        call_command("resolve", campaign=scene.campaign.pk, battle=[99])


def test_a_round_is_resolved_by_its_number(gm: Client, scene: Scene) -> None:
    turn = Round.objects.create(campaign=scene.campaign, number=3)
    scene.campaign.battles.filter(number=2).update(round=turn)
    page = gm.get(reverse("batches", args=[scene.campaign.pk]), {"round": 3})
    assert "Battle 2" in page.text
    assert "Battle 1" not in page.text
    gm.post(reverse("batch_start", args=[scene.campaign.pk]), {"round": 3, "do": "preview"})
    assert [item.battle.number for item in Batch.objects.get().items.all() if item.battle] == [2]
    out = StringIO()
    call_command("resolve", campaign=scene.campaign.pk, round=3, stdout=out)
    assert "1/1" in out.getvalue()
    assert list(scene.campaign.battles.order_by("number").values_list("state", flat=True)) == ["postgame", "closed"]


def test_what_waits_is_shown_page_by_page_and_with_none_ticked_all_of_it_is_meant(
    gm: Client, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_views, "BATTLES_A_PAGE", 1)
    page = gm.get(reverse("batches", args=[scene.campaign.pk]), {"page": 2})
    assert "Battle 2" in page.text
    assert "Battle 1" not in page.text
    assert "2 battles wait" in page.text
    assert not re.search(r'name="battle"[^>]*checked', page.text)
    gm.post(reverse("batch_start", args=[scene.campaign.pk]), {"do": "resolve"})
    assert Batch.objects.get().items.count() == 2


def test_a_long_list_of_people_says_that_it_is_not_whole(
    gm: Client, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_views, "MOST_CALLED", 1)
    for name in ("Ilse", "Dagny"):
        Policy.objects.create(person=scene.people[name], reserved=["trade"])
    batch = start_batch(actor=scene.gm, campaign=scene.campaign)
    run_chunk(batch.pk)
    assert "By the first 1 of 2 battles" in gm.get(batch.get_absolute_url()).text


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "0 s"), (89, "89 s"), (200, "3 min"), (3590, "1 h 0 min"), (12_000, "3 h 20 min")]
)
def test_the_time_left_is_told_in_the_unit_that_fits(seconds: int, words: str) -> None:
    at = Progress(total=1, waiting=seconds, done=0, needs=0, failed=0, cancelled=0, lately=1, seconds=1)
    assert at.time_left == words
