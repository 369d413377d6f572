"""A battle from its call to the game, as two people at a table see it."""

import pytest
from playwright.sync_api import Page, expect

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


def test_two_players_go_from_the_start_to_the_game_without_scripts(open_page: OpenPage, campaign: Campaign) -> None:
    battle = on(campaign)
    ilse = open_page("/", PHONE, script=False)
    sign_in(ilse)
    marek = open_page("/", PHONE, script=False)
    sign_in(marek, "Marek")
    ilse.goto(battle.get_absolute_url())
    ilse.get_by_role("button", name="Open the pre-game").click()
    marek.goto(battle.get_absolute_url() + "pregame/")
    marek.get_by_role("button", name="Roll all of mine here").click()
    ilse.reload()
    ilse.get_by_label("2 players", exact=True).check()
    ilse.get_by_role("button", name="Answer", exact=True).first.click()
    ilse.get_by_role("button", name="Roll here").first.click()
    expect(ilse.get_by_role("heading", name="Scenario")).to_be_visible()
    ilse.get_by_label("Die 1").fill("7")
    ilse.get_by_role("button", name="Take these dice").click()
    expect(ilse.get_by_role("alert")).to_contain_text("A die shows 1 to 6.")
    ilse.get_by_label("Die 1").fill("5")
    ilse.get_by_role("button", name="Take these dice").click()
    for page in (ilse, marek):
        page.reload()
        page.get_by_label("1 had not finished").check()
        page.get_by_role("button", name="Answer", exact=True).last.click()
    ilse.get_by_role("button", name="Roll here").click()
    for page in (ilse, marek):
        page.reload()
        page.get_by_role("button", name="I am done").click()
    expect(marek.get_by_role("heading", name="Choosing a place in the turn order")).to_be_visible()
    battle.refresh_from_db()
    assert battle.state == Battle.State.PLAYING
