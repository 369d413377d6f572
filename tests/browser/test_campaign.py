"""A tournament of four over two rounds, from the invitation to the standings, through the pages alone."""

from collections.abc import Mapping

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.demo import LOGINS, PASSWORD
from accounts.models import User
from campaigns.demo import WARBANDS, found_warband
from campaigns.models import Battle, Campaign
from tests.browser.conftest import DESK, PHONE, OpenPage, sign_in

GM = "Priya"
PLAYERS = ("Ilse", "Marek", "Dagny", GM)
CALLED = {name: WARBANDS[name][0] for name in PLAYERS}
MOST_PASSES = 8


@pytest.fixture
def four(transactional_db: None) -> None:
    """People with a founded warband each, and nothing else."""
    for login in LOGINS:
        if login.name in PLAYERS:
            found_warband(User.objects.create_user(login.email, PASSWORD, name=login.name), login.name)


def test_four_play_two_rounds_from_the_invitation_to_the_standings(open_page: OpenPage, four: None) -> None:
    pages = {name: open_page("/", DESK if name == GM else PHONE) for name in PLAYERS}
    for name, page in pages.items():
        sign_in(page, name)
    base = call_for_the_campaign(pages[GM])
    link = invite(pages[GM], base)
    for name, page in pages.items():
        come_in(page, name, "" if name == GM else link, base)
    pages[GM].goto(f"{base}begin/")
    pages[GM].get_by_role("button", name="Begin the campaign").click()
    expect(pages[GM].get_by_role("heading", level=1)).to_have_text("The four")
    for number in (1, 2):
        play_round(pages, base, number)
    look_at_standings(pages["Ilse"], base)
    assert set(Battle.objects.values_list("state", flat=True)) == {Battle.State.CLOSED}


def call_for_the_campaign(page: Page) -> str:
    page.goto("/campaigns/new/")
    page.get_by_role("textbox", name="Name").fill("The four")
    page.get_by_text("Tournament", exact=True).click()
    page.get_by_role("button", name="Call for the campaign").click()
    expect(page.get_by_text("The four").first).to_be_visible()
    return f"/campaigns/{Campaign.objects.get().pk}/"


def invite(page: Page, base: str) -> str:
    page.goto(f"{base}invite/")
    page.get_by_role("button", name="Make an invitation").click()
    return page.locator(".invitations input[readonly]").input_value()


def come_in(page: Page, name: str, link: str, base: str) -> None:
    if link:
        page.goto(link)
        page.get_by_role("button", name="Join the campaign").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Enrol a warband")
    else:
        page.goto(f"{base}enrol/")
    page.get_by_role("button", name=f"Enrol {CALLED[name]}").click()
    expect(page.get_by_text(f"{CALLED[name]} is in The four.")).to_be_visible()


def play_round(pages: Mapping[str, Page], base: str, number: int) -> None:
    gm = pages[GM]
    gm.goto(f"{base}rounds/")
    gm.get_by_role("button", name="Draft the pairings").click()
    expect(gm.get_by_role("heading", level=1)).to_contain_text(f"Round {number}")
    gm.get_by_role("button", name="Publish the round").click()
    expect(gm.get_by_text("The round is published")).to_be_visible()
    for address, said in [_seated(table) for table in gm.locator(".seating > li").all()]:
        play_battle({name: pages[name] for name in PLAYERS if CALLED[name] in said}, address)
    gm.goto(f"{base}rounds/{number}/")
    expect(gm.get_by_text("2 of 2 battles over.")).to_be_visible()
    gm.get_by_role("button", name="Close the round").click()
    expect(gm.get_by_text("The round is closed.")).to_be_visible()


def _seated(table: Locator) -> tuple[str, str]:
    """Where a table's battle is and who sits at it: read before the game master leaves the page to play."""
    return table.locator(".seating-head a").get_attribute("href") or "", table.inner_text()


def play_battle(pages: Mapping[str, Page], address: str) -> None:
    """The first of them won and reports it, the other agrees; then both have the rest answered."""
    (winner, reporting), (_other, agreeing) = pages.items()
    reporting.goto(address)
    reporting.get_by_text("We have already played").click()
    reporting.get_by_role("button", name="Go to the report").click()
    reporting.get_by_text("Alone", exact=True).click()
    reporting.locator("#end label", has_text=CALLED[winner]).click()
    expect(reporting.locator("#actionbar")).to_contain_text("Ready to send")
    reporting.get_by_role("button", name="Send").click()
    expect(reporting.get_by_role("heading", level=1)).to_contain_text("Report of battle")
    agreeing.goto(f"{address}report/")
    agreeing.get_by_role("button", name="Confirm", exact=True).click()
    for _pass in range(MOST_PASSES):
        if not sum(answer_the_rest(page, address) for page in pages.values()):
            return
    raise AssertionError("the post-game does not end")


def answer_the_rest(page: Page, address: str) -> bool:
    """Whether there was something to answer."""
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Battle")
    to_it = page.get_by_role("link", name="To the post-game of")
    if not to_it.count():
        return False
    to_it.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("After the battle")
    rest = page.get_by_role("link", name="Answer the rest for me")
    if not rest.count():
        return False
    rest.click()
    page.get_by_role("button", name="The whole rest").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("After the battle")
    return True


def look_at_standings(page: Page, base: str) -> None:
    page.goto(f"{base}standings/")
    expect(page.get_by_text("after 4 battles")).to_be_visible()
    table = page.locator("table.standings").first
    for name in CALLED.values():
        expect(table).to_contain_text(name)
    expect(table.locator("tbody tr")).to_have_count(4)
