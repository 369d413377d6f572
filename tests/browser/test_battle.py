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

FACE = "3"
"""What every die on the table shows: on the chart for two players that is Vantage Point."""
MOST_PRESSES = 40
"""More than any pre-game of two takes."""


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


def with_dice_on_the_table(campaign: Campaign) -> None:
    """The site rolls nothing, so the whole pre-game hangs on what is typed in."""
    campaign.house = campaign.house | {"dice": "physical"}
    campaign.save(update_fields=["house"])


def pressed(page: Page, address: str) -> bool:
    """One thing that the page asks for: an answer, dice, or to say that one is done. Nothing while it waits."""
    page.goto(address)
    if button(page, "Answer").count():
        choices = form_with(page, "Answer").locator("input[type=checkbox]")
        if choices.count():
            choices.first.check()
        button(page, "Answer").first.click()
    elif button(page, "Take these dice").count():
        form = form_with(page, "Take these dice")
        for face in form.locator("input[name=face]").all():
            face.fill(FACE)
        form.get_by_role("button", name="Take these dice").click()
    elif button(page, "I am done").count():
        button(page, "I am done").click()
    else:
        return False
    return True


@pytest.mark.parametrize("script", [True, False], ids=["with scripts", "without scripts"])
def test_the_pre_game_is_played_with_the_dice_on_the_table(
    open_page: OpenPage, campaign: Campaign, script: bool
) -> None:
    with_dice_on_the_table(campaign)
    scout = a_scout(campaign)
    battle = start_battle(actor=campaign.memberships.get(role="gm").person, battle=on(campaign))
    address = battle.get_absolute_url() + "pregame/"
    pages = {name: open_page("/", script=script) for name in ("Ilse", "Marek")}
    for name, page in pages.items():
        sign_in(page, name)
    for _turn in range(MOST_PRESSES):
        if not any(pressed(page, address) for page in pages.values()):
            break
    battle.refresh_from_db()
    assert (battle.state, battle.scenario) == (Battle.State.PLAYING, "Vantage Point")
    for page in pages.values():
        page.goto(address)
        shown = page.get_by_role("main")
        expect(shown).to_contain_text("How it was before the game.")
        expect(shown).to_contain_text(f"Special deployment: {scout}: Scout")
        for part in battle.participations.all():
            rating = int(part.rating_before)
            expect(shown).to_contain_text(f"30 and rating {rating} make {30 + rating}")


@pytest.mark.parametrize("script", [True, False], ids=["with scripts", "without scripts"])
def test_a_face_that_no_die_has_is_refused_and_can_be_mended(
    open_page: OpenPage, campaign: Campaign, script: bool
) -> None:
    with_dice_on_the_table(campaign)
    battle = start_battle(actor=campaign.memberships.get(role="gm").person, battle=on(campaign))
    address = battle.get_absolute_url() + "pregame/"
    page = open_page("/", script=script)
    sign_in(page)
    page.goto(address)
    while not button(page, "Take these dice").count():
        assert pressed(page, address), "no dice are asked for"
        page.goto(address)
    form = form_with(page, "Take these dice")
    key = form.locator("input[name=key]").input_value()
    form.locator("input[name=face]").first.fill("7")
    form.get_by_role("button", name="Take these dice").click()
    expect(page.get_by_role("alert")).to_contain_text("A die shows 1 to 6.")
    form = form_with(page, "Take these dice")
    expect(form.locator("input[name=face]").first).to_have_value("7")
    for face in form.locator("input[name=face]").all():
        face.fill(FACE)
    form.get_by_role("button", name="Take these dice").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    battle.refresh_from_db()
    own = battle.participations.get(warband__owner__name="Ilse").pregame
    assert set((own.get("typed", {}) | battle.pregame.get("typed", {}))[key]) == {int(FACE)}
