"""A whole round in one action, results from a file, and what might become of a campaign."""

import pytest
from django.urls import reverse
from playwright.sync_api import FilePayload, expect

from accounts.models import User
from campaigns.models import Batch, Battle, Campaign
from campaigns.services.run_simulation_chunk import run_simulation_chunk
from campaigns.services.start_batch import start_batch
from campaigns.services.start_simulation import start_simulation
from campaigns.tasks import run_chunk
from tests.browser.checks import assert_accessible, assert_fits
from tests.browser.conftest import DESK, PHONE, OpenPage, sign_in
from tests.campaigns.stage import Scene, a_battle

FILE = "battle,warband,result,routed\n1,The Lantern Wardens,won,\n1,Nobody at all,lost,1\n"


def waiting(campaign: Campaign) -> Scene:
    """Two battles whose post-games wait."""
    names = ("Priya", "Ilse", "Marek", "Dagny", "Ruben")
    people = {name: User.objects.get(name=name) for name in names}
    warbands = {name: campaign.warbands.get(owner=people[name]) for name in names}
    scene = Scene(campaign, people["Priya"], people, warbands)
    for both in (("Ilse", "Marek"), ("Dagny", "Ruben")):
        a_battle(scene, *both, state=Battle.State.CONFIRMED)
    return scene


def simulated(scene: Scene) -> str:
    simulation = start_simulation(
        actor=scene.gm, campaign=scene.campaign, seasons=12, rounds=2, seed="seen", send=False
    )
    while run_simulation_chunk(simulation=simulation.pk):
        pass
    return simulation.get_absolute_url()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_batches_and_simulations_are_accessible_and_fit(
    open_page: OpenPage, campaign: Campaign, width: int, theme: str
) -> None:
    scene = waiting(campaign)
    running = start_batch(actor=scene.gm, campaign=campaign, is_preview=True, send=False)
    done = start_batch(actor=scene.gm, campaign=campaign, send=False)
    run_chunk(done.pk)
    charts = simulated(scene)
    page = open_page("/", width, theme)
    sign_in(page, "Priya")
    for path in (
        campaign.get_absolute_url(),
        reverse("batches", args=[campaign.pk]),
        running.get_absolute_url(),
        done.get_absolute_url(),
        reverse("results_import", args=[campaign.pk]),
        reverse("simulations", args=[campaign.pk]),
        charts,
    ):
        page.goto(path)
        assert_accessible(page)
        assert_fits(page)


@pytest.mark.parametrize("script", [True, False])
def test_a_file_with_a_mistake_is_told_with_and_without_scripts(
    open_page: OpenPage, campaign: Campaign, script: bool
) -> None:
    page = open_page("/", script=script)
    sign_in(page, "Priya")
    page.goto(reverse("results_import", args=[campaign.pk]))
    file: FilePayload = {"name": "results.csv", "mimeType": "text/csv", "buffer": FILE.encode()}
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("line 3, warband")
    if script:
        assert_accessible(page)
    assert not Batch.objects.exists()


def test_the_page_of_a_batch_moves_by_itself(open_page: OpenPage, campaign: Campaign) -> None:
    scene = waiting(campaign)
    batch = start_batch(actor=scene.gm, campaign=campaign, send=False)
    page = open_page("/")
    sign_in(page, "Priya")
    page.goto(batch.get_absolute_url())
    expect(page.locator("#batch [role=status]")).to_contain_text("0 of 2 battles")
    run_chunk(batch.pk)
    expect(page.locator("#batch [role=status]")).to_contain_text("2 of 2 battles")
