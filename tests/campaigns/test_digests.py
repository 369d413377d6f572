"""Mails with what somebody has not read: once, and only to those who want them."""

from datetime import timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from campaigns import tasks
from campaigns.digests import due, unsubscribe_address
from campaigns.models import Notice, NoticeWishes
from campaigns.services.read_notices import read_notices
from campaigns.services.send_digest import send_digest
from campaigns.services.wish_notices import wish_notices
from campaigns.telling import notify
from tests.campaigns.stage import Scene, a_scene


@pytest.fixture
def scene(db: None) -> Scene:
    return a_scene()


def left(scene: Scene, *names: str, title: str = "We move <soon> & far") -> None:
    notify([scene.people[name] for name in names], kind="announcement", campaign=scene.campaign,
           address=scene.campaign.get_absolute_url(), actor="Priya", title=title)  # fmt: skip


def waiting() -> list[str]:
    return [person.name for person in due(timezone.now())]


# Works ----------------------------------------------------------------------------------------------
def test_one_mail_has_all_that_is_unread_with_links(scene: Scene) -> None:
    left(scene, "Ilse", title="First & foremost")
    left(scene, "Ilse", title="Second")
    assert send_digest(person=scene.people["Ilse"])
    (sent,) = mail.outbox
    assert sent.to == ["ilse@example.org"]
    assert sent.subject == "Aftermath: 2 notices for you"
    body = str(sent.body)
    assert "Priya announced in The thaw: First & foremost" in body
    for notice in Notice.objects.all():
        assert f"http://localhost:8000{reverse('notice', args=[notice.pk])}" in body
        assert notice.mailed
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert unsubscribe_address(scene.people["Ilse"]) in sent.extra_headers["List-Unsubscribe"]
    assert unsubscribe_address(scene.people["Ilse"]) in body


def test_nobody_gets_the_same_notice_twice(scene: Scene) -> None:
    left(scene, "Ilse")
    assert [send_digest(person=scene.people["Ilse"]) for _turn in range(3)] == [True, False, False]
    NoticeWishes.objects.update(last_digest=timezone.now() - timedelta(days=30))
    assert not send_digest(person=scene.people["Ilse"])
    assert len(mail.outbox) == 1


def test_the_next_mail_waits_a_day_or_a_week(scene: Scene) -> None:
    ilse, marek = scene.people["Ilse"], scene.people["Marek"]
    wish_notices(actor=marek, mail="weekly")
    left(scene, "Ilse", "Marek")
    for person in (ilse, marek):
        send_digest(person=person)
    left(scene, "Ilse", "Marek", title="More")
    assert waiting() == []
    NoticeWishes.objects.update(last_digest=timezone.now() - timedelta(days=1))
    assert waiting() == ["Ilse"]
    assert not send_digest(person=marek)
    NoticeWishes.objects.update(last_digest=timezone.now() - timedelta(days=7))
    assert waiting() == ["Ilse", "Marek"]
    assert send_digest(person=marek)


def test_the_task_asks_for_a_mail_for_everybody_who_is_due(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    left(scene, "Ilse", "Marek")
    monkeypatch.setattr(tasks.send_one_digest, "delay", tasks.send_one_digest)
    tasks.send_digests()
    tasks.send_digests()
    assert sorted(sent.to[0] for sent in mail.outbox) == ["ilse@example.org", "marek@example.org"]


# Only those who want it -----------------------------------------------------------------------------
def test_no_mail_for_who_wants_none_has_read_all_or_has_no_confirmed_address(scene: Scene) -> None:
    left(scene, "Ilse", "Marek", "Priya")
    wish_notices(actor=scene.people["Ilse"], mail="off")
    read_notices(actor=scene.people["Marek"])
    EmailAddress.objects.filter(user=scene.gm).update(verified=False)
    assert waiting() == []
    assert not send_digest(person=scene.people["Ilse"])
    assert not send_digest(person=scene.people["Marek"])
    assert mail.outbox == []


def test_no_mail_for_an_account_that_is_shut_or_gone(scene: Scene) -> None:
    left(scene, "Ilse")
    User.objects.filter(name="Ilse").update(is_active=False)
    assert waiting() == []
    assert not send_digest(person=scene.people["Ilse"])
    assert not send_digest(person=999_999)


def test_a_mail_that_fails_is_tried_again(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    left(scene, "Ilse")

    def fails(*args: Any, **kwargs: Any) -> int:
        raise ConnectionRefusedError

    with monkeypatch.context() as broken:
        broken.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", fails)
        with pytest.raises(ConnectionRefusedError):
            send_digest(person=scene.people["Ilse"])
    assert Notice.objects.filter(mailed=None).count() == 1
    assert send_digest(person=scene.people["Ilse"])


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_send_one_mail() -> None:
    scene = a_scene(("Ilse",))
    left(scene, "Ilse")
    start, results = Barrier(2), []

    def work() -> None:
        start.wait()
        results.append(send_digest(person=scene.people["Ilse"].pk))
        connection.close()

    threads = [Thread(target=work) for _number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [False, True]
    assert len(mail.outbox) == 1


# Stopping them --------------------------------------------------------------------------------------
def test_the_link_in_a_mail_asks_first_and_then_stops_them(client: Client, scene: Scene) -> None:
    address = unsubscribe_address(scene.people["Ilse"])
    assert "Stop the mails" in client.get(address).content.decode()
    assert not NoticeWishes.objects.exists()
    assert client.post(address).status_code == 200
    assert NoticeWishes.objects.get(person__name="Ilse").mail == "off"


def test_a_mail_program_stops_them_without_a_cookie(scene: Scene) -> None:
    strict = Client(enforce_csrf_checks=True)
    sent = {"List-Unsubscribe": "One-Click"}
    assert strict.post(unsubscribe_address(scene.people["Ilse"]), sent).status_code == 200
    assert NoticeWishes.objects.get().mail == "off"


def test_a_link_that_was_made_up_stops_nothing(client: Client, scene: Scene) -> None:
    address = unsubscribe_address(scene.people["Ilse"])
    for wrong in (address[:-3] + "xx/", reverse("notices_unsubscribe", args=["guess"])):
        assert client.post(wrong).status_code == 404
    assert not NoticeWishes.objects.exists()
