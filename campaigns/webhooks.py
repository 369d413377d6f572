"""What can be sent to addresses elsewhere, and when.

A trigger of the database writes a delivery for each webhook that wants to hear of an event, in the transaction of the
event: none is lost, none is there twice, and a campaign without webhooks pays nothing. Redis only carries messages that
there is something to send; beat looks for what is left.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from celery import current_app
from django.db import transaction
from django.db.models import OuterRef, Q, Subquery
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from campaigns.chronicle import GROUPS as CHRONICLE
from campaigns.chronicle import SENTENCES, group_of, kinds_in
from campaigns.models import Campaign, Delivery, Webhook

PING, STEP_CLOSED = "ping", "step_closed"
STEPS = "steps"

OWN: dict[str, str | Promise] = {
    STEP_CLOSED: _("%(warband)s finished a step after battle %(number)s: %(step)s."),
    PING: _("This is a test for %(campaign)s."),
}
"""What the chronicle does not tell."""


@dataclass(frozen=True)
class Kind:
    """Something to hear of."""

    name: str
    group: str
    sentence: str
    """With the names of what is put in."""


def all_kinds() -> list[Kind]:
    """But for a ping, which comes when somebody asks for it."""
    told = [Kind(name, group_of(name), str(pattern)) for name, pattern in SENTENCES.items()]
    return [*told, Kind(STEP_CLOSED, STEPS, str(OWN[STEP_CLOSED]))]


def groups() -> dict[str, str | Promise]:
    """As the chronicle has them, and one more."""
    return {name: label for name, (label, _starts) in CHRONICLE.items()} | {
        STEPS: _("Each closed step of a post-game, with all its changes")
    }


def kinds_of(chosen: Iterable[str]) -> list[str]:
    """Groups as the kinds in them."""
    return [kind for group in chosen for kind in ([STEP_CLOSED] if group == STEPS else kinds_in(group))]


def groups_of(kinds: Sequence[str]) -> tuple[list[str], list[str]]:
    """The groups that are there whole, and the kinds that are left."""
    whole = [group for group in groups() if set(kinds_of([group])) <= set(kinds)]
    left = set(kinds) - set(kinds_of(whole))
    return whole, [kind for kind in kinds if kind in left]


def hurry(campaign: Campaign) -> None:
    """There may be something to send: a worker looks at once, when the transaction is committed.

    Without the message it would be sent too, some seconds later, so a queue that is down stops nobody.
    """
    if campaign.has_webhooks:
        pk = campaign.pk
        transaction.on_commit(lambda: current_app.send_task("campaigns.tasks.send_webhooks", [pk]), robust=True)


def hurry_one(webhook: int) -> None:
    transaction.on_commit(lambda: current_app.send_task("campaigns.tasks.send_webhook", [webhook]), robust=True)


def with_something_due() -> Iterator[int]:
    """Webhooks whose next delivery may go now, and that nobody sends for."""
    now = timezone.now()
    waiting = Delivery.objects.filter(webhook=OuterRef("pk"), status=Delivery.Status.WAITING).order_by("pk")
    free = Webhook.objects.filter(Q(busy_until=None) | Q(busy_until__lt=now)).annotate(
        by_hand=Subquery(waiting.filter(by_hand=True).values("pk")[:1]),
        due=Subquery(waiting.values("next_attempt")[:1]),
    )
    found = free.filter(Q(by_hand__isnull=False) | Q(paused_at=None, due__lte=now))
    yield from found.values_list("pk", flat=True)
