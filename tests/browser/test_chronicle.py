"""Chronicle, stories, calendar and notices on a phone and at a desk."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from campaigns.models import Battle, Campaign, Participation
from campaigns.services.announce import announce
from campaigns.services.propose_dates import propose_dates
from campaigns.services.tell_story import tell_story
from campaigns.telling import notify, tell
from tests.browser.checks import assert_accessible, assert_fits
from tests.browser.conftest import DESK, PHONE, OpenPage, sign_in
from tests.campaigns.pictures import a_picture

STORY = "We held the **toll-yard** until dark.\n\n- Joss fell\n- Odile did not\n\n> Never again, said the ferrymen."


def played(campaign: Campaign) -> Battle:
    """A battle with a date, one without, and something of everything that is told."""
    now = timezone.now()
    warbands = {name: campaign.warbands.get(owner__name=name) for name in ("Ilse", "Marek")}
    ilse, priya = User.objects.get(name="Ilse"), User.objects.get(name="Priya")
    first, second = (
        Battle.objects.create(campaign=campaign, number=number, proposed_by=ilse, scenario="Gold Hunt")
        for number in (91, 92)
    )
    for battle in (first, second):
        for position, warband in enumerate(warbands.values()):
            Participation.objects.create(battle=battle, warband=warband, position=position, accepted=now)
    Battle.objects.filter(pk=second.pk).update(scheduled_for=now + timedelta(hours=1), place="The cellar, back room")
    tell_story(actor=ilse, battle=first, text=STORY, picture=a_picture(size=(640, 400)), alt="A red field")
    announce(actor=priya, campaign=campaign, title="We meet in the cellar", text="Bring *lanterns*.")
    tell(campaign=campaign, kind="fighter_vanquished", actor=None, battle=first, warband=warbands["Marek"],
         fighter="Ilvane", cause="dead")  # fmt: skip
    dates = [now + timedelta(days=days) for days in (1, 2)]
    propose_dates(actor=warbands["Marek"].owner, battle=first, dates=dates, place="At Marek’s")
    notify([ilse], kind="campaign_begun", campaign=campaign, address=campaign.get_absolute_url())
    return first


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_what_is_told_and_dated_is_accessible_and_fits(
    open_page: OpenPage, campaign: Campaign, width: int, theme: str
) -> None:
    battle = played(campaign)
    story = battle.stories.get()
    page = open_page("/", width, theme)
    sign_in(page)
    in_battle = [campaign.pk, battle.number]
    for path in (
        reverse("chronicle", args=[campaign.pk]),
        reverse("calendar", args=[campaign.pk]),
        reverse("dates", args=in_battle),
        reverse("story_new", args=in_battle),
        reverse("story_edit", args=[*in_battle, story.pk]),
        reverse("story_delete", args=[*in_battle, story.pk]),
        battle.get_absolute_url(),
        campaign.get_absolute_url(),
        reverse("notices"),
        reverse("notice_settings"),
        reverse("calendar_feeds"),
    ):
        page.goto(path)
        assert_accessible(page)
        assert_fits(page)


@pytest.mark.parametrize("script", [True, False])
def test_a_story_is_told_with_and_without_scripts(open_page: OpenPage, campaign: Campaign, script: bool) -> None:
    battle = played(campaign)
    page = open_page("/", script=script)
    sign_in(page)
    page.goto(reverse("story_new", args=[campaign.pk, battle.number]))
    page.get_by_label("Story").fill("The *river* rose. <img src=x onerror=alert(1)>")
    page.get_by_role("button", name="Tell it").click()
    told = page.locator(".told-story").last
    expect(told.locator("em")).to_have_text("river")
    expect(told).to_contain_text("<img src=x")


def test_the_bell_counts_and_a_notice_is_read_by_going_there(open_page: OpenPage, campaign: Campaign) -> None:
    played(campaign)
    page = open_page("/")
    sign_in(page)
    expect(page.locator(".bell .badge")).to_contain_text("3")
    page.locator(".bell").click()
    page.get_by_role("link", name="We meet in the cellar").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Chronicle")
    expect(page.locator(".bell .badge")).to_contain_text("2")
    page.locator(".bell").click()
    page.get_by_role("button", name="All read").click()
    expect(page.locator(".bell .badge")).to_have_count(0)


def test_a_date_is_found_without_scripts(open_page: OpenPage, campaign: Campaign) -> None:
    battle = played(campaign)
    page = open_page("/", script=False)
    sign_in(page)
    page.goto(reverse("dates", args=[campaign.pk, battle.number]))
    page.get_by_role("button", name="I can").first.click()
    expect(page.locator(".offers li").first).to_contain_text("Ilse, Marek can.")
    master = open_page("/", script=False)
    sign_in(master, "Priya")
    master.goto(reverse("dates", args=[campaign.pk, battle.number]))
    master.get_by_role("button", name="Take this date").first.click()
    expect(master.locator(".note")).to_contain_text("The battle is on")
