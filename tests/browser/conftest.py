import os
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from accounts.demo import LOGINS, PASSWORD
from campaigns.models import Campaign
from tests.browser.chromium import arguments, executable
from tests.demo import campaign_between_rounds, campaign_in_the_middle

PHONE, DESK = 390, 1280
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE / 2)
"""Milliseconds. Long, because a busy machine is no mistake; a page that is right costs none of it."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what drives a browser, keep it on one worker, and leave it out where there is none."""
    for item in items:
        if "/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))
            item.add_marker(pytest.mark.flaky(reruns=2, reruns_delay=2))
            if executable() is None:
                item.add_marker(pytest.mark.skip(reason="there is no Chromium on this machine"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Playwright's loop runs in this thread, which Django would take for asynchronous code of ours."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable(), args=arguments())
        yield chromium
        chromium.close()


@pytest.fixture
def campaign(transactional_db: None) -> Campaign:
    return campaign_between_rounds()


@pytest.fixture
def under_way(transactional_db: None) -> Campaign:
    return campaign_in_the_middle()


OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, live_server: LiveServer) -> Iterator[OpenPage]:
    """Opens an address of the site at a width, in a theme; a page that complains fails its test."""
    contexts = []
    complaints: list[str] = []

    def opened(path: str = "/", width: int = PHONE, theme: str = "light", script: bool = True) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 844 if width == PHONE else 900},
            color_scheme="dark" if theme == "dark" else "light",
            base_url=live_server.url,
            java_script_enabled=script,
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path)
        return page

    yield opened
    for context in contexts:
        context.close()
    unexpected = [text for text in complaints if "Failed to load resource" not in text]
    assert not unexpected, unexpected


def sign_in(page: Page, name: str = "Ilse") -> None:
    """Through the form, as a person does; what comes next may leave the page at once."""
    login = next(login for login in LOGINS if login.name == name)
    page.goto("/account/login/")
    page.get_by_label("E-mail").fill(login.email)
    page.locator("input[type=password]").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your table")
