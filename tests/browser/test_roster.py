"""A roster on a phone, at a desk and on paper."""

import re

import pytest
from playwright.sync_api import Page, expect

from campaigns.models import Campaign
from tests.browser.checks import assert_accessible, assert_fits
from tests.browser.conftest import DESK, PHONE, OpenPage, sign_in
from warbands.models import Warband

PAGE = re.compile(rb"/Type\s*/Page\b")


def address(campaign: Campaign) -> str:
    return campaign.warbands.get(owner__name="Ilse").get_absolute_url()


def signed_in(open_page: OpenPage, width: int = PHONE, theme: str = "light", script: bool = True) -> Page:
    page = open_page("/", width, theme, script)
    sign_in(page)
    return page


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_pages_of_a_warband_are_accessible_and_fit(
    open_page: OpenPage, campaign: Campaign, width: int, theme: str
) -> None:
    page = signed_in(open_page, width, theme)
    for part in ("", "timeline/", "fighters/f1/", "memorial/", "edit/", "share/", "retire/"):
        page.goto(address(campaign) + part)
        assert_accessible(page)
        assert_fits(page)


def test_on_a_phone_a_fighter_is_a_row_that_opens_in_place(open_page: OpenPage, campaign: Campaign) -> None:
    page = signed_in(open_page)
    page.goto(address(campaign))
    expect(page.locator("#fighter-f1 .stats")).to_be_visible()
    joss = page.locator("#fighter-f5")
    expect(joss.locator(".stats")).to_be_hidden()
    joss.locator("summary").first.click()
    expect(joss.locator(".stats")).to_be_visible()
    joss.get_by_text("Every number").click()
    expect(joss.locator(".numbers")).to_be_visible()
    assert_fits(page)


def test_at_a_desk_every_fighter_is_open(open_page: OpenPage, campaign: Campaign) -> None:
    page = signed_in(open_page, DESK)
    page.goto(address(campaign))
    expect(page.locator(".roster .stats")).not_to_have_count(0)
    for line in page.locator(".roster .stats").all():
        expect(line).to_be_visible()


@pytest.mark.parametrize("script", [True, False])
def test_a_name_opens_its_explanation_in_place(open_page: OpenPage, campaign: Campaign, script: bool) -> None:
    page = signed_in(open_page, script=script)
    page.goto(address(campaign))
    about = page.locator("#about-items-shield")
    expect(about).to_be_hidden()
    page.locator("#fighter-f1").get_by_role("button", name="Shield").click()
    expect(about).to_be_visible()
    expect(about.get_by_role("link", name="In the rules")).to_be_visible()
    about.get_by_role("button", name="Close").click()
    expect(about).to_be_hidden()


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_the_roster_prints_on_two_pages_at_most(
    open_page: OpenPage, campaign: Campaign, paper: str, width: int
) -> None:
    page = signed_in(open_page, width)
    page.goto(address(campaign))
    printed = page.pdf(format=paper)
    assert 1 <= len(PAGE.findall(printed)) - len(re.findall(rb"/Type\s*/Pages\b", printed)) <= 2
    page.emulate_media(media="print")
    expect(page.locator(".roster .fighter")).not_to_have_count(0)
    for fighter in page.locator(".roster .fighter").all():
        expect(fighter.locator(".track")).to_be_visible()
        assert fighter.evaluate("it => getComputedStyle(it).breakInside") == "avoid"
    expect(page.locator(".masthead")).to_be_hidden()


def test_a_player_renames_somebody_and_is_told_what_is_wrong(open_page: OpenPage, campaign: Campaign) -> None:
    page = signed_in(open_page)
    page.goto(address(campaign) + "edit/")
    page.get_by_label("Name of Odile Brandt").fill("Odile the Red")
    page.get_by_label("Portrait").set_input_files(
        {"name": "me.svg", "mimeType": "image/svg+xml", "buffer": b"<svg><script>alert(1)</script></svg>"}
    )
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("no picture that can be read")
    expect(page.get_by_label("Name of Odile Brandt")).to_have_value("Odile the Red")
    assert_accessible(page)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#fighter-f1 h3")).to_have_text("Odile the Red")


def test_a_link_is_made_read_by_a_stranger_and_taken_back(open_page: OpenPage, campaign: Campaign) -> None:
    page = signed_in(open_page)
    page.goto(address(campaign) + "share/")
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_label("The link").input_value()
    stranger = open_page(link, DESK)
    expect(stranger.get_by_role("heading", level=1)).to_have_text("The Lantern Wardens")
    assert_accessible(stranger)
    assert_fits(stranger)
    page.get_by_role("button", name="Take the link back").click()
    expect(page.get_by_role("button", name="Make a link")).to_be_visible()
    stranger.reload()
    expect(stranger.get_by_role("heading", name="The Lantern Wardens")).to_have_count(0)
    assert Warband.objects.get(name="The Lantern Wardens").share_token is None
