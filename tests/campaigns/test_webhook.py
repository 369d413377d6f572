"""The pages about webhooks, for those who run a campaign."""

from collections.abc import Iterator

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from campaigns.models import Delivery, Webhook
from campaigns.services.add_webhook import add_webhook
from campaigns.webhooks import kinds_of
from tests.campaigns.receiver import Receiver, a_receiver
from tests.campaigns.stage import Scene, a_person, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db

Status = Delivery.Status


@pytest.fixture
def scene() -> Scene:
    return a_scene()


@pytest.fixture
def receiver(settings: LazySettings) -> Iterator[Receiver]:
    settings.WEBHOOKS_ALLOW_PRIVATE = True
    with a_receiver() as found:
        yield found


@pytest.fixture
def hook(scene: Scene, receiver: Receiver) -> Webhook:
    return add_webhook(
        actor=scene.gm, campaign=scene.campaign, address=receiver.address, kind_of_format="json", kinds=["announcement"]
    )[0]


def page(route: str, *args: object) -> str:
    return reverse(route, args=args)


def test_a_webhook_is_added_and_its_secret_is_shown_once(client: Client, scene: Scene, receiver: Receiver) -> None:
    form = {"address": receiver.address, "format": "json", "scope": "some", "groups": ["wounds", "steps"]}
    answer = sign_in(client, "Priya").post(page("webhook_new", scene.campaign.pk), form)
    made = Webhook.objects.get()
    assert made.secret in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    assert set(made.kinds) == set(kinds_of(["wounds", "steps"]))
    again = client.get(made.get_absolute_url()).content.decode()
    assert receiver.address in again
    assert made.secret not in again
    assert made.host in client.get(page("webhooks", scene.campaign.pk)).content.decode()
    settings_page = client.get(page("campaign_settings", scene.campaign.pk)).content.decode()
    assert page("webhooks", scene.campaign.pk) in settings_page


def test_a_private_address_is_refused_beside_the_form(client: Client, scene: Scene) -> None:
    form = {"address": "http://127.0.0.1:9000/x", "format": "json", "scope": "all"}
    answer = sign_in(client, "Priya").post(page("webhook_new", scene.campaign.pk), form)
    assert answer.status_code == 409
    shown = answer.content.decode()
    assert "not on the open internet" in shown
    assert "http://127.0.0.1:9000/x" in shown
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    "wrong", [{"address": ""}, {"format": "smoke"}, {"scope": "some", "groups": []}, {"scope": "some", "groups": ["x"]}]
)
def test_wrong_input_is_refused(client: Client, scene: Scene, wrong: dict[str, object]) -> None:
    form = {"address": "https://example.org/", "format": "json", "scope": "all"} | wrong
    answer = sign_in(client, "Priya").post(page("webhook_new", scene.campaign.pk), form)
    assert answer.status_code == 422
    assert not Webhook.objects.exists()


def test_it_is_changed_and_kinds_that_were_chosen_elsewhere_stay(client: Client, hook: Webhook) -> None:
    Webhook.objects.update(kinds=["ladder_top"])
    edit = page("webhook_edit", hook.campaign_id, hook.pk)
    assert "As it is: ladder_top" in sign_in(client, "Priya").get(edit).content.decode()
    form = {"address": hook.address, "format": "discord", "scope": "some", "groups": ["announcements", "own"]}
    answer = client.post(edit, form | {"version": str(hook.version)})
    assert answer["Location"] == hook.get_absolute_url()
    changed = Webhook.objects.get()
    assert (changed.format, changed.kinds) == ("discord", ["ladder_top", "announcement"])
    stale = client.post(edit, form | {"version": str(hook.version)})
    assert stale.status_code == 409
    assert "Somebody changed this webhook" in stale.content.decode()


