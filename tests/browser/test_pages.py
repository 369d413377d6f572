import pytest
from playwright.sync_api import expect

from campaigns.models import Campaign
from tests.browser.checks import assert_accessible, assert_fits
from tests.browser.conftest import DESK, PHONE, OpenPage, sign_in
from warbands.services.edit_warband import WARBAND, edit_warband

OPEN = ["/", "/account/login/", "/account/signup/", "/account/password/reset/", "/nowhere/"]
SIGNED_IN = ["/", "/account/", "/account/password/change/", "/account/email/", "/account/2fa/", "/account/delete/"]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("path", OPEN)
def test_open_pages_are_accessible_and_fit(
    open_page: OpenPage, transactional_db: None, path: str, width: int, theme: str
) -> None:
    page = open_page(path, width, theme)
    assert_accessible(page)
    assert_fits(page)


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_pages_behind_the_sign_in_are_accessible_and_fit(open_page: OpenPage, campaign: Campaign, width: int) -> None:
    page = open_page("/", width)
    sign_in(page)
    warband = campaign.warbands.get(owner__name="Ilse")
    for path in [*SIGNED_IN, campaign.get_absolute_url(), warband.get_absolute_url()]:
        page.goto(path)
        assert_accessible(page)
        assert_fits(page)


def test_a_form_with_errors_says_so_and_keeps_what_was_typed(open_page: OpenPage, transactional_db: None) -> None:
    page = open_page("/account/signup/")
    page.get_by_label("Name").fill("Ilse")
    page.get_by_label("E-mail").fill("ilse@example.com")
    page.locator("input[type=password]").fill("short")
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    expect(page.get_by_label("Name")).to_have_value("Ilse")
    expect(page.get_by_label("E-mail")).to_have_value("ilse@example.com")
    expect(page.locator("[aria-invalid=true]")).to_have_count(1)
    assert_accessible(page)


def test_the_site_works_without_scripts(open_page: OpenPage, campaign: Campaign) -> None:
    page = open_page("/", script=False)
    sign_in(page)
    page.get_by_role("link", name="The Salt Road Winter").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The Salt Road Winter")


def test_a_name_of_one_endless_word_widens_no_page(open_page: OpenPage, under_way: Campaign) -> None:
    for warband in under_way.warbands.all():
        leader = warband.fighters.get(is_leader=True)
        edit_warband(actor=warband.owner, warband=warband, names={WARBAND: "W" * 80, leader.key: "M" * 80})
    Campaign.objects.filter(pk=under_way.pk).update(name="C" * 80, motto="O" * 200)
    own = under_way.warbands.get(owner__name="Priya")
    page = open_page("/", PHONE)
    sign_in(page, "Priya")
    here, roster = under_way.get_absolute_url(), own.get_absolute_url()
    parts = (
        "", "standings/", "rounds/", "rounds/3/", "chronicle/", "calendar/", "people/", "console/", "interventions/",
        f"warbands/{own.pk}/intervene/", "battles/new/", "battles/8/", "battles/8/report/", "battles/9/pregame/",
        f"battles/9/postgame/{own.pk}/", "battles/9/void/", "battles/12/dates/", "resolve/", "simulations/", "end/",
    )  # fmt: skip
    wide = {}
    for path in ("/", *(here + part for part in parts), *(roster + part for part in ("", "timeline/", "fighters/f1/"))):
        page.goto(path)
        sticks_out = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if sticks_out > 0:
            wide[path] = sticks_out
    assert wide == {}


def test_the_number_that_decides_stands_beside_the_name_on_a_phone(open_page: OpenPage, campaign: Campaign) -> None:
    page = open_page("/", PHONE)
    sign_in(page)
    page.goto(f"{campaign.get_absolute_url()}standings/")
    for row in page.locator("table.standings tbody tr").all():
        tops = {part: row.locator(part).bounding_box() for part in ("th", "td.decides", "td[data-label='kills']")}
        name, decides, kills = (box["y"] if box else 0 for box in tops.values())
        assert abs(decides - name) < 8
        assert kills > decides + 30


def test_the_theme_is_chosen_and_remembered(open_page: OpenPage, transactional_db: None) -> None:
    page = open_page("/", DESK)
    page.get_by_label("Dark").check(force=True)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_the_keyboard_reaches_the_content_first(open_page: OpenPage, transactional_db: None) -> None:
    page = open_page("/")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()


def test_a_long_message_stays_on_a_phone_screen(open_page: OpenPage, campaign: Campaign) -> None:
    page = open_page("/")
    sign_in(page)
    page.goto("/account/")
    page.get_by_label("Name").fill("W" * 60)
    page.get_by_role("main").get_by_role("button", name="Save").first.click()
    toast = page.locator(".toast").first
    expect(toast).to_be_visible()
    box = toast.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE
