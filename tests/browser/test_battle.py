"""A battle from its call to the game, as two people at a table see it."""

import pytest
from playwright.sync_api import Page

from campaigns.models import Battle, Campaign
from campaigns.services.propose_battle import propose_battle
from campaigns.services.schedule_battle import schedule_battle
from campaigns.services.start_battle import start_battle
from tests.browser.checks import assert_accessible, assert_fits
from tests.browser.conftest import DESK, PHONE, OpenPage, sign_in


def called(campaign: Campaign) -> Battle:
    warbands = {warband.owner.name: warband for warband in campaign.warbands.select_related("owner")}
    keys = [warbands["Ilse"].pk, warbands["Marek"].pk]
    return propose_battle(actor=warbands["Ilse"].owner, campaign=campaign, warbands=keys, place="The toll-yard")


def on(campaign: Campaign) -> Battle:
    gm = campaign.memberships.get(role="gm").person
    return schedule_battle(actor=gm, battle=called(campaign))


def checked(page: Page, path: str) -> None:
    page.goto(path)
    assert_accessible(page)
    assert_fits(page)


@pytest.mark.parametrize(("width", "theme"), [(PHONE, "light"), (DESK, "dark")])
def test_pages_of_a_battle_are_accessible_and_fit(
    open_page: OpenPage, campaign: Campaign, width: int, theme: str
) -> None:
    gm = campaign.memberships.get(role="gm").person
    page = open_page("/", width, theme)
    sign_in(page)
    checked(page, f"/campaigns/{campaign.pk}/battles/new/")
    proposed = called(campaign)
    for part in ("", "withdraw/", "move/"):
        checked(page, proposed.get_absolute_url() + part)
    begun = start_battle(actor=gm, battle=on(campaign))
    for part in ("", "pregame/"):
        checked(page, begun.get_absolute_url() + part)
