"""A battle from its call to the game, as two people at a table see it."""

import pytest
from playwright.sync_api import Locator, Page, expect

from campaigns.models import Battle, Campaign
from campaigns.services.propose_battle import propose_battle
from campaigns.services.schedule_battle import schedule_battle
from campaigns.services.start_battle import start_battle
from rules.engine.changes import Gained
from tests.browser.checks import assert_accessible, assert_fits
from tests.browser.conftest import DESK, PHONE, OpenPage, sign_in
from warbands.services.apply_changes import apply_changes

MOST_PRESSES = 40
"""More than any pre-game of two takes; which questions and rolls there are depends on the dice."""


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


def a_scout(campaign: Campaign) -> str:
    """Ilse's leader has learned to be deployed otherwise, so that one question is asked whatever the dice show."""
    warband = campaign.warbands.get(owner__name="Ilse")
    leader = warband.fighters.get(is_leader=True)
    taught = Gained(str(warband.pk), leader.key, "skill", "Infiltration", "a lesson")
    apply_changes(warband=warband, changes=[taught], actor=None, cause="a lesson")
    return leader.name


def button(page: Page, name: str) -> Locator:
    """What folds shut is not to be pressed."""
    return page.get_by_role("main").get_by_role("button", name=name, exact=True)


def form_with(page: Page, name: str) -> Locator:
    return page.locator("form").filter(has=page.get_by_role("button", name=name, exact=True)).first


def pressed(page: Page, address: str, *, at_the_table: bool) -> bool:
    """One thing that the page asks for: an answer, a roll, or to say that one is done. Nothing while it waits."""
    page.goto(address)
    if button(page, "Answer").count():
        choices = form_with(page, "Answer").locator("input[type=checkbox]")
        if choices.count():
            choices.first.check()
        button(page, "Answer").first.click()
    elif at_the_table and button(page, "Take these dice").count():
        form = form_with(page, "Take these dice")
        for face in form.locator("input[name=face]").all():
            face.fill("3")
        form.get_by_role("button", name="Take these dice").click()
    elif button(page, "Roll here").count():
        button(page, "Roll here").first.click()
    elif button(page, "I am done").count():
        button(page, "I am done").click()
    else:
        return False
    return True


def test_the_pre_game_is_played_without_scripts(open_page: OpenPage, campaign: Campaign) -> None:
    scout = a_scout(campaign)
    battle = start_battle(actor=campaign.memberships.get(role="gm").person, battle=on(campaign))
    address = battle.get_absolute_url() + "pregame/"
    pages = {name: open_page("/", script=False) for name in ("Ilse", "Marek")}
    for name, page in pages.items():
        sign_in(page, name)
    for _turn in range(MOST_PRESSES):
        moved = [pressed(page, address, at_the_table=name == "Ilse") for name, page in pages.items()]
        if not any(moved):
            break
    battle.refresh_from_db()
    assert battle.state == Battle.State.PLAYING
    for page in pages.values():
        page.goto(address)
        expect(page.get_by_role("main")).to_contain_text("How it was before the game.")
        expect(page.get_by_role("main")).to_contain_text(f"Special deployment: {scout}: Scout")
    assert battle.participations.get(warband__owner__name="Ilse").pregame["typed"]
