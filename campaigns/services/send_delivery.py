"""The next delivery of a webhook is sent: one at a time, in order, so that it is read elsewhere as it happened.

Whoever sends holds the webhook by a time in its row and no lock, because the other side may be slow. Who dies while
sending leaves the delivery as it was: it is sent once more, with the same number and the same words.
"""

import time
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import Delivery, Webhook
from campaigns.posting import Answer, post
from campaigns.telling import notify, runners
from campaigns.webhook_bodies import body_of, headers_of

HELD = timedelta(seconds=60)
MOST_FAILURES = 10
FIRST_WAIT, GROWTH, LONGEST_WAIT = 10, 3, 12 * 3600
Status = Delivery.Status


def send_delivery(*, webhook: int) -> bool:
    """Whether one was dealt with, and so there may be more to send now."""
    hook = _claim(webhook)
    if hook is None:
        return False
    delivery = _next(hook)
    if delivery is None:
        _release(hook)
        return False
    if not _prepare(delivery):
        _record(delivery, Answer(error=_("It was taken back before it was sent.")), Status.SKIPPED)
        return True
    answer = post(hook.address, delivery.body.encode(), headers_of(delivery, int(time.time())))
    return _record(delivery, answer, Status.SENT if answer.is_good else Status.FAILED)


def wait_after(failures: int) -> int:
    """Seconds until the next attempt: 10, 30, 90 and so on, up to half a day."""
    return int(min(FIRST_WAIT * GROWTH ** (failures - 1), LONGEST_WAIT))


def _claim(pk: int) -> Webhook | None:
    now = timezone.now()
    free = Webhook.objects.filter(Q(busy_until=None) | Q(busy_until__lt=now), pk=pk)
    if not free.update(busy_until=now + HELD):
        return None
    return Webhook.objects.select_related("campaign").filter(pk=pk).first()


def _release(hook: Webhook) -> None:
    Webhook.objects.filter(pk=hook.pk).update(busy_until=None)


def _next(hook: Webhook) -> Delivery | None:
    """What was asked for goes first. Otherwise the oldest one, and nothing passes it while it waits for another try."""
    waiting = hook.deliveries.filter(status=Status.WAITING).order_by("pk")
    found = waiting.filter(by_hand=True).first()
    if found is None and hook.paused_at is None:
        oldest = waiting.first()
        found = oldest if oldest is not None and oldest.next_attempt <= timezone.now() else None
    if found is not None:
        found.webhook = hook
    return found


def _prepare(delivery: Delivery) -> bool:
    """Its words are kept before they are sent: each attempt says the same."""
    if not delivery.body:
        made = body_of(delivery)
        if made is None:
            return False
        delivery.body = made
    delivery.attempts += 1
    delivery.save(update_fields=["body", "attempts"])
    return True


@transaction.atomic
def _record(delivery: Delivery, answer: Answer, status: str) -> bool:
    """Nothing if somebody removed the webhook meanwhile."""
    webhooks = Webhook.objects.select_for_update(of=("self",), no_key=True).select_related("campaign")
    hook = webhooks.filter(pk=delivery.webhook_id).first()
    if hook is None:
        return False
    delivery.status, delivery.answer, delivery.error = status, answer.status, answer.error[:200]
    delivery.tried = timezone.now()
    if status == Status.FAILED and not delivery.by_hand:
        _failed(hook, delivery, answer)
    elif status == Status.SENT:
        hook.failures = 0
    delivery.by_hand = False
    delivery.save(update_fields=["status", "by_hand", "answer", "error", "tried", "next_attempt"])
    hook.busy_until = None
    hook.save(update_fields=["failures", "busy_until", "paused_at", "reason", "changed"])
    return delivery.status != Status.WAITING


def _failed(hook: Webhook, delivery: Delivery, answer: Answer) -> None:
    hook.failures += 1
    if hook.failures < MOST_FAILURES:
        delivery.status = Status.WAITING
        seconds = max(wait_after(hook.failures), answer.wait)
        delivery.next_attempt = timezone.now() + timedelta(seconds=seconds)
    elif hook.paused_at is None:
        _pause(hook, answer)


def _pause(hook: Webhook, answer: Answer) -> None:
    facts = {"count": hook.failures, "why": answer.error}
    hook.paused_at = hook.changed = timezone.now()
    hook.reason = (_("It failed %(count)s times in a row. %(why)s") % facts)[:200]
    notify(
        runners(hook.campaign), kind="webhook_paused", campaign=hook.campaign, address=hook.get_absolute_url(),
        matter=f"webhook-{hook.pk}", host=hook.host, reason=hook.reason,
    )  # fmt: skip
