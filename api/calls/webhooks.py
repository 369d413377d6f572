"""Webhooks of a campaign: what is told elsewhere, and whether it arrives."""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType, field

from api.call import GM, Ask, Tagged, call
from api.paging import Listed, Page, listed, page
from api.shapes import In, Out, Time
from campaigns.access import delivery_for, place_to_run, webhook_for
from campaigns.models import Delivery as DeliveryRow
from campaigns.models import Webhook as WebhookRow
from campaigns.posting import LONGEST
from campaigns.services.add_webhook import add_webhook as add_the_webhook
from campaigns.services.change_webhook import change_webhook as change_the_webhook
from campaigns.services.ping_webhook import ping_webhook as ping_the_webhook
from campaigns.services.redeliver import redeliver
from campaigns.services.remove_webhook import remove_webhook as remove_the_webhook
from campaigns.services.resume_webhook import resume_webhook as resume_the_webhook
from campaigns.webhooks import all_kinds

Address = Annotated[str, Meta(min_length=1, max_length=LONGEST, description="It begins with https:// or http://.")]
WebhookFormat = Literal["json", "discord"]
EventKindName = Annotated[str, Meta(min_length=1, max_length=40)]
EventKinds = Annotated[
    list[EventKindName], Meta(max_length=200, description="Empty: everything, also what comes later.")
]
DeliveryStatus = Literal["waiting", "sent", "failed", "skipped"]

EXAMPLE = {"address": "https://hooks.example.org/aftermath", "format": "json", "kinds": ["report_confirmed"]}


class EventKind(Out):
    """Something that a webhook can hear of; `sentence` has the names of what is put in."""

    name: str
    group: str
    sentence: str


class Webhook(Out):
    """An address that is told what happens in a campaign. `kinds` is empty for everything."""

    id: int
    address: str
    format: WebhookFormat
    kinds: list[str]
    made: Time
    failures: int
    """Attempts in a row that failed."""
    paused: Time | None
    reason: str
    """Why it is paused."""


class WebhookMade(Out):
    """`secret` signs what is sent. It is shown this once; nothing if it stays as it was."""

    webhook: Webhook
    secret: str | None


class Delivery(Out):
    """One message. `answer` is the status that was answered last."""

    id: int
    kind: str
    status: DeliveryStatus
    attempts: int
    answer: int | None
    error: str
    made: Time
    tried: Time | None
    next_attempt: Time | None


class WebhookNew(In):
    address: Address
    format: WebhookFormat = "json"
    kinds: EventKinds = field(default_factory=list)


class WebhookChange(In):
    """What is left out stays."""

    address: Address | UnsetType = UNSET
    format: WebhookFormat | UnsetType = UNSET
    kinds: EventKinds | UnsetType = UNSET
    new_secret: bool = False


class WebhookResumption(In):
    """Whether what happened meanwhile is left out."""

    leave_out: bool = False


class Deliveries(Listed):
    status: Literal["", "waiting", "sent", "failed", "skipped"] = ""


def tagged(ask: Ask, campaign: int, webhook: int) -> Tagged:
    """A webhook, for those who run its campaign."""
    found = webhook_for(place_to_run(ask.person, campaign), webhook)
    return Tagged(found, found.version, f"webhook-{found.pk}")


def shown(webhook: WebhookRow) -> Webhook:
    return Webhook(
        id=webhook.pk,
        address=webhook.address,
        format=webhook.format,  # type: ignore[arg-type]
        kinds=webhook.kinds,
        made=webhook.made,
        failures=webhook.failures,
        paused=webhook.paused_at,
        reason=webhook.reason,
    )


def delivery_shown(delivery: DeliveryRow) -> Delivery:
    waits = delivery.status == DeliveryRow.Status.WAITING
    return Delivery(
        id=delivery.pk,
        kind=delivery.kind,
        status=delivery.status,  # type: ignore[arg-type]
        attempts=delivery.attempts,
        answer=delivery.answer,
        error=delivery.error,
        made=delivery.made,
        tried=delivery.tried,
        next_attempt=delivery.next_attempt if waits else None,
    )


@call("get", "webhook-kinds", open=True)
def list_event_kinds(ask: Ask, query: Listed) -> Page[EventKind]:
    """The kinds of events that a webhook can hear of."""
    return listed([EventKind(name=kind.name, group=kind.group, sentence=kind.sentence) for kind in all_kinds()], query)


@call("get", "campaigns/{campaign}/webhooks", scope=GM, serves=("webhooks",))
def list_webhooks(ask: Ask, campaign: int, query: Listed) -> Page[Webhook]:
    """The webhooks of a campaign that you run."""
    place = place_to_run(ask.person, campaign)
    return page(place.campaign.webhooks.all(), query, shown)


