"""What happens in a campaign is told elsewhere: in order, signed, once more when it failed, and never inside."""

import json
import re
import socket
import time
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Event as Signal
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from campaigns import posting
from campaigns.chronicle import SENTENCES
from campaigns.models import Delivery, Event, Notice, RunStep, Webhook
from campaigns.posting import is_public, post, target_of
from campaigns.services import send_delivery as sending
from campaigns.services.add_webhook import MOST_WEBHOOKS, add_webhook
from campaigns.services.announce import announce
from campaigns.services.change_webhook import change_webhook
from campaigns.services.end_campaign import end_campaign
from campaigns.services.ping_webhook import ping_webhook
from campaigns.services.redeliver import redeliver
from campaigns.services.remove_webhook import remove_webhook
from campaigns.services.resume_webhook import resume_webhook
from campaigns.services.send_delivery import MOST_FAILURES, send_delivery, wait_after
from campaigns.tasks import forget_deliveries, send_webhook, tend_webhooks
from campaigns.telling import tell
from campaigns.webhook_bodies import DISCORD_LETTERS, headers_of
from campaigns.webhooks import all_kinds, groups, groups_of, kinds_of, with_something_due
from rules.engine.changes import VOCABULARY
from rules.engine.errors import RuleViolation
from tests.campaigns.receiver import Receiver, a_receiver
from tests.campaigns.runs import a_postgame, run_of, walk
from tests.campaigns.stage import Scene, a_scene
from tests.campaigns.threads import at_once
from warbands.models import LedgerEntry

pytestmark = pytest.mark.django_db

DOCUMENT = Path(__file__).parents[2] / "docs" / "webhooks.md"
Status = Delivery.Status


@pytest.fixture
def scene() -> Scene:
    return a_scene()


@pytest.fixture
def receiver(settings: LazySettings) -> Iterator[Receiver]:
    settings.WEBHOOKS_ALLOW_PRIVATE = True
    with a_receiver() as found:
        yield found


def hooked(scene: Scene, receiver: Receiver, **fields: Any) -> Webhook:
    given = {"address": receiver.address, "kind_of_format": "json", "kinds": ["announcement"]} | fields
    made = add_webhook(actor=scene.gm, campaign=scene.campaign, **given)[0]
    scene.campaign.refresh_from_db()
    return made


def said(scene: Scene, *titles: str) -> None:
    for title in titles:
        announce(actor=scene.gm, campaign=scene.campaign, title=title)


def sent_all(hook: Webhook) -> None:
    while send_delivery(webhook=hook.pk):
        pass


def due_now(hook: Webhook) -> None:
    hook.deliveries.filter(status=Status.WAITING).update(next_attempt=timezone.now())


def the_only(hook: Webhook) -> Delivery:
    return hook.deliveries.get()


