"""A calendar for other programs, at an address that nobody can guess."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from campaigns.models import Battle, CalendarFeed, Membership, Round
from campaigns.services.renew_feed import renew_feed
from campaigns.services.revoke_feed import revoke_feed
from rules.engine.errors import RuleViolation
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db
WHEN = (timezone.now() + timedelta(days=9)).replace(hour=19, minute=30, second=0, microsecond=0)


@pytest.fixture
def scene() -> Scene:
    return a_scene(("Ilse", "Marek", "Dagny"))


def read(client: Client, feed: CalendarFeed) -> str:
    response = client.get(reverse("feed", args=[feed.token]))
    assert response.status_code == 200
    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    return response.content.decode().replace("\r\n ", "")


# Works ----------------------------------------------------------------------------------------------
def test_ones_own_battles_and_the_ends_of_rounds_are_in_it_without_signing_in(client: Client, scene: Scene) -> None:
    mine = a_battle(scene, "Ilse", "Marek", state=Battle.State.SCHEDULED, scheduled_for=WHEN, place="Cellar; left")
    a_battle(scene, "Marek", "Dagny", state=Battle.State.SCHEDULED, scheduled_for=WHEN)
    Round.objects.create(campaign=scene.campaign, number=1, state=Round.State.PUBLISHED, deadline=WHEN)
    text = read(client, renew_feed(actor=scene.people["Ilse"]))
    assert f"UID:battle-{mine.pk}@testserver\r\n" in text
    assert f"DTSTART:{WHEN.astimezone(UTC):%Y%m%dT%H%M%SZ}" in text
    assert "LOCATION:Cellar\\; left" in text
    assert "SUMMARY:The thaw: round 1 ends" in text
    assert text.count("BEGIN:VEVENT") == 2


def test_the_calendar_of_a_campaign_has_all_its_battles(client: Client, scene: Scene) -> None:
    a_battle(scene, "Marek", "Dagny", state=Battle.State.PROPOSED, scheduled_for=WHEN)
    a_battle(scene, "Marek", state=Battle.State.VOID, scheduled_for=WHEN)
    a_battle(scene, "Ilse", state=Battle.State.SCHEDULED)
    text = read(client, renew_feed(actor=scene.people["Ilse"], campaign=scene.campaign))
    assert "X-WR-CALNAME:The thaw" in text
    assert (text.count("STATUS:TENTATIVE"), text.count("STATUS:CANCELLED"), text.count("BEGIN:VEVENT")) == (1, 1, 2)


def test_a_battle_keeps_its_name_when_its_date_changes(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, "Ilse", state=Battle.State.SCHEDULED, scheduled_for=WHEN)
    feed = renew_feed(actor=scene.people["Ilse"])
    uid = f"UID:battle-{battle.pk}@testserver"
    assert uid in read(client, feed)
    Battle.objects.update(scheduled_for=WHEN + timedelta(days=1), version=3)
    text = read(client, feed)
    assert uid in text
    assert "SEQUENCE:3" in text


def test_what_is_long_past_is_left_out(client: Client, scene: Scene) -> None:
    a_battle(scene, "Ilse", state=Battle.State.CLOSED, scheduled_for=datetime(2020, 1, 1, tzinfo=UTC))
    assert "VEVENT" not in read(client, renew_feed(actor=scene.people["Ilse"]))


def test_a_new_address_ends_the_old_one(client: Client, scene: Scene) -> None:
    ilse = scene.people["Ilse"]
    for campaign in (None, scene.campaign):
        old = renew_feed(actor=ilse, campaign=campaign).token
        new = renew_feed(actor=ilse, campaign=campaign).token
        assert client.get(reverse("feed", args=[old])).status_code == 404
        assert client.get(reverse("feed", args=[new])).status_code == 200
        revoke_feed(actor=ilse, campaign=campaign)
        assert client.get(reverse("feed", args=[new])).status_code == 404


# Needs access ---------------------------------------------------------------------------------------
def test_who_left_the_campaign_reads_no_more_of_it(client: Client, scene: Scene) -> None:
    a_battle(scene, "Ilse", state=Battle.State.SCHEDULED, scheduled_for=WHEN)
    ilse = scene.people["Ilse"]
    everything, one = renew_feed(actor=ilse), renew_feed(actor=ilse, campaign=scene.campaign)
    Membership.objects.filter(person=ilse).delete()
    assert client.get(reverse("feed", args=[one.token])).status_code == 404
    assert "VEVENT" not in read(client, everything)


def test_an_account_that_is_shut_shows_nothing(client: Client, scene: Scene) -> None:
    feed = renew_feed(actor=scene.people["Ilse"])
    User.objects.filter(name="Ilse").update(is_active=False)
    assert client.get(reverse("feed", args=[feed.token])).status_code == 404


def test_nobody_makes_a_calendar_of_a_campaign_they_are_not_in(client: Client, scene: Scene) -> None:
    sten = a_person("Sten")
    with pytest.raises(RuleViolation):
        renew_feed(actor=sten, campaign=scene.campaign)
    sent = {"do": "make", "campaign": scene.campaign.pk}
    assert sign_in(client, "Sten").post(reverse("calendar_feeds"), sent).status_code == 404
    assert not CalendarFeed.objects.exists()


# The page with the addresses ------------------------------------------------------------------------
def test_addresses_are_made_shown_and_taken_back(client: Client, scene: Scene) -> None:
    page = reverse("calendar_feeds")
    sign_in(client, "Ilse").post(page, {"do": "make"})
    client.post(page, {"do": "make", "campaign": scene.campaign.pk})
    html = client.get(page).content.decode()
    for feed in CalendarFeed.objects.all():
        assert f"http://testserver/calendar/{feed.token}.ics" in html
    client.post(page, {"do": "revoke", "campaign": scene.campaign.pk})
    assert CalendarFeed.objects.get().campaign is None


@pytest.mark.parametrize("campaign", ["x", "-1", "9" * 30])
def test_nonsense_instead_of_a_campaign_is_not_there(client: Client, scene: Scene, campaign: str) -> None:
    sent = {"do": "make", "campaign": campaign}
    assert sign_in(client, "Ilse").post(reverse("calendar_feeds"), sent).status_code == 404


def test_an_address_that_was_guessed_leads_nowhere(client: Client, scene: Scene) -> None:
    assert client.get("/calendar/guess.ics").status_code == 404
    feed = renew_feed(actor=scene.people["Ilse"])
    assert client.post(reverse("feed", args=[feed.token])).status_code == 405