@call("post", "campaigns/{campaign}/webhooks", scope=GM, status=201, serves=("webhook_new",), example=EXAMPLE)
def add_webhook(ask: Ask, campaign: int, body: WebhookNew) -> WebhookMade:
    """Have an address told what happens in a campaign.

    The answer has the secret that signs what is sent; it is not shown again. Addresses on private networks are refused.
    """
    place = place_to_run(ask.person, campaign)
    made, secret = add_the_webhook(
        actor=ask.person, campaign=place.campaign, address=body.address, kind_of_format=body.format, kinds=body.kinds
    )
    ask.headers["Location"] = f"/api/v1/campaigns/{campaign}/webhooks/{made.pk}"
    return WebhookMade(webhook=shown(made), secret=secret)


@call("get", "campaigns/{campaign}/webhooks/{webhook}", scope=GM, tag=tagged, serves=("webhook",))
def read_webhook(ask: Ask, campaign: int, webhook: int) -> Webhook:
    """A webhook, without its secret."""
    return shown(ask.thing)


@call(
    "patch",
    "campaigns/{campaign}/webhooks/{webhook}",
    scope=GM,
    tag=tagged,
    serves=("webhook_edit",),
    example={"kinds": ["battle_began", "report_confirmed"], "new_secret": True},
)
def change_webhook(ask: Ask, campaign: int, webhook: int, body: WebhookChange) -> WebhookMade:
    """Change where a webhook goes and what it hears of, or have a new secret made."""
    row: WebhookRow = ask.thing
    kinds: Sequence[str] = row.kinds if isinstance(body.kinds, UnsetType) else body.kinds
    changed, secret = change_the_webhook(
        actor=ask.person,
        webhook=row,
        address=row.address if isinstance(body.address, UnsetType) else body.address,
        kind_of_format=row.format if isinstance(body.format, UnsetType) else body.format,
        kinds=kinds,
        new_key=body.new_secret,
        expected_version=ask.expected_version,
    )
    return WebhookMade(webhook=shown(changed), secret=secret or None)


@call("delete", "campaigns/{campaign}/webhooks/{webhook}", scope=GM, tag=tagged, serves=("webhook_remove",))
def remove_webhook(ask: Ask, campaign: int, webhook: int) -> None:
    """Remove a webhook and its log."""
    remove_the_webhook(actor=ask.person, webhook=ask.thing, expected_version=ask.expected_version)


@call("post", "campaigns/{campaign}/webhooks/{webhook}/pings", scope=GM, status=201, serves=("webhook_ping",))
def ping_webhook(ask: Ask, campaign: int, webhook: int) -> Delivery:
    """Send a message that tells of nothing, to see whether it arrives."""
    found = webhook_for(place_to_run(ask.person, campaign), webhook)
    return delivery_shown(ping_the_webhook(actor=ask.person, webhook=found))


@call(
    "post",
    "campaigns/{campaign}/webhooks/{webhook}/resumption",
    scope=GM,
    tag=tagged,
    serves=("webhook_resume",),
    example={"leave_out": False},
)
def resume_webhook(ask: Ask, campaign: int, webhook: int, body: WebhookResumption) -> Webhook:
    """Let a paused webhook go on, with what happened meanwhile or without it."""
    row = resume_the_webhook(
        actor=ask.person, webhook=ask.thing, leave_out=body.leave_out, expected_version=ask.expected_version
    )
    return shown(row)


@call("get", "campaigns/{campaign}/webhooks/{webhook}/deliveries", scope=GM)
def list_deliveries(ask: Ask, campaign: int, webhook: int, query: Deliveries) -> Page[Delivery]:
    """What was sent to a webhook, and what waits, the newest first. The log goes back 30 days."""
    found = webhook_for(place_to_run(ask.person, campaign), webhook)
    rows = found.deliveries.filter(status=query.status) if query.status else found.deliveries.all()
    return page(rows, query, delivery_shown, ("-pk",))


@call(
    "post",
    "campaigns/{campaign}/webhooks/{webhook}/deliveries/{delivery}/redelivery",
    scope=GM,
    serves=("webhook_redeliver",),
)
def redeliver_message(ask: Ask, campaign: int, webhook: int, delivery: int) -> Delivery:
    """Send a message once more: the same words with the same number."""
    found = delivery_for(webhook_for(place_to_run(ask.person, campaign), webhook), delivery)
    return delivery_shown(redeliver(actor=ask.person, delivery=found))
