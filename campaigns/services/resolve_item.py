"""One battle of a batch, once: the item is locked, done and marked in one transaction."""

from django.db import DatabaseError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from structlog import get_logger

from accounts.models import User
from campaigns.models import Batch, BatchItem, Membership
from campaigns.results_given import from_plain
from campaigns.services.import_result import import_result
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
    """Others that are at the same batch take the next; a cancelled batch has none left.

    Results of a file are made in its order, because a warband may be in several: whoever comes second waits.
    """
    whole = Batch.objects.select_related("made_by").get(pk=batch)
    if whole.state != Batch.State.RUNNING:
        return None
    rows = BatchItem.objects.select_for_update(skip_locked=not whole.is_import)
    item = rows.filter(batch=batch, state=State.WAITING).order_by("pk").first()
    if item is not None:
        item.batch = whole
    return item


def _resolved(item: BatchItem) -> Resolved:
    """A result that has its battle already is not made again."""
    batch = item.batch
    if item.battle_id is None:
        given = from_plain(item.given)
        item.battle = import_result(actor=_importer(batch), campaign=batch.campaign, given=given)
        if not batch.resolves:
            return Resolved([], [])
    resolve = preview_battle if batch.is_preview else resolve_battle
    assert item.battle_id is not None
    return resolve(battle=item.battle_id, actor=batch.made_by)


def _importer(batch: Batch) -> User:
    """Whoever brought the file; if they have left the site since, the game master."""
    return batch.made_by or User.objects.get(memberships__campaign=batch.campaign, memberships__role=Membership.Role.GM)


def _mark(item: BatchItem, resolved: Resolved) -> None:
    item.needs, item.report = plain(resolved)
    item.state = State.NEEDS if resolved.needs else State.DONE
    item.reason, item.ended = "", timezone.now()
    item.save(update_fields=["battle", "state", "needs", "report", "reason", "ended"])


def _fail(item: BatchItem, reason: str) -> None:
    item.state, item.reason, item.ended = State.FAILED, reason[:500], timezone.now()
    item.save(update_fields=["state", "reason", "ended"])
