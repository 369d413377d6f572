"""What operators do: people, lock-outs, notices on every page, queues, storage."""

import re
from datetime import timedelta

import pytest
import redis
from axes.models import AccessAttempt
from celery.schedules import crontab
from django.contrib.admin.models import LogEntry
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from campaigns.models import Invitation, Membership
from config.health import HEARTBEAT
from panel import comparing, last_runs, queues
from panel.models import SiteNotice
from panel.notices import publish_notices
from panel.services.set_may_sign_in import set_may_sign_in
from panel.services.set_operator import set_operator
from panel.tasks import compare_ledgers
from rules.engine.errors import RuleViolation
from tests.panel.stage import Stage
from tests.panel.test_permissions import act, shown
from warbands.models import ReconcileRun


def sten() -> User:
    return User.objects.get(name="Sten")


def test_an_account_is_closed_and_opened_after_a_question(operator: Client, stage: Stage) -> None:
    asked = shown(act(operator, "accounts.User", "shut_out", sten()))
    assert "Nothing of theirs is deleted." in asked
    assert sten().is_active
    act(operator, "accounts.User", "shut_out", sten(), confirmed="yes")
    assert not sten().is_active
    act(operator, "accounts.User", "let_in", sten(), confirmed="yes")
    assert sten().is_active
    assert LogEntry.objects.filter(object_id=str(sten().pk)).count() == 2
    history = operator.get(reverse("admin:accounts_user_history", args=[sten().pk])).content.decode()
    assert "Close to sign-in" in history
    assert "otto@example.org" not in re.sub(r"<nav.*?</nav>|truncate\">\s*otto@example.org", "", history, flags=re.S)


def test_operators_come_and_go_and_nobody_ends_their_own(operator: Client, stage: Stage) -> None:
    act(operator, "accounts.User", "appoint", sten(), confirmed="yes")
    assert sten().is_superuser
    act(operator, "accounts.User", "dismiss", sten(), confirmed="yes")
    assert not sten().is_superuser
    otto = User.objects.get(name="Otto")
    answer = operator.post(
        reverse("admin:accounts_user_changelist"),
        {"action": "dismiss", "_selected_action": [otto.pk], "confirmed": "yes"}, follow=True,
    )  # fmt: skip
    assert "your own account" in answer.content.decode()
    otto.refresh_from_db()
    assert otto.is_superuser


def test_services_refuse_in_words(stage: Stage) -> None:
    otto = User.objects.get(name="Otto")
    with pytest.raises(RuleViolation, match="your own account"):
        set_may_sign_in(actor=otto, person=otto, may=False)
    with pytest.raises(RuleViolation, match="Only operators"):
        set_operator(actor=sten(), person=stage.own.gm, is_operator=True)
    set_may_sign_in(actor=otto, person=sten(), may=False)
    with pytest.raises(RuleViolation, match="closed"):
        set_operator(actor=otto, person=sten(), is_operator=True)


def test_a_reset_is_mailed_to_the_person_alone(operator: Client, stage: Stage, mailoutbox: list[EmailMessage]) -> None:
    act(operator, "accounts.User", "send_reset", sten(), confirmed="yes")
    (mail,) = mailoutbox
    assert mail.to == ["sten@example.org"]
    assert "/account/password/reset/key/" in str(mail.body)


def test_a_lock_out_is_lifted(operator: Client, stage: Stage) -> None:
    act(operator, "axes.AccessAttempt", "lift", stage.rows[AccessAttempt], confirmed="yes")
    assert not AccessAttempt.objects.exists()


def test_a_notice_is_on_every_page_without_a_query(
    operator: Client, stage: Stage, django_capture_on_commit_callbacks: object
) -> None:
    cache.clear()
    with CaptureQueriesContext(connection) as before:
        assert "Back at eight." not in operator.get("/rules/").content.decode()
    data = {"text": "Back at eight.", "level": "caution", "begins_0": "2026-01-01", "begins_1": "08:00:00"}
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        answer = operator.post(reverse("admin:panel_sitenotice_add"), data)
    assert answer.status_code == 302
    with CaptureQueriesContext(connection) as after:
        assert "Back at eight." in operator.get("/rules/").content.decode()
    assert len(after) == len(before)


def test_a_notice_has_its_time(client: Client, stage: Stage) -> None:
    hour = timedelta(hours=1)
    SiteNotice.objects.all().delete()
    SiteNotice.objects.create(text="Too early.", begins=timezone.now() + hour)
    SiteNotice.objects.create(text="Over.", begins=timezone.now() - 2 * hour, ends=timezone.now() - hour)
    SiteNotice.objects.create(text="<b>Now</b>", begins=timezone.now() - hour, ends=timezone.now() + hour)
    publish_notices()
    html = client.get("/").content.decode()
    assert "&lt;b&gt;Now&lt;/b&gt;" in html
    assert "Too early." not in html
    assert "Over." not in html


