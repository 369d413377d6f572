"""Taking a warband along, bringing it back, and taking an act back."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from campaigns.models import Campaign
from rules.engine import changes as c
from tests.browser.checks import assert_accessible, assert_fits
from tests.browser.conftest import DESK, PHONE, OpenPage, sign_in
from warbands.models import Warband
from warbands.services.apply_changes import apply_changes


@pytest.fixture
def wardens(campaign: Campaign) -> Warband:
    """With an act that nobody else depends on."""
    warband: Warband = campaign.warbands.get(owner__name="Ilse")
    found = c.TreasuryChanged(str(warband.pk), 25, "found in a boot")
    apply_changes(warband=warband, changes=[found], actor=warband.owner, cause="A lucky find")
    return warband


@pytest.mark.parametrize("script", [True, False])
def test_an_act_is_taken_back_and_done_again(open_page: OpenPage, wardens: Warband, script: bool) -> None:
    page = open_page("/", script=script)
    sign_in(page)
    page.goto(f"/warbands/{wardens.pk}/timeline/")
    page.get_by_role("link", name="A lucky find").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("A lucky find")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("link", name="Undone: A lucky find")).to_be_visible()
    page.get_by_role("button", name="Do it again").click()
    expect(page.get_by_role("link", name="Undone: A lucky find")).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()


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
