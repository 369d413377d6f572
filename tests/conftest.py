import os

import pytest
from django.test import Client
from hypothesis import settings

from campaigns.models import Campaign
from tests.browser.chromium import executable
from tests.demo import campaign_between_rounds, campaign_in_the_middle
from tests.people import sign_in

settings.register_profile("aftermath", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("aftermath")
"""No deadline, because a busy machine is no mistake; on CI the same examples every time."""


@pytest.fixture
def campaign(db: None) -> Campaign:
    """The Salt Road Winter after two rounds: nobody fights."""
    return campaign_between_rounds()


@pytest.fixture
def under_way(db: None) -> Campaign:
    """The Salt Road Winter as the demo shows it, with a round under way."""
    return campaign_in_the_middle()


@pytest.fixture
def signed_in(client: Client, campaign: Campaign) -> Client:
    """A browser with Ilse, a player of the campaign, signed in."""
    return sign_in(client, "Ilse")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say plainly that the browser tests did not run, instead of passing silently."""
    if executable() is None:
        terminalreporter.write_line(
            "NOT RUN: the browser tests, because there is no Chromium. Install one, or set CHROMIUM to its path.",
            red=True,
        )