@pytest.mark.parametrize(
    "wrong", [{"text": ""}, {"level": "loud"}, {"ends_0": "2025-01-01", "ends_1": "00:00:00"}, {"begins_0": "soon"}]
)
def test_a_wrong_notice_is_refused(wrong: dict[str, str], operator: Client, stage: Stage) -> None:
    data = {"text": "x", "level": "note", "begins_0": "2026-01-01", "begins_1": "08:00:00"} | wrong
    assert operator.post(reverse("admin:panel_sitenotice_add"), data).status_code == 200
    assert SiteNotice.objects.count() == 1


def test_queues_and_schedule_are_shown(operator: Client, stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queues, "workers", lambda: ["worker@table"])
    last_runs.broker().delete(last_runs.KEY)
    task = type("Task", (), {"name": "campaigns.tasks.tend_batches"})
    last_runs.remember(task=task, state="SUCCESS")
    html = operator.get(reverse("admin:queues")).content.decode()
    for text in ("waiting in batches", "worker@table", "tend-batches", "success"):
        assert text in html
    assert queues.HEARTBEAT == HEARTBEAT


def test_without_redis_the_page_says_so(operator: Client, stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def down() -> None:
        raise redis.ConnectionError

    monkeypatch.setattr(last_runs, "broker", down)
    assert "Redis does not answer" in operator.get(reverse("admin:queues")).content.decode()


def test_storage_names_tables(operator: Client, stage: Stage) -> None:
    html = operator.get(reverse("admin:storage")).content.decode()
    assert "warbands_ledgerentry" in html
    assert "No difference" in html


def test_a_member_is_removed_by_the_service(gm: Client, stage: Stage) -> None:
    row = Membership.objects.create(campaign=stage.own.campaign, person=sten())
    assert "They are told." in shown(act(gm, "campaigns.Membership", "remove", row))
    act(gm, "campaigns.Membership", "remove", row, confirmed="yes")
    assert not Membership.objects.filter(pk=row.pk).exists()
    assert stage.own.campaign.events.filter(kind="person_removed").exists()


def test_a_refusal_is_a_sentence(gm: Client, stage: Stage) -> None:
    row = stage.own.campaign.memberships.get(role="gm")
    data = {"action": "remove", "_selected_action": [row.pk], "confirmed": "yes"}
    html = gm.post(reverse("admin:campaigns_membership_changelist"), data, follow=True).content.decode()
    assert "You cannot remove yourself." in html
    assert Membership.objects.filter(pk=row.pk).exists()


def test_an_invitation_is_revoked(gm: Client, stage: Stage) -> None:
    row = stage.rows[Invitation]
    act(gm, "campaigns.Invitation", "revoke", row, confirmed="yes")
    row.refresh_from_db()
    assert row.revoked


def test_ledgers_are_compared_on_demand_with_progress(operator: Client, stage: Stage) -> None:
    ReconcileRun.objects.all().delete()
    page, go = reverse("admin:storage"), reverse("admin:compare")
    assert "Compare now" in shown(operator.get(page))
    operator.post(go)
    assert "0 of 4 warbands are compared" in shown(operator.get(page))
    assert "are being compared already" in shown(operator.post(go, follow=True))
    seen: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("panel.comparing.tell", seen.append)
        compare_ledgers()
    assert seen == [4]
    assert ReconcileRun.objects.get().warbands == 4
    assert "Compare now" in shown(operator.get(page))


def test_the_progress_of_a_comparison_is_kept(stage: Stage) -> None:
    assert comparing.begin()
    comparing.tell(3)
    assert comparing.comparing() == (3, 4)
    comparing.end()
    assert comparing.comparing() is None
    comparing.tell(4)
    assert comparing.comparing() is None


def test_a_comparison_that_fails_is_over(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_progress: object) -> None:
        raise RuleViolation("broken", "It broke.")

    monkeypatch.setattr("panel.tasks.reconcile", fails)
    comparing.begin()
    with pytest.raises(RuleViolation, match="broke"):
        compare_ledgers()
    assert comparing.comparing() is None


@pytest.mark.parametrize(
    ("schedule", "told"),
    [
        (15.0, "every 15 seconds"),
        (crontab(), "every minute"),
        (crontab("*/10"), "every 10 minutes"),
        (crontab("20"), "every hour at minute 20"),
        (crontab("5", "3"), "every day at 03:05"),
        (crontab("5", "3", day_of_week="1"), "5 3 * * 1"),
    ],
)
def test_a_schedule_is_told_in_words(schedule: object, told: str) -> None:
    assert queues._when(schedule) == told