def test_a_new_secret_is_shown_when_it_is_asked_for(client: Client, hook: Webhook) -> None:
    form = {"address": hook.address, "format": "json", "scope": "all", "new_key": "on"}
    answer = sign_in(client, "Priya").post(page("webhook_edit", hook.campaign_id, hook.pk), form)
    new = Webhook.objects.get().secret
    assert new != hook.secret
    assert new in answer.content.decode()


def test_it_is_removed_after_a_question(client: Client, hook: Webhook) -> None:
    remove = page("webhook_remove", hook.campaign_id, hook.pk)
    assert "Remove the webhook of 127.0.0.1" in sign_in(client, "Priya").get(remove).content.decode()
    assert Webhook.objects.exists()
    assert client.post(remove)["Location"] == page("webhooks", hook.campaign_id)
    assert not Webhook.objects.exists()


def test_a_test_is_sent_and_sent_again(client: Client, hook: Webhook) -> None:
    ping = page("webhook_ping", hook.campaign_id, hook.pk)
    sign_in(client, "Priya").post(ping)
    assert "on its way already" in client.post(ping, follow=True).content.decode()
    made = Delivery.objects.get()
    assert (made.kind, made.status) == ("ping", Status.WAITING)
    Delivery.objects.update(status=Status.FAILED, by_hand=False, answer=500, error="It answered 500.")
    assert "It answered 500." in client.get(hook.get_absolute_url()).content.decode()
    client.post(page("webhook_redeliver", hook.campaign_id, hook.pk, made.pk))
    made.refresh_from_db()
    assert (made.status, made.by_hand) == (Status.WAITING, True)


def test_a_paused_one_says_why_and_goes_on(client: Client, hook: Webhook) -> None:
    Webhook.objects.update(paused_at=timezone.now(), reason="It failed 10 times in a row.", failures=10)
    Delivery.objects.create(webhook=hook, kind="announcement")
    shown = sign_in(client, "Priya").get(hook.get_absolute_url()).content.decode()
    assert "It failed 10 times in a row." in shown
    assert "Go on without them" in shown
    client.post(page("webhook_resume", hook.campaign_id, hook.pk), {"leave_out": "1"})
    hook.refresh_from_db()
    assert (hook.paused_at, hook.failures) == (None, 0)
    assert Delivery.objects.get().status == Status.SKIPPED


def test_players_strangers_and_other_game_masters_find_nothing(client: Client, scene: Scene, hook: Webhook) -> None:
    a_person("Sten")
    a_scene((), gm="Otto", name="Elsewhere")
    ping = Delivery.objects.create(webhook=hook, kind="ping", status=Status.SENT)
    own = (hook.campaign_id, hook.pk)
    reads = [page("webhooks", hook.campaign_id), page("webhook_new", hook.campaign_id), page("webhook", *own)]
    acts = [page("webhook_edit", *own), page("webhook_remove", *own), page("webhook_ping", *own)]
    acts += [page("webhook_resume", *own), page("webhook_redeliver", *own, ping.pk)]
    for name in ("Ilse", "Sten", "Otto"):
        sign_in(client, name)
        assert [client.get(address).status_code for address in reads] == [404] * 3
        assert [client.post(address).status_code for address in acts] == [404] * 5
    assert Webhook.objects.get() == hook


def test_a_webhook_of_another_campaign_is_not_there(client: Client, hook: Webhook) -> None:
    other = a_scene((), gm="Otto", name="Elsewhere")
    answer = sign_in(client, "Otto").post(page("webhook_remove", other.campaign.pk, hook.pk))
    assert answer.status_code == 404
    assert Webhook.objects.exists()


def test_the_log_asks_the_database_the_same_for_few_and_many(
    client: Client, hook: Webhook, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    sign_in(client, "Priya").get(hook.get_absolute_url())
    Delivery.objects.bulk_create(Delivery(webhook=hook, kind="announcement") for _number in range(80))
    with django_assert_max_num_queries(8):
        shown = client.get(hook.get_absolute_url()).content.decode()
    assert shown.count('id="delivery-') == 50
