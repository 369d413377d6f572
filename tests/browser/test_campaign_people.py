"""The pages about a campaign's people and settings in a real browser."""

import pytest
from playwright.sync_api import expect

from accounts.demo import PASSWORD
from campaigns.models import Campaign, Invitation, JoinRequest
from tests.browser.checks import assert_accessible, assert_fits
from tests.browser.conftest import DESK, PHONE, OpenPage, sign_in
from tests.campaigns.stage import a_person


@pytest.fixture
def invitation(campaign: Campaign) -> Invitation:
    JoinRequest.objects.create(campaign=campaign, person=a_person("Sten"), note="I can play on Fridays.")
    Campaign.objects.update(visibility="public")
    return Invitation.objects.create(campaign=campaign, places=3)


@pytest.mark.parametrize(("width", "theme"), [(PHONE, "light"), (PHONE, "dark"), (DESK, "light")])
def test_the_pages_are_accessible_and_fit(open_page: OpenPage, invitation: Invitation, width: int, theme: str) -> None:
    base = f"/campaigns/{invitation.campaign_id}"
    page = open_page(f"/campaigns/join/{invitation.token}/", width=width, theme=theme)
    assert_accessible(page)
    assert_fits(page)
    page.goto(f"/campaigns/open/{invitation.campaign_id}/")
    assert_accessible(page)
    assert_fits(page)
    sign_in(page, "Priya")
    for address in (f"{base}/people/", f"{base}/settings/", f"{base}/invite/", f"{base}/enrol/", "/campaigns/new/"):
        page.goto(address)
        for summary in page.locator(".manage > summary").all():
            summary.click()
        assert_accessible(page)
        assert_fits(page)


@pytest.mark.parametrize("script", [True, False])
def test_a_setting_is_confirmed_and_saved(open_page: OpenPage, invitation: Invitation, script: bool) -> None:
    Campaign.objects.filter(pk=invitation.campaign_id).update(house={})
    page = open_page("/", script=script)
    sign_in(page, "Priya")
    page.goto(f"/campaigns/{invitation.campaign_id}/settings/")
    expect(page.get_by_label("Giant-slayer")).to_be_hidden()
    page.get_by_role("group", name="Who wins the campaign").get_by_label("Victory points").check()
    expect(page.get_by_label("Giant-slayer")).to_be_visible()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Save these settings?")
    assert_fits(page)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    assert Campaign.objects.get(pk=invitation.campaign_id).house == {"winner": "points"}


def test_an_invited_person_signs_in_and_comes_in(open_page: OpenPage, invitation: Invitation) -> None:
    invitation.campaign.memberships.filter(person__name="Ilse").delete()
    page = open_page(f"/campaigns/join/{invitation.token}/")
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    page.get_by_label("E-mail").fill("ilse@example.com")
    page.locator("input[type=password]").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Join the campaign").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Enrol a warband")
