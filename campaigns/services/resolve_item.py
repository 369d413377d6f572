"""One battle of a batch, once: the item is locked, resolved and marked in one transaction."""

from django.db import DatabaseError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from structlog import get_logger

from campaigns.models import Batch, BatchItem
from campaigns.services.resolve_battle import Resolved, plain, preview_battle, resolve_battle
from rules.engine.errors import InputError, RuleViolation

log = get_logger("aftermath.batches")
State = BatchItem.State


def resolve_next(*, batch: int) -> bool:
    """The first that nobody has in hand; whether there was one. What fails is marked as failed and left as it was."""
    with transaction.atomic():
        item = _claimed(batch)
        if item is None:
            return False
        try:
            with transaction.atomic():
                _mark(item, _resolved(item))
        except (RuleViolation, InputError) as refused:
            _fail(item, str(refused))
        except DatabaseError:
            raise
        except Exception as mistake:
            log.exception("a battle of a batch failed", batch=batch, battle=item.battle_id)
            _fail(item, _("A mistake of ours: %(kind)s. It is in the log.") % {"kind": type(mistake).__name__})
    return True


def _claimed(batch: int) -> BatchItem | None:
    """Others that are at the same batch take the next; a cancelled batch has none left."""
    waiting = BatchItem.objects.select_for_update(skip_locked=True, of=("self",)).select_related("batch__made_by")
    return waiting.filter(batch=batch, batch__state=Batch.State.RUNNING, state=State.WAITING).order_by("pk").first()


def _resolved(item: BatchItem) -> Resolved:
    resolve = preview_battle if item.batch.is_preview else resolve_battle
    return resolve(battle=item.battle_id, actor=item.batch.made_by)


def _mark(item: BatchItem, resolved: Resolved) -> None:
    item.needs, item.report = plain(resolved)
    item.state = State.NEEDS if resolved.needs else State.DONE
    item.reason, item.ended = "", timezone.now()
    item.save(update_fields=["state", "needs", "report", "reason", "ended"])


def _fail(item: BatchItem, reason: str) -> None:
    item.state, item.reason, item.ended = State.FAILED, reason[:500], timezone.now()
    item.save(update_fields=["state", "reason", "ended"])
