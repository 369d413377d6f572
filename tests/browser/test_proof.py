"""Dice are worked out again in the browser, and a trade fits on a phone."""

import pytest
from playwright.sync_api import Page, expect

from campaigns.models import Battle, Campaign, RunStep
from campaigns.offers import Side
from campaigns.services.make_offer import make_offer
from campaigns.services.spend_fate import spend_fate
from campaigns.services.throw_dice import throw_dice
from tests.browser.checks import assert_accessible, assert_fits
from tests.browser.conftest import DESK, PHONE, OpenPage, sign_in
from tests.campaigns.runs import finish_all, now, opened, run_of, walk
from tests.campaigns.stage import Scene, a_battle
from tests.campaigns.trades import (
    address,
    allied_again,
    first_item,
    run_for,
    take_out,
    to_captivity,
    to_trade,
)
from warbands.models import Warband


@pytest.fixture
def scene(campaign: Campaign) -> Scene:
    """Two of the demo, fit to fight."""
    warbands = {one.owner.name: one for one in campaign.warbands.select_related("owner")}
    for warband in warbands.values():
        warband.fighters.update(delayed=False, captive_of="")
    people = {name: warband.owner for name, warband in warbands.items()}
    two = {name: warbands[name] for name in ("Ilse", "Marek")}
    return Scene(campaign, people["Priya"], people, two)


@pytest.fixture
def over(scene: Scene) -> Battle:
    """With a die that fate threw again."""
    battle = opened(a_battle(scene, state=Battle.State.CONFIRMED))
    ilse = scene.warbands["Ilse"]
    Warband.objects.filter(pk=ilse.pk).update(fate_rerolls=1)
    run = walk(run_of(battle, ilse), until="exploration")
    wanted = now(run).wanted
    assert wanted is not None
    throw_dice(actor=scene.people["Ilse"], run=run, key=wanted.key)
    spend_fate(actor=scene.people["Ilse"], run=run, key=wanted.key, die=0)
    finish_all(battle)
    battle.refresh_from_db()
    return battle


def reading(open_page: OpenPage, path: str, name: str = "Ilse", width: int = PHONE, **options: object) -> Page:
    page = open_page("/", width, **options)
    sign_in(page, name)
    page.goto(path)
    return page


def test_the_browser_works_out_every_roll(open_page: OpenPage, over: Battle) -> None:
    page = reading(open_page, address(over, "proof"))
    here = page.locator("#proof-here")
    expect(here).to_contain_text("Your browser worked out")
    all_ = page.locator("[data-key]").count()
    assert page.locator("[data-rerolls]").count() == 1
    expect(here).to_contain_text(f"{all_} of {all_} rolls the same")
    assert_accessible(page)
    assert_fits(page)


def test_the_browser_finds_a_die_that_was_turned_over(open_page: OpenPage, over: Battle) -> None:
    step = next(step for step in RunStep.objects.filter(run__battle=over) if step.story["rolls"])
    roll = next(iter(step.story["rolls"].values()))
    roll["faces"][0] = roll["faces"][0] % 6 + 1
    step.save()
    page = reading(open_page, address(over, "proof"), width=DESK)
    all_ = page.locator("[data-key]").count()
    expect(page.locator("#proof-here")).to_contain_text(f"{all_ - 1} of {all_} rolls")
    expect(page.locator("[data-verdict].loss")).to_have_count(1)
    assert_accessible(page)


def test_without_scripts_the_site_says_what_it_found(open_page: OpenPage, over: Battle) -> None:
    page = reading(open_page, address(over, "proof"), script=False)
    expect(page.get_by_text("The site says: the seed fits")).to_be_visible()


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_a_trade_is_made_and_agreed_to(open_page: OpenPage, scene: Scene, width: int) -> None:
    battle = allied_again(scene)
    to_trade(scene, battle)
    ilse, marek = scene.warbands["Ilse"].pk, scene.warbands["Marek"].pk
    page = reading(open_page, address(battle, "trade", ilse), width=width)
    assert_accessible(page)
    page.get_by_role("link", name="Offer Sable Oath something").click()
    assert_accessible(page)
    assert_fits(page)
    page.get_by_label("Points").first.fill("2")
    page.get_by_role("button", name="Make the offer").click()
    expect(page.get_by_text("You offered this")).to_be_visible()
    page.context.clear_cookies()
    other = reading(open_page, address(battle, "trade", marek), "Marek", width)
    assert_accessible(other)
    assert_fits(other)
    other.get_by_role("link", name="Agree").click()
    assert_accessible(other)
    other.get_by_role("button", name="Agree").click()
    expect(other.get_by_role("heading", name="Settled")).to_be_visible()


def test_an_offer_shows_in_the_walk_of_the_other_side(open_page: OpenPage, scene: Scene) -> None:
    battle = allied_again(scene)
    to_trade(scene, battle)
    item = first_item(scene.warbands["Marek"])
    make_offer(
        actor=scene.people["Ilse"], run=run_for(scene, battle, "Ilse"), partner=scene.warbands["Marek"].pk,
        gives=Side(1), takes=Side(0, (item,)),
    )  # fmt: skip
    page = reading(open_page, address(battle, "postgame", scene.warbands["Marek"].pk), "Marek")
    page.get_by_role("link", name="offers you a trade").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Player trade")


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_a_ransom_fits_on_a_page(open_page: OpenPage, scene: Scene, width: int) -> None:
    battle = a_battle(scene, state=Battle.State.CONFIRMED)
    marek = scene.warbands["Marek"]
    hero = marek.fighters.filter(kind="hero")[0]
    take_out(battle, marek, hero.key)
    to_captivity(scene, opened(battle), "Marek", hero.key)
    page = reading(open_page, address(battle, "ransom", marek.pk, hero.key), width=width)
    assert_accessible(page)
    assert_fits(page)
    page.get_by_label("Points").fill("30")
    page.get_by_role("button", name="Ask for this").click()
    expect(page.get_by_text("Your last word")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
