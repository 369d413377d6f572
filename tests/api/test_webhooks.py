"""Webhooks by the API."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from campaigns.models import Campaign, Delivery, Webhook
from tests.api.caller import Caller
from tests.campaigns.receiver import Receiver, a_receiver
from tests.campaigns.stage import a_person

Callers = Callable[..., Caller]


@pytest.fixture
def receiver(settings: LazySettings) -> Iterator[Receiver]:
    settings.WEBHOOKS_ALLOW_PRIVATE = True
    with a_receiver() as found:
        yield found


@pytest.fixture
def hooks(campaign: Campaign) -> str:
    return f"campaigns/{campaign.pk}/webhooks"


def added(caller: Callers, hooks: str, receiver: Receiver, **fields: Any) -> dict[str, Any]:
    answer = caller("Priya").post(hooks, {"address": receiver.address, "kinds": ["announcement"]} | fields)
    assert answer.status_code == 201, answer.content
    made: dict[str, Any] = answer.json()
    return made


def test_a_webhook_is_added_read_changed_and_removed(caller: Callers, hooks: str, receiver: Receiver) -> None:
    priya = caller("Priya")
    made = added(caller, hooks, receiver)
    row = Webhook.objects.get()
    assert made["secret"] == row.secret
    one = f"{hooks}/{row.pk}"
    read = priya.get(one)
    assert "secret" not in read.json()
    assert read.json()["kinds"] == ["announcement"]
    assert priya.get(one, if_none_match=read["ETag"]).status_code == 304
    changed = priya.patch(one, {"format": "discord", "new_secret": True}, if_match=read["ETag"])
    assert changed.status_code == 200
    row.refresh_from_db()
    assert changed.json()["secret"] == row.secret != made["secret"]
    assert (row.format, row.kinds, row.address) == ("discord", ["announcement"], receiver.address)
    assert priya.patch(one, {"format": "json"}, if_match=read["ETag"]).status_code == 412
    assert [hook["id"] for hook in priya.get(hooks).json()["items"]] == [row.pk]
    assert priya.delete(one).status_code == 204
    assert priya.get(one).status_code == 404


def test_a_test_is_sent_seen_in_the_log_and_sent_again(caller: Callers, hooks: str, receiver: Receiver) -> None:
    priya = caller("Priya")
    one = f"{hooks}/{added(caller, hooks, receiver)['webhook']['id']}"
    ping = priya.post(f"{one}/pings")
    assert (ping.status_code, ping.json()["kind"], ping.json()["status"]) == (201, "ping", "waiting")
    Delivery.objects.update(status="failed", by_hand=False)
    assert priya.get(f"{one}/deliveries?status=waiting").json()["items"] == []
    (failed,) = priya.get(f"{one}/deliveries?status=failed").json()["items"]
    again = priya.post(f"{one}/deliveries/{failed['id']}/redelivery")
    assert (again.status_code, again.json()["status"]) == (200, "waiting")


def test_a_paused_one_goes_on(caller: Callers, hooks: str, receiver: Receiver) -> None:
    one = f"{hooks}/{added(caller, hooks, receiver)['webhook']['id']}"
    Webhook.objects.update(paused_at=timezone.now(), reason="It failed.", failures=10)
    Delivery.objects.create(webhook=Webhook.objects.get(), kind="announcement")
    answer = caller("Priya").post(f"{one}/resumption", {"leave_out": True})
    assert (answer.status_code, answer.json()["paused"], answer.json()["failures"]) == (200, None, 0)
    assert Delivery.objects.get().status == "skipped"


def test_the_kinds_of_events_are_listed_for_everybody(campaign: Campaign) -> None:
    kinds = Caller().get("webhook-kinds?limit=100").json()["items"]
    assert {"name": "person_left", "group": "people", "sentence": "%(actor)s left the campaign."} in kinds
    assert "step_closed" in {kind["name"] for kind in kinds}


def test_who_does_not_run_the_campaign_finds_nothing(caller: Callers, hooks: str, receiver: Receiver) -> None:
    a_person("Sten")
    one = f"{hooks}/{added(caller, hooks, receiver)['webhook']['id']}"
    for name in ("Ilse", "Sten"):
        them = caller(name)
        assert [them.get(hooks).status_code, them.get(one).status_code, them.delete(one).status_code] == [404] * 3
        assert them.post(hooks, {"address": receiver.address + "&b"}).status_code == 404
        assert [them.post(f"{one}/pings").status_code, them.get(f"{one}/deliveries").status_code] == [404] * 2
    assert caller("Priya", "read", "play").get(hooks).status_code == 403
    assert Webhook.objects.count() == 1


@pytest.mark.parametrize(
    ("wrong", "status", "code"),
    [
        ({"address": "http://127.0.0.1/"}, 409, "webhook_private"),
        ({"address": "http://[::ffff:10.0.0.1]/"}, 409, "webhook_private"),
        ({"address": "ftp://example.org/"}, 409, "webhook_address"),
        ({"address": ""}, 422, "invalid"),
        ({"address": "https://example.org/", "format": "smoke"}, 422, "invalid"),
        ({"address": "https://example.org/", "secret": "mine"}, 422, "invalid"),
        ({}, 422, "invalid"),
    ],
)
def test_wrong_input_is_refused(caller: Callers, hooks: str, wrong: Any, status: int, code: str) -> None:
    answer = caller("Priya").post(hooks, wrong)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not Webhook.objects.exists()


def test_an_unknown_kind_is_refused(caller: Callers, hooks: str, receiver: Receiver) -> None:
    answer = caller("Priya").post(hooks, {"address": receiver.address, "kinds": ["moonrise"]})
    assert (answer.status_code, answer.json()["code"]) == (409, "unknown_kind")


def test_the_log_asks_the_database_the_same_for_few_and_many(
    caller: Callers, hooks: str, receiver: Receiver, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    priya = caller("Priya")
    hook = added(caller, hooks, receiver)["webhook"]["id"]
    Delivery.objects.bulk_create(Delivery(webhook_id=hook, kind="announcement") for _number in range(60))
    priya.get(hooks)
    with django_assert_max_num_queries(5):
        first = priya.get(f"{hooks}/{hook}/deliveries?limit=50")
    assert (len(first.json()["items"]), first.json()["next"] is None) == (50, False)
