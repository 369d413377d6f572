"""Charts and ladders, as the specimen sheet shows them."""

import pytest
from django.conf import LazySettings
from playwright.sync_api import expect

from tests.browser.checks import assert_accessible, assert_fits
from tests.browser.conftest import DESK, PHONE, OpenPage


@pytest.mark.parametrize(("width", "shown", "hidden"), [(PHONE, "narrow", "wide"), (DESK, "wide", "narrow")])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_chart_has_the_picture_for_its_room(
    open_page: OpenPage, transactional_db: None, settings: LazySettings, width: int, shown: str, hidden: str, theme: str
) -> None:
    settings.DEBUG = True
    page = open_page("/styleguide/", width, theme)
    for figure in page.locator(".figure-chart:has(svg.chart)").all():
        expect(figure.locator(f"svg.chart.{shown}")).to_be_visible()
        expect(figure.locator(f"svg.chart.{hidden}")).to_be_hidden()
    expect(page.locator(".figure-chart")).not_to_have_count(0)
    numbers = page.locator(".figure-chart details").first
    numbers.locator("summary").click()
    expect(numbers.get_by_role("rowheader", name="The Lantern Wardens")).to_be_visible()
    assert_fits(page)
    assert_accessible(page)
