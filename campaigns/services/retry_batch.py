"""What is not done is tried again, in the same batch."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.batches import send_chunks
from campaigns.models import Batch, BatchItem
from rules.engine.errors import RuleViolation

AGAIN = (BatchItem.State.FAILED, BatchItem.State.NEEDS, BatchItem.State.CANCELLED, BatchItem.State.WAITING)
"""A stopped batch may have something that waits: a worker had it in hand, and died."""


@transaction.atomic
def retry_batch(*, actor: User | None, batch: Batch) -> Batch:
    row = Batch.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=batch.pk)
    if row.state == Batch.State.RUNNING:
        raise RuleViolation("batch_running", _("This batch is still running."))
    if not row.items.filter(state__in=AGAIN).update(state=BatchItem.State.WAITING, reason="", needs=[], ended=None):
        raise RuleViolation("nothing_to_retry", _("Everything in this batch is done."))
    row.state, row.finished, row.moved = Batch.State.RUNNING, None, timezone.now()
    row.save(update_fields=["state", "finished", "moved"])
    transaction.on_commit(lambda: send_chunks(row))
    return row
