"""What a game master does: a change by hand and its undo, a dispute, acting for a player, a pack with another price,
and a campaign of others."""

import re

import pytest
from django.contrib.auth.hashers import make_password
from playwright.sync_api import Page, expect

from accounts.demo import PASSWORD
from accounts.models import User
from campaigns.models import Battle, Campaign, Event
from campaigns.services.create_campaign import create_campaign
from campaigns.services.send_report import send_report
from tests.browser.checks import assert_accessible, assert_fits
from tests.browser.conftest import DESK, PHONE, OpenPage, sign_in
from tests.campaigns.papers import a_dispute, finished
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.campaigns.stalls import address as market_of
from tests.campaigns.stalls import at_the_market
from warbands.models import Warband

TABLET = 768


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


@pytest.fixture
def two_campaigns(transactional_db: None) -> tuple[Scene, Scene]:
    """Their people with the keys to the demo's door."""
    scenes = a_scene(), a_scene(("Dagny", "Ruben"), gm="Marek-gm", name="The frost")
    for person in User.objects.all():
        person.email, person.password = f"{person.name.lower()}@example.com", make_password(PASSWORD)
        person.save(update_fields=["email", "password"])
    return scenes


def sword_at(page: Page, player: str, scene: Scene) -> str:
    """What the market of somebody's post-game says about a sword."""
    _scene, run = at_the_market(scene, player)
    sign_in(page, player)
    page.goto(market_of(run))
    return page.locator("#ware-buy-sword").inner_text()


def test_a_pack_changes_a_price_in_one_campaign_and_not_in_another(
    open_page: OpenPage, two_campaigns: tuple[Scene, Scene]
) -> None:
    one, other = two_campaigns
    page = open_page("/", DESK)
    sign_in(page, "Priya")
    page.goto("/rules/packs/")
    page.get_by_role("link", name="Begin a pack").click()
    page.get_by_label("Name").fill("Dear steel")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.get_by_role("link", name="Prices").click()
    assert_accessible(page)
    assert_fits(page)
    sword = page.get_by_label("Price of Sword", exact=True)
    sword.fill("dear")
    page.get_by_role("button", name="Save the prices").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(sword).to_have_attribute("aria-invalid", "true")
    sword.fill("91")
    page.get_by_role("button", name="Save the prices").click()
    expect(page.get_by_text("1 price is changed.")).to_be_visible()
    page.get_by_role("link", name="Back to the pack").click()
    page.get_by_role("link", name="Publish").click()
    assert_accessible(page)
    page.get_by_role("button", name="Publish it").click()
    expect(page.get_by_text("Edition 1 is published.")).to_be_visible()

    page.goto(f"/campaigns/{one.campaign.pk}/packs/")
    page.get_by_role("link", name="Use Dear steel").click()
    expect(page.get_by_text("Nothing is done yet")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    page.get_by_role("button", name="Play with it").click()
    expect(page.get_by_text("The campaign plays with edition 1 of Dear steel.")).to_be_visible()
    one.campaign.refresh_from_db()

    assert "91 pts" in sword_at(open_page("/", PHONE), "Ilse", one)
    elsewhere = sword_at(open_page("/", PHONE), "Dagny", other)
    assert "pts" in elsewhere
    assert "91" not in elsewhere


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
        f"/panel/campaigns/campaign/{theirs}/change/",
        f"/panel/campaigns/campaign/{theirs}/history/",
        "/panel/accounts/user/",
        "/panel/storage/",
    ):
        answer = page.request.get(address)
        assert answer.status == 404, address
    page.goto("/panel/campaigns/campaign/?q=Elsewhere")
    expect(page.locator("#result_list")).to_have_count(0)
    page.goto("/panel/campaigns/campaign/")
    expect(page.get_by_role("link", name=scene.campaign.name)).to_be_visible()
    expect(page.get_by_text("Elsewhere")).to_have_count(0)


@pytest.mark.parametrize("address", ["", "campaigns/battle/", "campaigns/membership/", "audit/"])
def test_the_panel_works_on_a_tablet(open_page: OpenPage, scene: Scene, address: str) -> None:
    page = open_page("/", TABLET)
    sign_in(page, "Priya")
    page.goto(f"/panel/{address}")
    assert_fits(page)
    assert_accessible(page)
    heads = page.locator("table thead th")
    assert heads.count() > 2
    expect(heads.nth(1)).to_be_visible()
    rows = page.locator("table tbody tr").all()
    assert rows
    box = rows[0].bounding_box()
    assert box is not None
    assert box["height"] < 120, "a row of a table, not a stack of its cells"
