"""What a batch has not begun stays undone; what it has resolved stays resolved."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Batch, BatchItem
from campaigns.telling import tell
from rules.engine.errors import RuleViolation


@transaction.atomic
def cancel_batch(*, actor: User | None, batch: Batch) -> Batch:
    row = Batch.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=batch.pk)
    if row.state != Batch.State.RUNNING:
        raise RuleViolation("batch_over", _("This batch is over already."))
    waiting = row.items.select_for_update(skip_locked=True).filter(state=BatchItem.State.WAITING)
    left = row.items.filter(pk__in=list(waiting.values_list("pk", flat=True))).update(
        state=BatchItem.State.CANCELLED, ended=timezone.now()
    )
    row.state, row.finished = Batch.State.CANCELLED, timezone.now()
    row.save(update_fields=["state", "finished"])
    if not row.is_preview:
        tell(campaign=row.campaign, kind="batch_cancelled", actor=actor, left=left)
    return row
