"""Taking a warband along, bringing it back, and taking an act back."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from campaigns.models import Campaign
from rules.engine import changes as c
from rules.engine.state import Item
from tests.browser.checks import assert_accessible, assert_fits
from tests.browser.conftest import DESK, PHONE, OpenPage, sign_in
from warbands.models import Warband
from warbands.projection import read_state
from warbands.services.apply_changes import apply_changes

PRICE = 5


@pytest.fixture
def wardens(campaign: Campaign) -> Warband:
    """With a purchase that nobody else depends on."""
    warband: Warband = campaign.warbands.get(owner__name="Ilse")
    key, state = str(warband.pk), read_state(warband)
    thing = Item(f"i{state.next_id}", "Torch")
    bought = [
        c.IdsTaken(key, 1),
        c.TreasuryChanged(key, -PRICE, "bought"),
        c.ItemGained(key, c.STOCKPILE, thing, "bought"),
    ]
    apply_changes(warband=warband, changes=bought, actor=warband.owner, cause="A torch for the cellar")
    return warband


def expect_roster(page: Page, warband: Warband, treasury: int, has_torch: bool) -> None:
    """In a second look, so that the act stays open."""
    look = page.context.new_page()
    look.goto(warband.get_absolute_url())
    expect(look.locator(".figures .figure", has_text="Treasury").locator("b")).to_have_text(str(treasury))
    expect(look.get_by_role("button", name="Torch", exact=True)).to_have_count(int(has_torch))
    look.close()


@pytest.mark.parametrize("script", [True, False])
def test_a_purchase_is_taken_back_and_made_again(open_page: OpenPage, wardens: Warband, script: bool) -> None:
    wardens.refresh_from_db()
    left = wardens.treasury
    page = open_page("/", script=script)
    sign_in(page)
    page.goto(f"/warbands/{wardens.pk}/timeline/")
    page.get_by_role("link", name="A torch for the cellar").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("A torch for the cellar")
    expect_roster(page, wardens, left, has_torch=True)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("link", name="Undone: A torch for the cellar")).to_be_visible()
    expect_roster(page, wardens, left + PRICE, has_torch=False)
    page.get_by_role("button", name="Do it again").click()
    expect(page.get_by_role("link", name="Undone: A torch for the cellar")).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    expect_roster(page, wardens, left, has_torch=True)


def test_a_warband_goes_out_and_comes_back(open_page: OpenPage, wardens: Warband, tmp_path: Path) -> None:
    page = open_page("/")
    sign_in(page)
    page.goto(f"/warbands/{wardens.pk}/share/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export as a file").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    page.goto("/warbands/import/")
    page.get_by_label("File").set_input_files({"name": "x.json", "mimeType": "text/plain", "buffer": b'{"format": "af'})
    page.get_by_role("button", name="Import").click()
    expect(page.locator("[aria-invalid=true]")).to_have_count(1)
    assert_accessible(page)
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The Lantern Wardens")
    assert Warband.objects.filter(name="The Lantern Wardens").count() == 2


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_the_pages_are_accessible_and_fit(open_page: OpenPage, wardens: Warband, width: int, theme: str) -> None:
    act = wardens.ledger.filter(step="experience").order_by("sequence")[0].act
    for who, paths in {
        "Ilse": ["/warbands/import/", f"/warbands/{wardens.pk}/copy/", f"/warbands/{wardens.pk}/acts/{act}/"],
        "Otto": [f"/warbands/{wardens.pk}/acts/{act}/"],
    }.items():
        page = open_page("/", width, theme)
        sign_in(page, who)
        for path in paths:
            page.goto(path)
            assert_accessible(page)
            assert_fits(page)
