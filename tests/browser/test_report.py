"""A battle reported at the table, on phones."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from campaigns.models import Battle, Campaign
from campaigns.services.send_report import send_report
from tests.browser.checks import assert_accessible, assert_fits
from tests.browser.conftest import DESK, PHONE, OpenPage, sign_in
from tests.campaigns.papers import a_dispute, by, finished, key_of, paper_of, write
from tests.campaigns.stage import Scene, a_battle

SAVED = re.compile(r"\d+ things? to settle|Ready to send")


@pytest.fixture
def scene(campaign: Campaign) -> Scene:
    """Everybody of the demo, fit to fight."""
    warbands = {warband.owner.name: warband for warband in campaign.warbands.select_related("owner")}
    for warband in warbands.values():
        warband.fighters.update(delayed=False, captive_of="")
    people = {name: warband.owner for name, warband in warbands.items()}
    return Scene(campaign, people["Priya"], people, warbands)


@pytest.fixture
def battle(scene: Scene) -> Battle:
    return a_battle(scene, "Ilse", "Marek", scenario="Gold Hunt")


def open_report(open_page: OpenPage, battle: Battle, name: str, width: int = PHONE, **options: object) -> Page:
    page = open_page("/", width, **options)
    sign_in(page, name)
    page.goto(f"/campaigns/{battle.campaign_id}/battles/{battle.number}/report/")
    return page


def line(page: Page, scene: Scene, player: str, place: int) -> Locator:
    """A fighter's line, open."""
    found = page.locator(f"#{key_of(scene, player, place)}")
    if not found.locator("details").evaluate("details => details.open"):
        found.locator("summary").click()
    return found


def more(part: Locator, label: str) -> None:
    part.get_by_role("group", name=label).get_by_role("button", name="One more").click()


def test_a_report_is_filled_in_and_sent_on_a_phone(open_page: OpenPage, scene: Scene, battle: Battle) -> None:
    page = open_report(open_page, battle, "Ilse")
    assert_accessible(page)
    assert_fits(page)
    with page.expect_response("**/report/line/"):
        page.get_by_text("Alone", exact=True).click()
    expect(page.locator("#end")).to_contain_text("Who wins alone is one warband")
    expect(page.get_by_label("Alone", exact=True)).to_be_checked()
    page.locator("#end label", has_text="The Lantern Wardens").click()
    expect(page.locator("#actionbar")).to_contain_text("Ready to send")

    victim = line(page, scene, "Marek", 1)
    more(victim, "Out of action")
    victim.get_by_label("Taken out by").select_option(by(scene, "Ilse"))
    killer = line(page, scene, "Ilse", 0)
    expect(killer.get_by_label("Kills in melee").locator("input")).to_have_value("1")
    victim.get_by_text("Ranged", exact=True).click()
    expect(killer.get_by_label("Kills at range").locator("input")).to_have_value("1")
    expect(page.locator("#report-aside")).to_contain_text("1 model out")
    expect(victim.locator("details")).to_have_attribute("open", "")
    assert_accessible(page)
    assert_fits(page)

    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Report of battle")
    battle.refresh_from_db()
    assert battle.state == "reported"


def test_two_people_fill_it_in_at_once(open_page: OpenPage, scene: Scene, battle: Battle) -> None:
    first = open_report(open_page, battle, "Ilse")
    second = open_report(open_page, battle, "Marek")
    more(line(first, scene, "Ilse", 0), "Kills in melee")
    more(line(second, scene, "Marek", 0), "Scenario experience")
    expect(second.locator(f"#{key_of(scene, 'Ilse', 0)} .said")).to_contain_text("1 in melee")
    expect(first.locator(f"#{key_of(scene, 'Marek', 0)} .said")).to_contain_text("+1 Experience")
    lines = paper_of(battle).lines
    assert (lines[key_of(scene, "Ilse", 0)].melee, lines[key_of(scene, "Marek", 0)].experience) == (1, 1)


def test_a_clash_is_asked_about(open_page: OpenPage, scene: Scene, battle: Battle) -> None:
    page = open_report(open_page, battle, "Ilse")
    mine = line(page, scene, "Ilse", 0)
    key = key_of(scene, "Ilse", 0)
    write(scene, battle, "Marek", **{f"{key}.melee": 3})
    kills = mine.get_by_label("Kills in melee").locator("input")
    kills.fill("1")
    kills.press("Enter")
    expect(mine).to_contain_text("Melee kills: you have 1, they have 3.")
    assert_accessible(page)
    mine.get_by_role("link", name="Take theirs").click()
    expect(mine.get_by_label("Kills in melee").locator("input")).to_have_value("3")
    expect(mine).not_to_contain_text("you have 1")


def test_it_works_without_scripts(open_page: OpenPage, scene: Scene, battle: Battle) -> None:
    page = open_report(open_page, battle, "Ilse", script=False)
    page.get_by_text("Nobody", exact=True).click()
    line(page, scene, "Ilse", 0).get_by_label("Kills in melee").locator("input").fill("2")
    page.get_by_role("button", name="Save for later").click()
    expect(page.locator(f"#{key_of(scene, 'Ilse', 0)} .said")).to_contain_text("2 in melee")
    assert paper_of(battle).ending.kind == "nobody"


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_dispute_is_ruled_on(open_page: OpenPage, scene: Scene, battle: Battle, width: int, theme: str) -> None:
    finished(scene, battle)
    send_report(actor=scene.people["Ilse"], battle=battle)
    page = open_report(open_page, battle, "Marek", width, theme=theme)
    assert_accessible(page)
    assert_fits(page)
    page.get_by_role("link", name="Dispute").click()
    assert_accessible(page)
    assert_fits(page)
    a_dispute(scene, battle)
    gm = open_report(open_page, battle, "Priya", width, theme=theme)
    gm.get_by_role("link", name="Compare and rule").click()
    assert_accessible(gm)
    assert_fits(gm)
    gm.get_by_label("As the dispute says").check()
    gm.get_by_label("Why").fill("I was there.")
    gm.get_by_role("button", name="Rule").click()
    expect(gm.get_by_text("The report stands.")).to_be_visible()
