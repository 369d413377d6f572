from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from campaigns import tasks
from campaigns.models import Battle, Campaign, Event
from campaigns.services.confirm_late_report import confirm_late_report
from campaigns.services.send_report import send_report
from campaigns.tasks import confirm_late_reports
from tests.campaigns.papers import a_dispute, finished
from tests.campaigns.stage import Scene, a_battle, a_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return a_scene(("Ilse", "Marek"))


@pytest.fixture
def battle(scene: Scene) -> Battle:
    battle = a_battle(scene)
    finished(scene, battle)
    return send_report(actor=scene.people["Ilse"], battle=battle)


def expire(battle: Battle) -> None:
    Battle.objects.filter(pk=battle.pk).update(confirms_itself=timezone.now() - timedelta(seconds=1))


def test_a_report_that_nobody_answered_in_time_confirms_itself_once(battle: Battle) -> None:
    expire(battle)
    confirm_late_reports()
    confirm_late_reports()
    battle.refresh_from_db()
    assert battle.confirmed_at is not None
    assert Event.objects.filter(kind="report_confirmed_itself", battle=battle).count() == 1
    part = battle.participations.get(warband__owner__name="Marek")
    assert (part.answer, part.answered_by) == ("confirmed", None)


def test_before_its_time_a_report_waits(battle: Battle) -> None:
    confirm_late_reports()
    battle.refresh_from_db()
    assert battle.state == "reported"


def test_a_report_without_a_deadline_waits(battle: Battle) -> None:
    Battle.objects.filter(pk=battle.pk).update(confirms_itself=None)
    confirm_late_reports()
    battle.refresh_from_db()
    assert battle.state == "reported"


def test_a_dispute_stops_the_clock(scene: Scene, battle: Battle) -> None:
    expire(battle)
    a_dispute(scene, battle)
    confirm_late_reports()
    battle.refresh_from_db()
    assert battle.state == "disputed"


def test_a_campaign_that_has_ended_is_left_alone(scene: Scene, battle: Battle) -> None:
    expire(battle)
    Campaign.objects.filter(pk=scene.campaign.pk).update(status="ended")
    confirm_late_reports()
    battle.refresh_from_db()
    assert battle.state == "reported"


def test_one_that_fails_holds_up_no_other(battle: Battle, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = a_battle(a_scene(("Dagny", "Ruben"), gm="Oda"), state=Battle.State.REPORTED)
    for one in (battle, broken):
        expire(one)

    def confirm(*, battle: int) -> bool:
        if battle == broken.pk:
            raise ZeroDivisionError
        return confirm_late_report(battle=battle)

    monkeypatch.setattr(tasks, "confirm_late_report", confirm)
    monkeypatch.setattr(tasks, "late_reports", lambda: Battle.objects.filter(state="reported").order_by("-pk"))
    with pytest.raises(ExceptionGroup):
        confirm_late_reports()
    battle.refresh_from_db()
    assert battle.confirmed_at is not None


def test_the_clock_looks_every_few_minutes() -> None:
    names = [entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()]
    assert confirm_late_reports.name in names
