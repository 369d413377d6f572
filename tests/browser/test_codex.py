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
    page.get_by_role("combobox").press_sequentially("swrod")
    hit = page.locator("#hits").get_by_role("option").first
    expect(hit).to_contain_text("Sword")
    expect(page).to_have_url(re.compile(r"q=swrod"))
    assert_accessible(page)
    hit.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sword")
    page.get_by_role("link", name="Deflect", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Deflect")
    page.go_back()
    page.go_back()
    expect(page.get_by_role("combobox")).to_have_value("swrod")


@pytest.mark.usefixtures("_loaded")
def test_the_arrow_keys_go_through_the_hits(open_page: OpenPage) -> None:
    page = open_page("/rules/")
    field = page.get_by_role("combobox", name="Search the rules")
    expect(field).to_have_attribute("aria-expanded", "false")
    field.press_sequentially("sword")
    hits = page.locator("#hits").get_by_role("option")
    expect(field).to_have_attribute("aria-expanded", "true")
    expect(hits.nth(1)).to_be_visible()
    expect(page).to_have_url(re.compile(r"q=sword$"))
    chosen = page.locator("#hits [aria-selected=true]")
    expect(chosen).to_have_count(0)

    field.press("ArrowDown")
    expect(hits.first).to_have_attribute("aria-selected", "true")
    expect(field).to_have_attribute("aria-activedescendant", "hit-0")
    expect(field).to_be_focused()
    assert_accessible(page)
    field.press("ArrowUp")
    expect(chosen).to_have_count(0)
    field.press("ArrowUp")
    expect(hits.last).to_have_attribute("aria-selected", "true")
    field.press("ArrowDown")
    expect(chosen).to_have_count(0)
    field.press("ArrowDown")
    field.press("ArrowDown")
    expect(hits.nth(1)).to_have_attribute("aria-selected", "true")
    field.press("Escape")
    expect(chosen).to_have_count(0)
    expect(field).to_have_value("sword")

    field.press("ArrowDown")
    name = hits.first.locator("b").inner_text()
    field.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


@pytest.mark.usefixtures("_loaded")
def test_a_new_search_chooses_nothing_and_enter_searches(open_page: OpenPage) -> None:
    page = open_page("/rules/search/?q=sword")
    field = page.get_by_role("combobox")
    field.press("ArrowDown")
    expect(page.locator("#hits [aria-selected=true]")).to_have_count(1)
    field.fill("shield")
    expect(page.locator("#hits").get_by_role("option").first).to_contain_text("Shield")
    expect(page.locator("#hits [aria-selected=true]")).to_have_count(0)
    field.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Search the rules")
    field.fill("qqqqqqqqqq")
    expect(page.get_by_text("Nothing like this")).to_be_visible()
    expect(field).to_have_attribute("aria-expanded", "false")
    assert_accessible(page)


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
