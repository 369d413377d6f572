"""How a batch gets on: its chunks on the queue, its counts, and who is needed.

Chunks are small, and each puts the next one at the end of the queue: so batches take turns, and one of ten battles does
not wait for one of ten thousand.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from celery import current_app
from django.conf import settings
from django.db.models import Count, Min, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import Batch, BatchItem

CHUNK = 20
LATELY = timedelta(minutes=1)
AT_ONCE = 4
"""How many chunks of one batch are on the queue together: as many workers can share it."""
State = BatchItem.State


def send_chunks(batch: Batch) -> None:
    """Results of a file are made one after the other, so one chunk is enough."""
    count = 1 if batch.is_import else AT_ONCE
    left = batch.items.filter(state=State.WAITING).count()
    for _number in range(min(count, -(-left // CHUNK)) or 1):
        send_chunk(batch.pk, batch.wave)


def send_chunk(batch: int, wave: int) -> None:
    current_app.send_task("campaigns.tasks.run_chunk", [batch, wave])


def send_anew(batch: Batch) -> None:
    """Its messages may be lost, or only wait behind many others: then they must not become more and more.

    A later wave has a higher number, and takes the place of those before it when the first of it comes to its turn.
    """
    batch.wave = int((timezone.now() - batch.made).total_seconds())
    send_chunks(batch)


def has_turn(batch: int, wave: int) -> bool:
    """Whether a message still counts, because none of a later wave was there yet; then the batch has moved."""
    return bool(Batch.objects.filter(pk=batch, wave__lte=wave).update(wave=wave, moved=timezone.now()))


def lost_batches() -> Iterator[Batch]:
    """Running, and silent for so long that their messages must be lost."""
    quiet = timezone.now() - timedelta(seconds=settings.BATCH_QUIET_SECONDS)
    yield from Batch.objects.filter(state=Batch.State.RUNNING, moved__lt=quiet)


@dataclass(frozen=True)
class Progress:
    """Where a batch is."""

    total: int
    waiting: int
    done: int
    needs: int
    failed: int
    cancelled: int
    lately: int
    """Battles of the last minute, and the seconds since the first of them: a batch may have waited or stood still."""
    seconds: float

    @property
    def ended(self) -> int:
        return self.total - self.waiting

    @property
    def percent(self) -> int:
        return 100 * self.ended // self.total if self.total else 100

    @property
    def rate(self) -> float:
        """Battles a second, as it goes now."""
        return self.lately / self.seconds if self.seconds > 0 else 0

    @property
    def seconds_left(self) -> int | None:
        return round(self.waiting / self.rate) if self.rate else None

    @property
    def time_left(self) -> str:
        """`40 s`, `12 min`, `3 h 20 min`."""
        seconds = self.seconds_left or 0
        hours, minutes = divmod(round(seconds / 60), 60)
        if hours:
            return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": minutes}
        return _("%(minutes)s min") % {"minutes": minutes} if minutes > 1 else _("%(seconds)s s") % {"seconds": seconds}


def progress_of(batch: Batch) -> Progress:
    """One query."""
    until = batch.finished or timezone.now()
    lately = Q(ended__gt=until - LATELY)
    by_state = batch.items.order_by().values_list("state").annotate(
        count=Count("pk"), lately=Count("pk", filter=lately), since=Min("ended", filter=lately)
    )  # fmt: skip
    found = list(by_state)
    counts = {state: count for state, count, _lately, _since in found}
    first = min((since for *_counts, since in found if since), default=until)
    return Progress(
        total=sum(counts.values()),
        waiting=counts.get(State.WAITING, 0),
        done=counts.get(State.DONE, 0),
        needs=counts.get(State.NEEDS, 0),
        failed=counts.get(State.FAILED, 0),
        cancelled=counts.get(State.CANCELLED, 0),
        lately=sum(lately for _state, _count, lately, _since in found),
        seconds=(until - first).total_seconds(),
    )
