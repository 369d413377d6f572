"""Nothing is left of a batch: it is done, and those whom it needs are told."""

from django.db import transaction
from django.utils import timezone

from campaigns.batches import progress_of
from campaigns.models import Batch, BatchItem, Run
from campaigns.telling import notify_each, tell


@transaction.atomic
def end_batch(*, batch: int) -> bool:
    """Whether it ended now; of several workers who find it empty, one ends it."""
    row = Batch.objects.select_for_update(of=("self",)).select_related("campaign", "made_by").get(pk=batch)
    items = row.items
    if row.state != Batch.State.RUNNING or items.filter(state=BatchItem.State.WAITING).exists():
        return False
    row.state, row.finished = Batch.State.DONE, timezone.now()
    row.save(update_fields=["state", "finished"])
    if not row.is_preview:
        at = progress_of(row)
        kind = "import_done" if row.is_import else "batch_done"
        tell(campaign=row.campaign, kind=kind, actor=row.made_by, done=at.done, needs=at.needs, failed=at.failed)
        _call(row)
    return True


def _call(batch: Batch) -> None:
    """One notice a person, however many of their battles wait; it leads to the first."""
    each: dict[int, tuple[str, dict[str, int]]] = {}
    for item in batch.items.filter(state=BatchItem.State.NEEDS).select_related("battle").order_by("pk").iterator(500):
        for need in item.needs:
            run = Run(battle=item.battle, warband_id=need["warband"])
            address, data = each.get(need["person"], (run.get_absolute_url(), {"count": 0}))
            each[need["person"]] = (address, {"count": data["count"] + 1})
    notify_each(each, kind="batch_needs_you", campaign=batch.campaign, matter=f"batch:{batch.pk}")
