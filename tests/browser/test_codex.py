import re

import pytest
from playwright.sync_api import expect

from rules.codex.load import load_codex
from tests.browser.checks import assert_accessible, assert_fits
from tests.browser.conftest import DESK, PHONE, OpenPage

PAGES = [
    "/rules/",
    "/rules/search/?q=swrod",
    "/rules/items/",
    "/rules/items/trident/",
    "/rules/armies/empire-of-sonnstahl/",
    "/rules/fighters/battle-wizard/",
    "/rules/injuries/",
    "/rules/exploration/graveyard/",
    "/rules/tables/relations/",
    "/rules/tables/maxima/",
    "/rules/tables/advancement-heroes/",
    "/rules/tables/experience/",
    "/rules/tables/achievements/",
    "/rules/rulings/10/",
]


@pytest.fixture
def _loaded(transactional_db: None) -> None:
    load_codex()


@pytest.mark.usefixtures("_loaded")
def test_a_slip_of_the_thumb_still_finds_the_sword(open_page: OpenPage) -> None:
    page = open_page("/rules/")
    page.get_by_role("searchbox").press_sequentially("swrod")
    hit = page.locator("#hits").get_by_role("link").first
    expect(hit).to_contain_text("Sword")
    expect(page).to_have_url(re.compile(r"q=swrod"))
    assert_accessible(page)
    hit.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sword")
    page.get_by_role("link", name="Deflect", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Deflect")
    page.go_back()
    page.go_back()
    expect(page.get_by_role("searchbox")).to_have_value("swrod")


@pytest.mark.usefixtures("_loaded")
def test_the_search_works_without_scripts_and_by_keyboard(open_page: OpenPage) -> None:
    page = open_page("/rules/", script=False)
    page.get_by_role("searchbox").fill("swrod")
    page.keyboard.press("Enter")
    expect(page.locator("#hits").get_by_role("link").first).to_contain_text("Sword")
    page.get_by_role("searchbox").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sword")


@pytest.mark.usefixtures("_loaded")
@pytest.mark.parametrize(("width", "theme"), [(PHONE, "light"), (DESK, "light"), (PHONE, "dark")])
def test_the_reference_is_accessible_and_fits(open_page: OpenPage, width: int, theme: str) -> None:
    page = open_page(PAGES[0], width, theme)
    for path in PAGES:
        page.goto(path)
        assert_accessible(page)
        assert_fits(page)
