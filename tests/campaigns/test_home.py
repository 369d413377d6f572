"""The home page: what waits for somebody in all their campaigns."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaigns.models import Membership
from tests.campaigns.large import large_campaign
from tests.campaigns.stage import a_battle, a_person, a_scene
from tests.people import BACKEND
from warbands.models import Warband

pytestmark = pytest.mark.django_db


def test_it_names_what_waits_and_in_which_campaign(client: Client) -> None:
    scene = a_scene(name="The thaw")
    a_battle(scene)
    client.force_login(scene.people["Ilse"], BACKEND)
    page = client.get("/").content.decode()
    assert "Report battle 1" in page
    assert "The thaw. Against" in page


def test_whoever_has_nothing_to_do_reads_that(client: Client) -> None:
    client.force_login(a_person("Sten"), BACKEND)
    assert "Nothing waits for you." in client.get("/").content.decode()


def test_it_asks_as_often_for_many_campaigns_as_for_one(client: Client) -> None:
    person = large_campaign(4, 8).memberships.order_by("pk").reverse()[0].person
    client.force_login(person, BACKEND)
    counts = []
    for _again in range(2):
        with CaptureQueriesContext(connection) as asked:
            client.get("/")
        counts.append(len(asked))
        for _more in range(3):
            other = large_campaign(4, 8)
            Membership.objects.create(campaign=other, person=person)
            Warband.objects.filter(enrolments__campaign=other).update(owner=person)
    assert counts[0] == counts[1]
