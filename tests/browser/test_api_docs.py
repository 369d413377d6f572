"""The description of the API, as two readers show it. A page that complains in the console fails its test."""

import pytest
from playwright.sync_api import Request, expect

from tests.browser.checks import assert_fits
from tests.browser.conftest import DESK, PHONE, OpenPage


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_swagger_shows_the_calls(open_page: OpenPage, transactional_db: None, width: int) -> None:
    page = open_page("/api/docs/", width)
    expect(page.locator(".opblock").first).to_be_visible()
    expect(page.get_by_role("button", name="get /api/v1/codex").first).to_be_visible()
    page.locator(".opblock-summary").first.click()
    expect(page.locator(".opblock.is-open .responses-wrapper")).to_be_visible()
    assert_fits(page)


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_redoc_shows_the_calls_and_asks_nobody_else(open_page: OpenPage, transactional_db: None, width: int) -> None:
    page = open_page("/api/docs/", width)
    asked: list[str] = []
    page.on("request", lambda request: _remember(asked, request))
    page.get_by_role("link", name="To read").click()
    expect(page.get_by_text("/api/v1/codex").first).to_be_attached()
    page.get_by_role("navigation", name="Areas of the API").get_by_role("link", name="webhooks").click()
    expect(page.get_by_text("/webhook-kinds").first).to_be_attached()
    expect(page.locator("[data-section-id]")).not_to_have_count(0)
    here = page.url.split("/api/")[0]
    assert asked
    assert [address for address in asked if not address.startswith((here, "data:", "blob:"))] == []
    assert_fits(page)


def _remember(asked: list[str], request: Request) -> None:
    asked.append(request.url)
