"""What a game master does: a change by hand and its undo, a dispute, acting for a player, and a campaign of others."""

import re

import pytest
from playwright.sync_api import expect

from campaigns.models import Battle, Campaign, Event
from campaigns.services.create_campaign import create_campaign
from campaigns.services.send_report import send_report
from tests.browser.checks import assert_accessible, assert_fits
from tests.browser.conftest import DESK, PHONE, OpenPage, sign_in
from tests.campaigns.papers import a_dispute, finished
from tests.campaigns.stage import Scene, a_battle, a_person
from warbands.models import Warband


@pytest.fixture
def scene(campaign: Campaign) -> Scene:
    """Everybody of the demo, fit to fight."""
    warbands = {warband.owner.name: warband for warband in campaign.warbands.select_related("owner")}
    people = {name: warband.owner for name, warband in warbands.items()}
    return Scene(campaign, people["Priya"], people, warbands)


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_a_warband_is_changed_by_hand_and_it_is_taken_back(open_page: OpenPage, scene: Scene, width: int) -> None:
    before = scene.warbands["Ilse"].treasury
    page = open_page("/", width)
    sign_in(page, "Priya")
    page.goto(scene.warbands["Ilse"].get_absolute_url())
    page.get_by_role("link", name="Change by hand").click()
    assert_accessible(page)
    assert_fits(page)
    page.get_by_role("link", name="Give or take points").click()
    page.get_by_role("spinbutton", name="Points").fill("25")
    page.get_by_label("Reason").fill("A miscount at the table")
    assert_accessible(page)
    page.get_by_role("button", name="Show what would happen").click()
    expect(page.get_by_text("Nothing has happened yet")).to_be_visible()
    expect(page.locator(".changes").get_by_text(str(before + 25))).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    page.get_by_role("button", name="Do it").click()
    expect(page.get_by_text("Ilse is told")).to_be_visible()
    assert Warband.objects.get(pk=scene.warbands["Ilse"].pk).treasury == before + 25

    page.goto(f"/campaigns/{scene.campaign.pk}/interventions/")
    assert_accessible(page)
    assert_fits(page)
    page.get_by_role("link", name=re.compile("^Take back")).first.click()
    page.get_by_label("Reason").fill("The count was right")
    assert_fits(page)
    page.get_by_role("button", name="Take it back").click()
    expect(page.locator(".tag", has_text="taken back")).to_be_visible()
    assert Warband.objects.get(pk=scene.warbands["Ilse"].pk).treasury == before


def test_a_dispute_is_found_on_the_console_and_ruled_on(open_page: OpenPage, scene: Scene) -> None:
    for warband in scene.warbands.values():
        warband.fighters.update(delayed=False, captive_of="")
    battle = a_battle(scene, "Ilse", "Marek", scenario="Gold Hunt")
    finished(scene, battle)
    send_report(actor=scene.people["Ilse"], battle=battle)
    a_dispute(scene, battle)
    page = open_page("/", DESK)
    sign_in(page, "Priya")
    page.goto(f"/campaigns/{scene.campaign.pk}/")
    page.get_by_role("navigation", name="This campaign").get_by_role("link", name="Console").click()
    assert_accessible(page)
    assert_fits(page)
    page.locator("#disputes").locator("xpath=ancestor::section").get_by_role("link", name=re.compile("^Rule")).click()
    page.get_by_label("As the dispute says").check()
    page.get_by_label("Why").fill("I was there.")
    page.get_by_role("button", name="Rule").click()
    expect(page.get_by_text("The report stands.")).to_be_visible()
    battle.refresh_from_db()
    assert battle.state == Battle.State.POSTGAME


def test_a_game_master_acts_for_a_player_and_a_click_ends_it(open_page: OpenPage, scene: Scene) -> None:
    page = open_page("/", PHONE)
    sign_in(page, "Priya")
    page.goto(f"/campaigns/{scene.campaign.pk}/people/{scene.people['Ilse'].pk}/act/")
    page.get_by_label("Reason").fill("She is on holiday")
    assert_accessible(page)
    assert_fits(page)
    page.get_by_role("button", name="Act for Ilse").click()
    banner = page.get_by_role("complementary", name="You act for somebody")
    expect(banner).to_contain_text("You act for Ilse")
    assert_accessible(page)
    assert_fits(page)
    page.goto("/rules/")
    expect(banner).to_be_visible()
    banner.get_by_role("button").click()
    expect(banner).to_have_count(0)
    assert Event.objects.filter(kind="gm_acts_ended").count() == 1


def test_a_game_master_who_tries_a_foreign_campaign_finds_nothing(open_page: OpenPage, scene: Scene) -> None:
    zoe = a_person("Zoe")
    other = create_campaign(actor=zoe, name="Elsewhere", kind="open")
    page = open_page("/", DESK)
    sign_in(page, "Priya")
    mine, theirs = scene.campaign.pk, other.pk
    strangers = a_person("Anna")
    for address in (
        f"/campaigns/{theirs}/console/",
        f"/campaigns/{theirs}/interventions/",
        f"/campaigns/{theirs}/warbands/{scene.warbands['Ilse'].pk}/intervene/",
        f"/campaigns/{theirs}/people/{zoe.pk}/act/",
        f"/campaigns/{mine}/people/{strangers.pk}/act/",
        f"/campaigns/{mine}/warbands/999999/intervene/",
    ):
        answer = page.request.get(address)
        assert answer.status == 404, address