def documented() -> Any:
    """The function that the document shows."""
    code = re.search(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert code is not None
    space: dict[str, Any] = {}
    exec(code[1], space)
    return space["is_from_aftermath"]


# What is sent -----------------------------------------------------------------------------------------


def test_an_event_is_sent_with_its_sentence_and_its_names(scene: Scene, receiver: Receiver) -> None:
    hook = hooked(scene, receiver)
    said(scene, "We move")
    sent_all(hook)
    event = Event.objects.get(kind="announcement")
    told = json.loads(receiver.bodies[0])
    assert told["sentence"] == "Priya announced: We move"
    assert (told["kind"], told["event"], told["actor"]["name"]) == ("announcement", event.pk, "Priya")
    assert told["campaign"] == {"id": scene.campaign.pk, "name": "The thaw"}
    assert told["link"].startswith("http://localhost:8000/campaigns/")
    assert receiver.taken[0].path == "/hook?of=ours"
    assert receiver.taken[0].headers["Aftermath-Event"] == "announcement"
    assert receiver.taken[0].headers["Aftermath-Delivery"] == str(told["id"]) == str(the_only(hook).pk)
    assert the_only(hook).status == Status.SENT


def test_the_signature_is_what_the_document_says(scene: Scene, receiver: Receiver) -> None:
    hook = hooked(scene, receiver)
    said(scene, "Größe, with “quotes”")
    sent_all(hook)
    is_from_aftermath = documented()
    header, body = receiver.taken[0].headers["Aftermath-Signature"], receiver.bodies[0]
    assert is_from_aftermath(hook.secret, header, body)
    assert not is_from_aftermath(hook.secret, header, body + b" ")
    assert not is_from_aftermath("whsec_another", header, body)
    old = headers_of(the_only(hook), int(time.time()) - 301)["Aftermath-Signature"]
    assert not is_from_aftermath(hook.secret, old, body)


def test_a_closed_step_is_sent_with_its_changes_in_the_words_of_the_ledger(receiver: Receiver) -> None:
    scene, battle = a_postgame()
    hook = hooked(scene, receiver, kinds=["step_closed"])
    before = list(RunStep.objects.values_list("pk", flat=True))
    walk(run_of(battle, scene.warbands["Marek"]), until="experience")
    sent_all(hook)
    told = [json.loads(body) for body in receiver.bodies]
    assert {one["kind"] for one in told} == {"step_closed"}
    closed = RunStep.objects.exclude(pk__in=before)
    assert len(told) == closed.count() > 0
    changed = [change for one in told for change in one["changes"]]
    acts = closed.exclude(act=None).values_list("act", flat=True)
    assert len(changed) == LedgerEntry.objects.filter(act__in=list(acts)).count() > 0
    assert {one["change"]["event"] for one in changed} <= set(VOCABULARY)
    assert told[0]["warband"]["name"] in told[0]["sentence"]


def test_only_what_was_chosen_is_sent_and_only_of_this_campaign(scene: Scene, receiver: Receiver) -> None:
    hook = hooked(scene, receiver, kinds=["person_left", "person_joined"])
    everything = add_webhook(
        actor=scene.gm, campaign=scene.campaign, address=receiver.address + "&all", kind_of_format="json"
    )[0]
    other = a_scene((), gm="Otto", name="Elsewhere")
    tell(campaign=scene.campaign, kind="person_left", actor=scene.gm)
    tell(campaign=scene.campaign, kind="campaign_begun", actor=scene.gm)
    tell(campaign=other.campaign, kind="person_left", actor=other.gm)
    assert list(hook.deliveries.values_list("kind", flat=True)) == ["person_left"]
    assert set(everything.deliveries.values_list("kind", flat=True)) == {"person_left", "campaign_begun"}


def test_telling_costs_no_query_more(
    scene: Scene, receiver: Receiver, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        tell(campaign=scene.campaign, kind="campaign_begun", actor=scene.gm)
    hooked(scene, receiver)
    with django_assert_num_queries(1):
        tell(campaign=scene.campaign, kind="announcement", actor=scene.gm, title="We move")
    assert Delivery.objects.count() == 1


def test_what_is_rolled_back_is_not_told(scene: Scene, receiver: Receiver) -> None:
    hook = hooked(scene, receiver)
    said(scene, "We move")
    with pytest.raises(RuleViolation):
        announce(actor=scene.gm, campaign=scene.campaign, title="We move")
    assert hook.deliveries.count() == 1


def test_what_was_taken_back_before_it_was_sent_is_left_out(scene: Scene, receiver: Receiver) -> None:
    hook = hooked(scene, receiver)
    said(scene, "We move", "Or not")
    Event.objects.filter(data__title="We move").delete()
    sent_all(hook)
    assert [json.loads(body)["data"]["title"] for body in receiver.bodies] == ["Or not"]
    assert list(hook.deliveries.order_by("pk").values_list("status", flat=True)) == [Status.SKIPPED, Status.SENT]


def test_discord_gets_a_line_that_calls_nobody(scene: Scene, receiver: Receiver) -> None:
    hook = hooked(scene, receiver, kind_of_format="discord")
    tell(
        campaign=scene.campaign, kind="announcement", actor=scene.gm, title="@everyone [free](http://x.example) *gold*"
    )
    tell(campaign=scene.campaign, kind="announcement", actor=scene.gm, title="\\*" * 2000)
    sent_all(hook)
    told = json.loads(receiver.bodies[0])
    assert told["content"].startswith(
        r"Priya announced: \@everyone \[free\](http://x.example) \*gold\* <http://localhost"
    )
    assert told["allowed_mentions"] == {"parse": []}
    assert set(told) == {"content", "allowed_mentions", "flags"}
    assert len(json.loads(receiver.bodies[1])["content"]) <= DISCORD_LETTERS


def test_every_kind_is_in_one_group() -> None:
    names = [kind.name for kind in all_kinds()]
    assert set(names) == {*SENTENCES, "step_closed"}
    assert sorted(kinds_of(groups())) == sorted(names)
    assert groups_of([*kinds_of(["wounds"]), "ladder_top"]) == (["wounds"], ["ladder_top"])


# Again, and enough ------------------------------------------------------------------------------------


def test_what_failed_is_tried_again_later_and_nothing_passes_it(scene: Scene, receiver: Receiver) -> None:
    hook = hooked(scene, receiver)
    said(scene, "One", "Two")
    receiver.answers = [500, 503]
    before = timezone.now()
    sent_all(hook)
    first, second = hook.deliveries.order_by("pk")
    assert (first.status, first.answer, first.attempts) == (Status.WAITING, 500, 1)
    assert first.error == "It answered 500."
    assert timedelta(seconds=9) < first.next_attempt - before < timedelta(seconds=60)
    assert (second.status, second.attempts) == (Status.WAITING, 0)
    assert list(with_something_due()) == []
    due_now(hook)
    sent_all(hook)
    due_now(hook)
    assert list(with_something_due()) == [hook.pk]
    sent_all(hook)
    assert len(receiver.taken) == 4
    assert receiver.bodies[0] == receiver.bodies[1] == receiver.bodies[2]
    assert set(hook.deliveries.values_list("status", flat=True)) == {Status.SENT}
    hook.refresh_from_db()
    assert hook.failures == 0


def test_the_waits_are_those_of_the_document() -> None:
    waits = [wait_after(failures) for failures in range(1, MOST_FAILURES)]
    row = re.search(r"\| after \| (.*) \|", DOCUMENT.read_text())
    assert row is not None
    units = {"s": 1, "min": 60, "h": 3600}
    shown = [float(number) * units[unit] for number, unit in (cell.split() for cell in row[1].split(" | "))]
    assert len(shown) == len(waits)
    assert all(abs(one - other) <= other * 0.02 for one, other in zip(waits, shown, strict=True))


def test_the_other_side_may_ask_for_patience(scene: Scene, receiver: Receiver) -> None:
    hook = hooked(scene, receiver)
    said(scene, "One")
    receiver.answers, receiver.headers = [429], {"Retry-After": "600"}
    sent_all(hook)
    assert the_only(hook).next_attempt - timezone.now() > timedelta(seconds=500)


def paused(scene: Scene, receiver: Receiver, hook: Webhook) -> None:
    said(scene, "One", "Two")
    receiver.answers = [500] * MOST_FAILURES
    for _number in range(MOST_FAILURES):
        due_now(hook)
        sent_all(hook)
    hook.refresh_from_db()


def test_after_ten_failures_it_is_paused_and_the_game_master_hears_of_it(scene: Scene, receiver: Receiver) -> None:
    hook = hooked(scene, receiver)
    paused(scene, receiver, hook)
    assert hook.paused_at is not None
    assert hook.reason == "It failed 10 times in a row. It answered 500."
    notice = Notice.objects.get(kind="webhook_paused")
    assert (notice.person, notice.address) == (scene.gm, hook.get_absolute_url())
    assert list(hook.deliveries.order_by("pk").values_list("status", flat=True)) == [Status.FAILED, Status.WAITING]
    said(scene, "Three")
    due_now(hook)
    assert list(with_something_due()) == []
    assert not send_delivery(webhook=hook.pk)
    assert len(receiver.taken) == MOST_FAILURES


@pytest.mark.parametrize(("leave_out", "titles"), [(False, ["Two", "Three"]), (True, [])])
def test_a_paused_webhook_goes_on_with_what_happened_meanwhile_or_without(
    scene: Scene, receiver: Receiver, leave_out: bool, titles: list[str]
) -> None:
    hook = hooked(scene, receiver)
    paused(scene, receiver, hook)
    said(scene, "Three")
    receiver.taken.clear()
    resume_webhook(actor=scene.gm, webhook=hook, leave_out=leave_out)
    sent_all(hook)
    assert [json.loads(body)["data"]["title"] for body in receiver.bodies] == titles
    assert Notice.objects.get(kind="webhook_paused").read is not None
    said(scene, "Four")
    sent_all(hook)
    assert json.loads(receiver.bodies[-1])["data"]["title"] == "Four"


def test_a_message_is_sent_again_when_somebody_asks_for_it(scene: Scene, receiver: Receiver) -> None:
    hook = hooked(scene, receiver)
    said(scene, "One")
    sent_all(hook)
    redeliver(actor=scene.gm, delivery=the_only(hook))
    sent_all(hook)
    assert receiver.bodies[0] == receiver.bodies[1]
    assert receiver.taken[0].headers["Aftermath-Delivery"] == receiver.taken[1].headers["Aftermath-Delivery"]
    assert (the_only(hook).status, the_only(hook).attempts) == (Status.SENT, 2)


def test_what_was_asked_for_is_tried_once_and_counts_for_no_pause(scene: Scene, receiver: Receiver) -> None:
    hook = hooked(scene, receiver)
    receiver.answers = [500]
    ping_webhook(actor=scene.gm, webhook=hook)
    with pytest.raises(RuleViolation, match="on its way"):
        ping_webhook(actor=scene.gm, webhook=hook)
    sent_all(hook)
    hook.refresh_from_db()
    assert (the_only(hook).status, hook.failures) == (Status.FAILED, 0)
    assert json.loads(receiver.bodies[0])["kind"] == "ping"


def test_a_test_is_sent_also_while_it_is_paused(scene: Scene, receiver: Receiver) -> None:
    hook = hooked(scene, receiver)
    paused(scene, receiver, hook)
    ping_webhook(actor=scene.gm, webhook=hook)
    assert list(with_something_due()) == [hook.pk]
    sent_all(hook)
    assert hook.deliveries.get(kind="ping").status == Status.SENT
    waits = hook.deliveries.get(status=Status.WAITING)
    with pytest.raises(RuleViolation, match="Resume it first"):
        redeliver(actor=scene.gm, delivery=waits)


def test_whoever_dies_while_sending_has_it_sent_once_more_with_the_same_number(
    scene: Scene, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = hooked(scene, receiver)
    said(scene, "One")

    class Killed(BaseException):
        """As a process that is no more: nothing after it runs."""

    def dies(*_args: object) -> None:
        raise Killed

    with monkeypatch.context() as dying:
        dying.setattr(sending, "_record", dies)
        with pytest.raises(Killed):
            send_delivery(webhook=hook.pk)
    assert not send_delivery(webhook=hook.pk), "it is still held"
    assert list(with_something_due()) == []
    Webhook.objects.update(busy_until=timezone.now() - timedelta(seconds=1))
    assert list(with_something_due()) == [hook.pk]
    sent_all(hook)
    assert len(receiver.taken) == 2
    assert receiver.bodies[0] == receiver.bodies[1]
    assert {one.headers["Aftermath-Delivery"] for one in receiver.taken} == {str(the_only(hook).pk)}
    assert (the_only(hook).status, the_only(hook).attempts) == (Status.SENT, 2)


@pytest.mark.django_db(transaction=True)
def test_two_workers_send_a_message_once(scene: Scene, receiver: Receiver) -> None:
    hook = hooked(scene, receiver)
    said(scene, "One", "Two", "Three")
    at_once(*[lambda: send_webhook(hook.pk)] * 3)
    sent_all(hook)
    assert [json.loads(body)["data"]["title"] for body in receiver.bodies] == ["One", "Two", "Three"]


@pytest.mark.django_db(transaction=True)
def test_a_worker_is_told_when_the_transaction_is_committed(
    scene: Scene, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Any] = []
    monkeypatch.setattr("campaigns.webhooks.current_app.send_task", lambda *args: told.append(args))
    said(scene, "Nobody hears this")
    hook = hooked(scene, receiver)
    said(scene, "One")
    assert told == [("campaigns.tasks.send_webhooks", [scene.campaign.pk])]
    remove_webhook(actor=scene.gm, webhook=hook)
    scene.campaign.refresh_from_db()
    said(scene, "Two")
    assert len(told) == 1


def test_beat_sends_what_lost_its_message(scene: Scene, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    hook = hooked(scene, receiver)
    said(scene, "One")
    monkeypatch.setattr(send_webhook, "delay", send_webhook)
    tend_webhooks()
    assert the_only(hook).status == Status.SENT


def test_old_deliveries_are_forgotten_but_not_what_waits(scene: Scene, receiver: Receiver) -> None:
    hook = hooked(scene, receiver)
    said(scene, "One")
    sent_all(hook)
    said(scene, "Two")
    Delivery.objects.update(made=timezone.now() - timedelta(days=31))
    forget_deliveries()
    assert the_only(hook).status == Status.WAITING


# Where to, and where not ------------------------------------------------------------------------------


def test_redirects_are_not_followed(scene: Scene, receiver: Receiver) -> None:
    hook = hooked(scene, receiver)
    said(scene, "One")
    receiver.answers, receiver.headers = [302], {"Location": receiver.address + "&further"}
    sent_all(hook)
    assert len(receiver.taken) == 1
    assert the_only(hook).error == "It answered 302. Redirects are not followed."


def drips(handler: BaseHTTPRequestHandler) -> bool:
    """A byte now and then: no single wait is long."""
    for letter in b"HTTP/1.1 200 OK\r\n" + b"X-Filler: 1\r\n" * 100:
        try:
            handler.wfile.write(bytes([letter]))
            handler.wfile.flush()
        except OSError:
            break
        time.sleep(0.1)
    return True


def test_a_slow_answer_is_cut_off(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "WHOLE_SECONDS", 0.5)
    receiver.before = drips
    answer = post(receiver.address, b"{}", {})
    assert (answer.status, answer.error) == (None, "There was no answer in time.")


def test_a_large_answer_is_not_read_to_its_end(receiver: Receiver) -> None:
    hung_up = Signal()

    def floods(handler: BaseHTTPRequestHandler) -> bool:
        handler.send_response(200)
        handler.send_header("Content-Length", str(10**12))
        handler.end_headers()
        try:
            for _block in range(3000):
                handler.wfile.write(b"x" * 65536)
        except OSError:
            hung_up.set()
        return True

    receiver.before = floods
    assert post(receiver.address, b"{}", {}).is_good
    assert hung_up.wait(30)


def test_a_host_that_is_not_there_is_a_failure_in_words(settings: LazySettings) -> None:
    settings.WEBHOOKS_ALLOW_PRIVATE = True
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        answer = post(f"http://127.0.0.1:{port}/", b"{}", {})
    assert answer.error == "The connection failed: ConnectionRefusedError."


PRIVATE = [
    "127.0.0.1", "localhost", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0.0.0.0", "10.1.2.3", "172.16.0.1",
    "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.100.100.200", "224.0.0.1", "240.0.0.1", "255.255.255.255",
    "168.63.129.16", "192.0.2.1", "[::1]", "[::]", "[fe80::1]", "[fd00:ec2::254]", "[ff02::1]", "[::ffff:127.0.0.1]",
    "[::ffff:10.0.0.1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[2001:db8::1]",
]  # fmt: skip


@pytest.mark.parametrize("host", PRIVATE)
def test_a_private_address_is_refused_however_it_is_written(scene: Scene, host: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        add_webhook(actor=scene.gm, campaign=scene.campaign, address=f"http://{host}/", kind_of_format="json")
    assert refused.value.code in ("webhook_private", "webhook_host")
    assert not Webhook.objects.exists()


def answering(monkeypatch: pytest.MonkeyPatch, *numbers: str) -> list[str]:
    """Names mean these addresses; gives the addresses that somebody connected to."""
    reached: list[str] = []
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (number, 443)) for number in numbers]

    def connect(address: tuple[str, int], *_args: object) -> socket.socket:
        reached.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_kwargs: found)
    monkeypatch.setattr(socket, "create_connection", connect)
    return reached


@pytest.mark.parametrize("numbers", [["10.0.0.7"], ["93.184.215.14", "10.0.0.7"]])
def test_a_name_that_leads_inside_is_refused(scene: Scene, monkeypatch: pytest.MonkeyPatch, numbers: list[str]) -> None:
    reached = answering(monkeypatch, *numbers)
    with pytest.raises(RuleViolation, match="not on the open internet"):
        add_webhook(actor=scene.gm, campaign=scene.campaign, address="https://innocent.example/", kind_of_format="json")
    assert post("https://innocent.example/", b"{}", {}).error.startswith("innocent.example is not on the open")
    assert reached == []


def test_a_name_server_that_does_not_answer_holds_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    done = Signal()
    monkeypatch.setattr(posting, "LOOKUP_SECONDS", 0.05)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_kwargs: done.wait(20))
    try:
        with pytest.raises(RuleViolation, match="in time"):
            posting.looked_up(target_of("https://hooks.example.org/"))
    finally:
        done.set()


def test_the_connection_goes_to_the_address_that_was_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    reached = answering(monkeypatch, "93.184.215.14")
    post("https://innocent.example/", b"{}", {})
    assert reached == ["93.184.215.14"]


def test_a_name_that_turns_private_later_is_not_reached(
    scene: Scene, receiver: Receiver, settings: LazySettings
) -> None:
    hook = hooked(scene, receiver)
    said(scene, "One")
    settings.WEBHOOKS_ALLOW_PRIVATE = False
    sent_all(hook)
    assert receiver.taken == []
    assert "not on the open internet" in the_only(hook).error


def test_addresses_of_the_open_internet_are_public() -> None:
    assert all(is_public(number) for number in ("93.184.215.14", "1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1"))


@pytest.mark.parametrize(
    "address",
    [
        "", "ftp://example.org/", "example.org", "https://", "file:///etc/passwd", "https://me:secret@example.org/",
        "https://example.org/#part", "https://example.org:25/", "https://example.org:99999/", "https://exa mple.org/",
        "https://example.org/\r\nHost: x", "https://exämple.org/", "https://example.org/" + "x" * 500, "http://[::1/",
    ],
)  # fmt: skip
def test_what_is_no_address_for_it_is_refused(address: str) -> None:
    with pytest.raises(RuleViolation):
        target_of(address)


# Who, and how many ------------------------------------------------------------------------------------


def test_only_those_who_run_the_campaign_may(scene: Scene, receiver: Receiver) -> None:
    hook = hooked(scene, receiver)
    said(scene, "One")
    ilse: Any = {"actor": scene.people["Ilse"]}
    acts: list[Any] = [
        lambda: add_webhook(**ilse, campaign=scene.campaign, address=receiver.address + "&b", kind_of_format="json"),
        lambda: change_webhook(**ilse, webhook=hook, address=receiver.address, kind_of_format="json"),
        lambda: remove_webhook(**ilse, webhook=hook),
        lambda: ping_webhook(**ilse, webhook=hook),
        lambda: resume_webhook(**ilse, webhook=hook),
        lambda: redeliver(**ilse, delivery=the_only(hook)),
    ]
    for act in acts:
        with pytest.raises(RuleViolation) as refused:
            act()
        assert refused.value.code == "not_game_master"


def test_an_address_has_one_webhook_and_a_campaign_has_ten(scene: Scene, receiver: Receiver) -> None:
    hooked(scene, receiver)
    with pytest.raises(RuleViolation, match="already"):
        hooked(scene, receiver)
    for number in range(MOST_WEBHOOKS - 1):
        hooked(scene, receiver, address=f"{receiver.address}&{number}")
    with pytest.raises(RuleViolation, match="at most 10"):
        hooked(scene, receiver, address=receiver.address + "&more")


def test_an_unknown_kind_or_format_is_refused(scene: Scene, receiver: Receiver) -> None:
    with pytest.raises(RuleViolation, match="no kind of event called moonrise"):
        hooked(scene, receiver, kinds=["moonrise"])
    with pytest.raises(RuleViolation, match="JSON or Discord"):
        hooked(scene, receiver, kind_of_format="smoke")


def test_a_campaign_that_has_ended_gets_no_new_one_and_sends_what_is_left(scene: Scene, receiver: Receiver) -> None:
    hook = hooked(scene, receiver, kinds=["campaign_ended"])
    end_campaign(actor=scene.gm, campaign=scene.campaign)
    sent_all(hook)
    redeliver(actor=scene.gm, delivery=the_only(hook))
    with pytest.raises(RuleViolation, match="has ended"):
        hooked(scene, receiver, address=receiver.address + "&late")
    with pytest.raises(RuleViolation, match="has ended"):
        change_webhook(actor=scene.gm, webhook=hook, address=receiver.address, kind_of_format="discord")
    remove_webhook(actor=scene.gm, webhook=hook)
    assert not Webhook.objects.exists()


def test_a_new_secret_signs_from_now_on(scene: Scene, receiver: Receiver) -> None:
    hook = hooked(scene, receiver)
    _row, secret = change_webhook(
        actor=scene.gm, webhook=hook, address=hook.address, kind_of_format="json", kinds=hook.kinds, new_key=True
    )
    assert secret not in ("", hook.secret)
    said(scene, "One")
    sent_all(hook)
    assert documented()(secret, receiver.taken[0].headers["Aftermath-Signature"], receiver.bodies[0])
