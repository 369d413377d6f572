"""The market and the equipment after it, on phones and desks."""

import re

import pytest
from django.contrib.auth.hashers import make_password
from playwright.sync_api import Page, expect

from accounts.demo import LOGINS, PASSWORD
from accounts.models import User
from campaigns.models import Run
from tests.browser.checks import assert_accessible, assert_fits
from tests.browser.conftest import DESK, PHONE, OpenPage, sign_in
from tests.campaigns.runs import run_of, walk
from tests.campaigns.stage import a_scene
from tests.campaigns.stalls import address, at_the_market, fresh, ordering_of
from warbands.models import Warband


@pytest.fixture
def run(transactional_db: None) -> Run:
    """Ilse at the market, with the key to the demo's door."""
    scene = a_scene()
    login = next(login for login in LOGINS if login.name == "Ilse")
    User.objects.filter(pk=scene.people["Ilse"].pk).update(email=login.email, password=make_password(PASSWORD))
    return at_the_market(scene)[1]


def opened(open_page: OpenPage, run: Run, route: str = "market", width: int = PHONE, **options: object) -> Page:
    page = open_page("/", width, **options)
    sign_in(page, "Ilse")
    page.goto(address(run, route))
    return page


def checked(page: Page) -> None:
    assert_accessible(page)
    assert_fits(page)


@pytest.mark.parametrize(("width", "theme"), [(PHONE, "light"), (DESK, "dark")])
def test_a_basket_is_filled_paid_and_handed_out(open_page: OpenPage, run: Run, width: int, theme: str) -> None:
    page = opened(open_page, run, width=width, theme=theme)
    checked(page)
    page.get_by_role("button", name="Add Sword", exact=True).click()
    expect(page.locator("#after")).to_contain_text("132")
    expect(page.locator("#ware-buy-sword")).to_be_in_viewport()
    expect(page.locator("#add-buy-sword")).to_be_focused()
    page.get_by_role("button", name="One more Sword, 1 in the basket").click()
    expect(page.locator("#after")).to_contain_text("122")
    page.get_by_role("link", name=re.compile("With an upgrade\\s+Sword$")).click()
    page.get_by_role("listitem").filter(has_text="Lucky Sword").first.wait_for()
    page.get_by_role("link", name="Recruit", exact=True).click()
    page.get_by_role("button", name="Recruit Imperial Guardsman").click()
    expect(page.locator("#basket")).to_contain_text("Save the name")
    page.get_by_placeholder("Name").fill("The Third")
    page.get_by_role("button", name="Save the name").click()
    expect(page.locator("#basket")).to_contain_text("joining: The Third")
    checked(page)
    page.get_by_role("link", name="Sell", exact=True).click()
    checked(page)
    page.locator("[id^=sell-]").first.click()
    expect(page.locator("#basket")).to_contain_text("Sell:")
    page.locator("#basket").get_by_role("button", name="Buy for").click()
    page.locator("#basket").get_by_role("button", name="Leave the market").click()
    page.wait_for_url(f"**{run.get_absolute_url()}")
    assert fresh(run).step == "allocation"
    warband = Warband.objects.get(pk=run.warband_id)
    assert warband.fighters.filter(name="The Third").exists()

    page.goto(address(run, "allocation"))
    checked(page)
    page.locator("#holder-").get_by_role("link", name="Sword").click()
    expect(page.locator("#chosen")).to_be_visible()
    checked(page)
    page.get_by_role("button", name="Give here to").last.click()
    expect(page.locator("#actionbar")).to_contain_text("1 thing moved.")
    page.get_by_role("button", name="Done with equipment").click()
    page.wait_for_url(f"**{run.get_absolute_url()}")
    assert fresh(run).step == "warband"


def test_a_search_shows_what_it_names_while_one_types(open_page: OpenPage, run: Run) -> None:
    page = opened(open_page, run)
    page.get_by_label("Search the market").fill("lantern")
    expect(page.locator("#goods h3")).to_have_text(["Lantern"])
    expect(page.get_by_label("Search the market")).to_be_focused()
    page.get_by_role("button", name="Add Lantern").click()
    expect(page.locator("#basket")).to_contain_text("Lantern")
    expect(page.locator("#goods h3")).to_have_text(["Lantern"])


def test_quick_presses_all_count(open_page: OpenPage, run: Run) -> None:
    page = opened(open_page, run, width=DESK)
    for name in ("Add Sword", "Add Axe", "Add Dagger"):
        page.get_by_role("button", name=name, exact=True).dispatch_event("click")
    expect(page.locator("#basket .basket > li")).to_have_count(3)
    assert [order["item"] for order in ordering_of(run).draft] == ["Sword", "Axe", "Dagger"]


def test_it_works_without_scripts(open_page: OpenPage, run: Run) -> None:
    page = opened(open_page, run, script=False)
    page.get_by_label("Search the market").fill("sword")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("button", name="Add Sword", exact=True).click()
    expect(page.locator("#goods h3").first).to_contain_text("Sword")
    page.locator("#basket").get_by_role("button", name="Buy for 10 pts").click()
    page.locator("#basket").get_by_role("button", name="Leave the market").click()
    page.goto(address(run, "allocation"))
    page.locator("#holder-").get_by_role("link", name="Sword").click()
    page.get_by_role("button", name="Give here to").last.click()
    expect(page.locator("#actionbar")).to_contain_text("1 thing moved.")


def test_a_thing_is_dragged_to_who_may_have_it(open_page: OpenPage, run: Run) -> None:
    walked = walk(run_of(run.battle, run.warband_id), {"trade": [{"do": "buy", "item": "Sword"}]}, until="allocation")
    page = opened(open_page, walked, "allocation", DESK)
    sword = ordering_of(walked).standing.state.stockpile[-1].id
    page.locator(f"#thing-{sword}").hover()
    page.mouse.down()
    page.mouse.move(700, 500, steps=4)
    taker = page.locator("[data-holder].open").last
    expect(taker).to_be_visible()
    taker.hover()
    taker.hover()
    page.mouse.up()
    expect(page.locator("#actionbar")).to_contain_text("1 thing moved.")
    assert [order["item"] for order in ordering_of(walked).draft] == [sword]
