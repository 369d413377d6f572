"""`make screenshots`: the pages that are looked at, at two widths and in both themes, into docs/screenshots."""

import pytest
from django.conf import LazySettings
from playwright.sync_api import Page, expect

from campaigns.models import Campaign
from config.embedded.folder import PROJECT
from tests.browser.checks import assert_accessible, assert_fits
from tests.browser.conftest import DESK, PHONE, OpenPage, sign_in

FOLDER = PROJECT / "docs" / "screenshots"


def keep(page: Page, name: str, width: int, theme: str) -> None:
    assert_accessible(page)
    assert_fits(page)
    FOLDER.mkdir(exist_ok=True)
    page.screenshot(path=FOLDER / f"{name}-{theme}-{width}.png", full_page=True)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_keep_screenshots(
    open_page: OpenPage, under_way: Campaign, settings: LazySettings, width: int, theme: str
) -> None:
    settings.DEMO_LOGINS = True
    page = open_page("/", width, theme)
    keep(page, "welcome", width, theme)
    page.goto("/account/login/")
    keep(page, "sign-in", width, theme)
    page.goto("/nowhere/")
    keep(page, "error", width, theme)
    page.goto("/account/signup/")
    page.get_by_label("Name").fill("Ilse")
    page.get_by_label("E-mail").fill("ilse@example.com")
    page.locator("input[type=password]").fill("short")
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    expect(page.locator("[aria-invalid=true]").first).to_be_visible()
    keep(page, "form-with-errors", width, theme)
    sign_in(page)
    keep(page, "home", width, theme)
    page.goto(under_way.get_absolute_url())
    keep(page, "campaign", width, theme)
    own = under_way.warbands.get(owner__name="Ilse")
    parts = (
        ("rounds", "rounds/"), ("round", "rounds/1/"), ("standings", "standings/"), ("proof", "battles/4/proof/"),
        ("report", "battles/8/report/"), ("postgame", f"battles/7/postgame/{own.pk}/"),
    )  # fmt: skip
    for name, part in parts:
        page.goto(under_way.get_absolute_url() + part)
        keep(page, name, width, theme)
    page.goto("/warbands/new/")
    keep(page, "warband-new", width, theme)
    page.get_by_text("Empire of Sonnstahl").click()
    page.get_by_label("Name of the warband").fill("Cinder Row Irregulars")
    page.get_by_role("button", name="Begin the draft").click()
    page.get_by_role("button", name="Hire Marshal for 56").click()
    page.get_by_role("link", name="Equip Marshal").click()
    expect(page.locator(".equipping")).to_be_visible()
    keep(page, "founding", width, theme)
    for name, part in (("roster", ""), ("timeline", "timeline/"), ("fighter", "fighters/f1/")):
        page.goto(own.get_absolute_url() + part)
        keep(page, name, width, theme)
    page.context.clear_cookies()
    sign_in(page, "Priya")
    page.goto(under_way.get_absolute_url() + "console/")
    keep(page, "console", width, theme)
