"""Rounds and ladders in a real browser."""

import pytest
from playwright.sync_api import Page, expect

from accounts.demo import PASSWORD
from campaigns.models import Campaign, Enrolment, Round, Stage
from campaigns.services.change_pairing import change_pairing
from campaigns.services.draft_round import draft_round
from tests.browser.checks import assert_accessible, assert_fits
from tests.browser.conftest import DESK, PHONE, OpenPage
from tests.campaigns.stage import Scene
from tests.campaigns.tournament import a_ladder, a_tournament, next_round, over


def sign_in(page: Page, scene: Scene, name: str) -> None:
    person = scene.people[name]
    person.set_password(PASSWORD)
    person.save()
    page.goto("/account/login/")
    page.get_by_label("E-mail").fill(person.email)
    page.locator("input[type=password]").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your table")


@pytest.fixture
def tournament(transactional_db: None) -> Scene:
    """One round is over, the second is a draft with something to warn of."""
    scene = a_tournament(5, rounds=3)
    first = next_round(scene)
    over(first)
    draft = draft_round(actor=scene.gm, campaign=scene.campaign)
    met = [part.warband_id for part in first.battles.all()[0].participations.all()]
    table = draft.seats.get(warband=met[0]).pairing.table
    change_pairing(actor=scene.gm, turn=draft, do="move", warband=met[1], table=table)
    return scene


@pytest.fixture
def ladder(transactional_db: None) -> Scene:
    scene = a_ladder(3)
    Enrolment.objects.filter(warband=scene.warbands["Ilse"]).update(stage=Stage.objects.get(key="marsh"))
    return scene


def looked_at(page: Page, path: str) -> None:
    page.goto(path)
    for summary in page.locator("main details:not([open]) > summary").all():
        summary.click()
    assert_accessible(page)
    assert_fits(page)


@pytest.mark.parametrize(("width", "theme"), [(PHONE, "light"), (PHONE, "dark"), (DESK, "light")])
def test_pages_of_rounds_are_accessible_and_fit(open_page: OpenPage, tournament: Scene, width: int, theme: str) -> None:
    base = f"/campaigns/{tournament.campaign.pk}/rounds/"
    page = open_page("/", width, theme)
    sign_in(page, tournament, "Priya")
    key = tournament.warbands["Ilse"].pk
    for path in (base, f"{base}1/", f"{base}2/", f"{base}2/?change={key}", f"{base}2/discard/"):
        looked_at(page, path)


@pytest.mark.parametrize(("width", "theme"), [(PHONE, "light"), (PHONE, "dark"), (DESK, "light")])
def test_pages_of_a_ladder_are_accessible_and_fit(open_page: OpenPage, ladder: Scene, width: int, theme: str) -> None:
    page = open_page("/", width, theme)
    sign_in(page, ladder, "Priya")
    for part in ("ladder/", "ladder/edit/"):
        looked_at(page, f"/campaigns/{ladder.campaign.pk}/{part}")


@pytest.mark.parametrize("script", [True, False])
def test_a_draft_is_changed_and_published(open_page: OpenPage, tournament: Scene, script: bool) -> None:
    page = open_page("/", PHONE, script=script)
    sign_in(page, tournament, "Priya")
    page.goto(f"/campaigns/{tournament.campaign.pk}/rounds/")
    page.get_by_role("link", name="Round 2").click()
    expect(page.get_by_text("met before, in battle").first).to_be_visible()
    page.get_by_role("link", name="Change The Lantern Wardens").click()
    expect(page.get_by_role("heading", name="Where does The Lantern Wardens go?")).to_be_visible()
    page.get_by_role("button", name="Take it out of the round").click()
    expect(page.get_by_role("heading", name="Not at a table")).to_be_visible()
    page.get_by_role("button", name="Publish the round").click()
    expect(page.get_by_text("The round is published")).to_be_visible()
    assert Round.objects.get(number=2).state == Round.State.PUBLISHED


def test_a_ladder_is_laid_without_scripts(open_page: OpenPage, ladder: Scene) -> None:
    page = open_page("/", PHONE, script=False)
    sign_in(page, ladder, "Priya")
    page.goto(f"/campaigns/{ladder.campaign.pk}/ladder/edit/")
    page.get_by_label("Name").nth(3).fill("The throne")
    page.get_by_role("button", name="Show it, and more rows").click()
    expect(page.get_by_role("alert")).to_contain_text("No way leads from The gate to The throne.")
    page.get_by_role("group", name="3. The keep").get_by_label("If won").select_option("4. The throne")
    page.get_by_role("button", name="Save the ladder").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ladder")
    expect(page.get_by_role("heading", name="The throne")).to_be_visible()
    assert Campaign.objects.get().stages.count() == 4
