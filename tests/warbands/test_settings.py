"""Whose house rules a roster follows."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaigns.models import Campaign, Enrolment
from rules.engine.settings import CampaignSettings
from tests.people import sign_in
from warbands.models import Warband
from warbands.settings import settings_for


def enrolled(warband: Warband, name: str, status: str, track: int) -> Enrolment:
    campaign = Campaign.objects.create(name=name, status=status, overrides={"higher_track": track})
    return Enrolment.objects.create(campaign=campaign, warband=warband)


def test_who_is_in_no_campaign_follows_the_rulebook(wardens: Warband) -> None:
    Enrolment.objects.filter(warband=wardens).delete()
    assert settings_for(wardens) == CampaignSettings()


def test_the_newest_running_campaign_counts(wardens: Warband) -> None:
    enrolled(wardens, "First", "running", 31)
    second = enrolled(wardens, "Second", "running", 32)
    enrolled(wardens, "Not begun", "gathering", 33)
    with CaptureQueriesContext(connection) as queries:
        assert settings_for(wardens).higher_track == 32
    assert len(queries) == 1
    Enrolment.objects.filter(pk=second.pk).update(left=timezone.now())
    assert settings_for(wardens).higher_track == 31


@pytest.mark.parametrize("page", ["", "fighters/f1/"])
def test_the_thick_boxes_stand_where_the_campaign_has_them(
    wardens: Warband, campaign: Campaign, client: Client, page: str
) -> None:
    thresholds = [3, 29]
    Campaign.objects.filter(pk=campaign.pk).update(overrides={"higher_thresholds": thresholds, "higher_track": 29})
    html = sign_in(client, "Ilse").get(f"/warbands/{wardens.pk}/{page}").content.decode()
    odile = wardens.fighters.get(key="f1")
    assert f"{float(odile.experience):g} of 29 · next advance at 29" in html
