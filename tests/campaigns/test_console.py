"""The console: what waits and is stuck, how the campaign fares, and reminders that nobody gets twice a day."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns.console import Luck, console
from campaigns.models import Batch, BatchItem, Battle, Campaign, Event, Membership, Notice, NoticeWishes, Webhook
from campaigns.services.remind import key_of, remind
from campaigns.waiting import waiting_by_person
from rules.engine.errors import RuleViolation
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.people import sign_in
from warbands.models import ReconcileRun, Warband

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return a_scene()


def page(client: Client, scene: Scene) -> Any:
    return sign_in(client, "Priya").get(reverse("console", args=[scene.campaign.pk]))


def waiting(scene: Scene, name: str = "Ilse") -> str:
    a_battle(scene, state=Battle.State.PLAYING)
    return key_of(waiting_by_person(scene.campaign)[scene.people[name].pk][0])


def press(client: Client, scene: Scene, key: str, name: str = "Ilse") -> Any:
    address = reverse("remind_person", args=[scene.campaign.pk, scene.people[name].pk])
    return sign_in(client, "Priya").post(address, {"matter": key})


def test_it_says_what_waits_for_whom_and_since_when(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, state=Battle.State.PLAYING)
    text = page(client, scene).content.decode()
    assert "Report battle 1" in text
    assert reverse("report", args=[scene.campaign.pk, battle.number]) in text
    assert "since <time" in text


def test_disputes_lead_to_the_ruling(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, state=Battle.State.DISPUTED)
    assert reverse("report_rule", args=[scene.campaign.pk, battle.number]) in page(client, scene).content.decode()


def test_failed_batches_and_paused_webhooks_are_named(client: Client, scene: Scene) -> None:
    battle = a_battle(scene)
    batch = Batch.objects.create(campaign=scene.campaign, state="done")
    BatchItem.objects.create(batch=batch, battle=battle, state="failed", reason="it broke")
    Batch.objects.create(campaign=scene.campaign, state="done")
    hook = Webhook.objects.create(
        campaign=scene.campaign, address="https://example.org/x", secret="s", paused_at=timezone.now(), reason="Gone."
    )
    found = console(scene.campaign)
    assert ([one.batch for one in found.batches], [one.failed for one in found.batches]) == ([batch], [1])
    assert found.webhooks == [hook]
    text = page(client, scene).content.decode()
    assert batch.get_absolute_url() in text
    assert "Gone." in text


def test_the_last_comparison_tells_only_of_warbands_of_the_campaign(scene: Scene) -> None:
    mine = scene.warbands["Ilse"].pk
    ReconcileRun.objects.create(
        differences=[
            {"warband": mine, "field": "treasury", "ledger": 1, "tables": 2},
            {"warband": 10**9, "field": "secret", "ledger": 1, "tables": 2},
        ]
    )
    checked = console(scene.campaign).checked
    assert checked is not None
    assert checked.differences == [f"{scene.warbands['Ilse'].name}, treasury: 1 / 2"]


def test_who_did_nothing_for_two_weeks_is_named(scene: Scene) -> None:
    long_ago = timezone.now() - timedelta(days=40)
    Membership.objects.update(joined=long_ago)
    Event.objects.create(campaign=scene.campaign, kind="person_joined", actor=scene.people["Marek"])
    assert [one.person.name for one in console(scene.campaign).health.quiet] == ["Ilse"]


def test_a_leader_who_runs_away_is_said_to(client: Client, scene: Scene) -> None:
    Warband.objects.filter(pk=scene.warbands["Ilse"].pk).update(rating=1000)
    Warband.objects.filter(pk=scene.warbands["Marek"].pk).update(rating=100)
    health = console(scene.campaign).health
    assert (health.runaway, health.middle) == (True, 550)
    assert health.highest is not None
    assert health.highest.warband == scene.warbands["Ilse"].pk
    assert "Nobody catches up" in page(client, scene).content.decode()


def test_only_those_who_run_the_campaign_find_it(client: Client, scene: Scene) -> None:
    a_person("Sten")
    for name in ("Ilse", "Sten"):
        address = reverse("console", args=[scene.campaign.pk])
        assert sign_in(client, name).get(address).status_code == 404


def test_it_asks_the_database_the_same_for_few_and_many(client: Client) -> None:
    few = a_scene()
    a_battle(few, state=Battle.State.PLAYING)
    many = a_scene(["Anna", "Bela", "Cora", "Dora", "Edda", "Finn"], gm="Zoe")
    for pair in (("Anna", "Bela"), ("Cora", "Dora"), ("Edda", "Finn")):
        a_battle(many, *pair, state=Battle.State.PLAYING)
    counts = []
    for one in (few, many):
        sign_in(client, one.gm.name)
        client.get(reverse("console", args=[one.campaign.pk]))
        with CaptureQueriesContext(connection) as asked:
            assert client.get(reverse("console", args=[one.campaign.pk])).status_code == 200
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_a_reminder_is_a_notice_about_the_matter(client: Client, scene: Scene) -> None:
    assert press(client, scene, waiting(scene)).status_code == 302
    notice = Notice.objects.get(kind="reminder")
    assert (notice.person, notice.data["what"]) == (scene.people["Ilse"], "Report battle 1")
    assert "reminded today" in page(client, scene).content.decode()


def test_nobody_is_reminded_of_the_same_twice_a_day(client: Client, scene: Scene) -> None:
    key = waiting(scene)
    press(client, scene, key)
    answer = press(client, scene, key)
    assert answer.status_code == 409
    assert "less than a day ago" in answer.content.decode()
    assert Notice.objects.filter(kind="reminder").count() == 1
    Notice.objects.update(made=timezone.now() - timedelta(hours=25))
    assert press(client, scene, key).status_code == 302


def test_what_waits_no_more_is_not_reminded_of(client: Client, scene: Scene) -> None:
    for wrong in ("", "report-99", "x" * 500):
        assert press(client, scene, wrong).status_code == 409
    assert not Notice.objects.filter(kind="reminder").exists()


def test_whoever_muted_it_is_left_alone_and_the_sender_is_told(scene: Scene) -> None:
    key = waiting(scene)
    NoticeWishes.objects.create(person=scene.people["Ilse"], muted=["campaigns"])
    with pytest.raises(RuleViolation, match="does not want"):
        remind(actor=scene.gm, campaign=scene.campaign, person=scene.people["Ilse"], matter=key)


def test_players_remind_nobody_and_strangers_cannot_be_reminded(client: Client, scene: Scene) -> None:
    key = waiting(scene)
    with pytest.raises(RuleViolation, match="run the campaign"):
        remind(actor=scene.people["Marek"], campaign=scene.campaign, person=scene.people["Ilse"], matter=key)
    sten = a_person("Sten")
    address = reverse("remind_person", args=[scene.campaign.pk, sten.pk])
    assert sign_in(client, "Priya").post(address, {"matter": key}).status_code == 404


def test_it_offers_nothing_to_do_in_a_campaign_that_is_over(client: Client, scene: Scene) -> None:
    acts = [reverse(route, args=[scene.campaign.pk]) for route in ("announce", "batches")]
    shown = page(client, scene).content.decode()
    assert all(address in shown for address in acts)
    Campaign.objects.update(status=Campaign.Status.ENDED, ended=timezone.now())
    shown = page(client, scene).content.decode()
    assert not any(address in shown for address in acts)
    assert "Where to look" in shown
    assert client.get(acts[0]).status_code == 409


@pytest.mark.parametrize(("pips", "says"), [(84, "+0.5"), (60, "−0.5"), (71, "−0.04")])
def test_luck_is_written_as_in_the_charts(pips: int, says: str) -> None:
    assert Luck("The Ninth Bell", pips, 72, 24).says == says
