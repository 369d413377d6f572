"""A warband from nothing to ready, on a phone."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from campaigns.models import Campaign
from tests.browser.checks import assert_accessible, assert_fits
from tests.browser.conftest import DESK, PHONE, OpenPage, sign_in
from warbands.models import Warband
from warbands.services.draft import begin_draft, edit_draft


def expect_tally(page: Page, what: str, number: int) -> None:
    figure = page.locator("#tally .figure", has_text=what).locator("b")
    expect(figure).to_have_text(re.compile(rf"^\s*{number}(?!\d)"))


def ilses_draft(campaign: Campaign) -> Warband:
    ilse = campaign.warbands.get(owner__name="Ilse").owner
    draft = begin_draft(actor=ilse, name="Cinder Row", army="EoS", devotion="medium")
    orders: list[dict[str, Any]] = [
        {"do": "hire", "type": "Marshal"},
        {"do": "hire", "type": "Spearman", "models": 3, "name": "The Row"},
    ]
    edit_draft(actor=ilse, warband=draft, orders=orders)
    return draft


def test_a_warband_is_founded_on_a_phone_from_nothing_to_ready(open_page: OpenPage, campaign: Campaign) -> None:
    page = open_page("/", PHONE)
    sign_in(page)
    page.goto("/warbands/new/")
    page.get_by_role("button", name="Roll one").click()
    expect(page.get_by_text("Choose an army first")).to_be_visible()
    page.get_by_text("Empire of Sonnstahl").click()
    page.get_by_role("button", name="Roll one").click()
    expect(page.get_by_label("Name of the warband")).not_to_have_value("")
    page.get_by_role("button", name="Begin the draft").click()
    page.wait_for_url("**/found/")
    assert_accessible(page)

    page.get_by_label("Name of the warband").fill("Cinder Row Irregulars")
    page.get_by_label("Name of the warband").press("Tab")
    page.locator("#devotion label", has_text="High").click()
    expect(page.get_by_role("button", name="Found the warband")).to_be_disabled()
    page.get_by_role("link", name="Next problem").click()
    expect(page.locator("[data-problem]").first).to_be_focused()
    page.get_by_role("button", name="Hire Marshal for 56").click()
    marshal = page.locator("article", has_text="Leader")
    expect(marshal).to_be_visible()
    expect_tally(page, "Treasury", 444)

    page.get_by_role("button", name="Hire Spearman").click()
    group = page.locator("#section-henchmen article")
    for models in ("2", "3", "4"):
        group.get_by_role("button", name="One more").click()
        expect(group.locator(".stepper span")).to_have_text(models)
    expect_tally(page, "Models", 5)
    expect(page.get_by_role("button", name="Found the warband")).to_be_enabled()

    group.get_by_role("link", name="Equip all").click()
    panel = group.locator(".equipping")
    expect(panel).to_be_focused()
    panel.get_by_label("Search the equipment").fill("spe")
    expect(panel.get_by_role("button", name="Buy Sword")).to_be_hidden()
    panel.get_by_role("button", name="Buy Spear").click()
    expect(group.locator(".kit")).to_contain_text("Spear 10 each")
    expect(panel.get_by_role("button", name="Buy Sword")).to_be_hidden()
    expect_tally(page, "Treasury", 444 - 80 - 40)
    group.get_by_role("link", name="Done").click()
    expect(panel).to_have_count(0)

    name = group.get_by_label("Name of the Spearman")
    name.fill("")
    name.press("Enter")
    expect(group.get_by_role("alert")).to_contain_text("Give it a name.")
    expect(group.get_by_label("Name of the Spearman")).to_have_value("")
    assert_accessible(page)
    group.get_by_label("Name of the Spearman").fill("The Row")
    marshal.get_by_role("link", name="Equip").click()
    expect(marshal.locator(".equipping")).to_be_visible()
    expect(group.get_by_role("alert")).to_have_count(0)
    marshal.get_by_role("button", name="Buy Light Armour").click()
    expect(marshal.locator(".kit")).to_contain_text("Light Armour")
    assert_accessible(page)
    assert_fits(page)

    marshal.get_by_role("button", name="Suggest one").click()
    expect(marshal.get_by_label("Name of the Marshal")).not_to_have_value("Marshal")
    marshal.get_by_label("Name of the Marshal").fill("Katrin Vogt")
    page.get_by_role("button", name="Found the warband").click()
    page.wait_for_url("**/warbands/*/")
    founded = Warband.objects.get(name="Cinder Row Irregulars")
    assert founded.status == Warband.Status.READY
    assert founded.devotion == "high"
    assert founded.fighters.filter(name="The Row", size=4).exists()
    assert founded.fighters.filter(name="Katrin Vogt", is_leader=True).exists()


def test_quick_presses_all_count(open_page: OpenPage, campaign: Campaign) -> None:
    draft = ilses_draft(campaign)
    page = open_page("/", PHONE)
    sign_in(page)
    page.goto(f"/warbands/{draft.pk}/found/")
    page.evaluate("for (let i = 0; i < 2; i++) document.querySelector('[value=enlarge]').click()")
    page.locator("#devotion label", has_text="Low").click()
    page.get_by_role("button", name="Hire Guard Sergeant").click()
    expect(page.get_by_label("Name of the Guard Sergeant")).to_be_visible()
    draft.refresh_from_db()
    assert draft.devotion == "low"
    assert draft.fighters.get(type="Spearman").size == 5


def test_the_keyboard_keeps_its_place_when_the_last_one_is_hired(open_page: OpenPage, campaign: Campaign) -> None:
    draft = ilses_draft(campaign)
    page = open_page("/", PHONE)
    sign_in(page)
    page.goto(f"/warbands/{draft.pk}/found/")
    for hired in ("1 of 2 hired", "2 of 2 hired"):
        page.locator("#hire-guard-sergeant").press("Enter")
        expect(page.locator("#opening-guard-sergeant")).to_contain_text(hired)
    expect(page.locator("#opening-guard-sergeant")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Hire Elector")).to_be_focused()


def test_a_draft_that_was_changed_elsewhere_is_shown_as_it_is(open_page: OpenPage, campaign: Campaign) -> None:
    draft = ilses_draft(campaign)
    page = open_page("/", PHONE)
    sign_in(page)
    page.goto(f"/warbands/{draft.pk}/found/")
    edit_draft(actor=draft.owner, warband=draft, orders=[{"do": "hire", "type": "Guard Sergeant"}])
    page.get_by_role("button", name="One more").click()
    expect(page.get_by_text("changed elsewhere")).to_be_visible()
    expect(page.get_by_label("Name of the Guard Sergeant")).to_be_visible()
    expect(page.locator(".stepper span")).to_have_text("3")
    page.get_by_role("button", name="One more").click()
    expect(page.locator(".stepper span")).to_have_text("4")
    expect(page.get_by_text("changed elsewhere")).to_have_count(0)


def at_the_middle(page: Page, button: Locator) -> None:
    """The pointer on a button, without the waiting and looking again that a click of the tests does."""
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_nothing_moves_under_a_finger(open_page: OpenPage, campaign: Campaign) -> None:
    """A refusal takes the focus, and the page with it, only when the press that came meanwhile is over."""
    draft = ilses_draft(campaign)
    page = open_page("/", PHONE)
    sign_in(page)
    page.goto(f"/warbands/{draft.pk}/found/")
    page.evaluate("htmx.config.defaultSettleDelay = 3000")
    page.evaluate("document.addEventListener('htmx:afterSettle', () => document.body.dataset.settled = 'yes')")
    edit_draft(actor=draft.owner, warband=draft, orders=[{"do": "hire", "type": "Guard Sergeant"}])
    more = page.get_by_role("button", name="One more")
    more.click()
    expect(page.get_by_text("changed elsewhere")).to_be_visible()
    at_the_middle(page, more)
    page.mouse.down()
    expect(page.locator("body[data-settled]")).to_have_count(1)
    expect(page.locator("[data-said]")).not_to_be_focused()
    page.mouse.up()
    expect(page.locator(".stepper span")).to_have_text("4")


def test_a_press_counts_though_its_button_is_replaced(open_page: OpenPage, campaign: Campaign) -> None:
    draft = ilses_draft(campaign)
    page = open_page("/", PHONE)
    sign_in(page)
    page.goto(f"/warbands/{draft.pk}/found/")
    more = page.get_by_role("button", name="One more")
    at_the_middle(page, more)
    page.evaluate("document.querySelector('[value=enlarge]').click()")
    page.evaluate("document.querySelector('[value=enlarge]').dataset.old = 'yes'")
    page.mouse.down()
    expect(page.locator("[data-old]")).to_have_count(0)
    page.mouse.up()
    expect(page.locator(".stepper span")).to_have_text("5")


def test_a_warband_is_founded_without_scripts(open_page: OpenPage, campaign: Campaign) -> None:
    draft = ilses_draft(campaign)
    page = open_page("/", PHONE, script=False)
    sign_in(page)
    page.goto(f"/warbands/{draft.pk}/found/")
    page.get_by_role("link", name="Equip Marshal").click()
    page.get_by_label("Search the equipment").fill("sword")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("button", name="Buy Sword").click()
    expect(page.locator("#section-hero .kit")).to_contain_text("Sword")
    name = page.get_by_label("Name of the Marshal")
    name.fill("Katrin Vogt")
    name.press("Enter")
    expect(page.get_by_label("Name of the Marshal")).to_have_value("Katrin Vogt")
    page.get_by_role("button", name="Found the warband").click()
    page.wait_for_url("**/warbands/*/")
    assert Warband.objects.get(pk=draft.pk).status == Warband.Status.READY


def test_a_draft_is_thrown_away_after_a_question(open_page: OpenPage, campaign: Campaign) -> None:
    draft = ilses_draft(campaign)
    page = open_page("/", PHONE)
    sign_in(page)
    page.get_by_role("link", name="Cinder Row").click()
    page.get_by_role("link", name="Delete the draft").click()
    page.get_by_role("button", name="Throw it away").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your table")
    assert not Warband.objects.filter(pk=draft.pk).exists()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_founding_pages_are_accessible_and_fit(open_page: OpenPage, campaign: Campaign, width: int, theme: str) -> None:
    draft = ilses_draft(campaign)
    page = open_page("/", width, theme)
    sign_in(page)
    for path in ("/warbands/new/", f"/warbands/{draft.pk}/found/", f"/warbands/{draft.pk}/found/?equip=f1"):
        page.goto(path)
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        assert_accessible(page)
        assert_fits(page)
