"""One battle of a batch, once: the item is locked, done and marked in one transaction."""

from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from structlog import get_logger

from accounts.models import User
from campaigns.models import Batch, BatchItem, Membership
from campaigns.results_given import from_plain
from campaigns.services.import_result import import_result
from campaigns.services.resolve_battle import Resolved, plain, preview_battle, resolve_battle
from rules.engine.errors import InputError, RuleViolation
from warbands.rewriting import rewrite
from warbands.statements import columns, loaded, send, width

log = get_logger("aftermath.batches")
State = BatchItem.State


CLAIM = f"""
SELECT {columns(BatchItem, "item")}, {columns(Batch, "batch")}, {columns(User, "person")}
FROM campaigns_batchitem item JOIN campaigns_batch batch ON batch.id = item.batch_id
LEFT JOIN accounts_user person ON person.id = batch.made_by_id
WHERE item.batch_id = %s AND item.state = 'waiting' AND batch.state = 'running' AND (
  batch.kind <> 'import' OR NOT EXISTS (
    SELECT FROM campaigns_batchitem earlier
    WHERE earlier.batch_id = item.batch_id AND earlier.state = 'waiting' AND earlier.id < item.id
  )
) ORDER BY item.id LIMIT 1 FOR UPDATE OF item SKIP LOCKED
"""  # noqa: S608
"""Others that are at the same batch take the next; a cancelled batch has none left.

Results of a file are made in its order, because a warband may be in several: whoever comes second finds nothing.
"""


def resolve_next(*, batch: int) -> bool:
    """The first that nobody has in hand; whether there was one. What fails is left as it was, and marked as failed.

    A database that is away or has chosen us to break a deadlock says nothing about the battle: that is tried again.
    """
    item = None
    try:
        with transaction.atomic():
            item = _claimed(batch)
            if item is None:
                return False
            _mark(item, _resolved(item))
    except (OperationalError, InterfaceError):
        raise
    except (RuleViolation, InputError) as refused:
        assert item is not None
        _fail(item, str(refused))
    except Exception as mistake:
        if item is None:
            raise
        log.exception("a battle of a batch failed", batch=batch, battle=item.battle_id)
        _fail(item, _("A mistake of ours: %(kind)s. It is in the log.") % {"kind": type(mistake).__name__})
    return True


def _claimed(batch: int) -> BatchItem | None:
    found = send(CLAIM, batch).fetchone()
    if found is None:
        return None
    item = loaded(BatchItem, found[: width(BatchItem)])
    item.batch = loaded(Batch, found[width(BatchItem) : -width(User)])
    maker = found[-width(User) :]
    item.batch.made_by = loaded(User, maker) if maker[0] is not None else None
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
    rewrite([item], ["battle", "state", "needs", "report", "reason", "ended"])


@transaction.atomic
def _fail(item: BatchItem, reason: str) -> None:
    """Nothing is left of what was tried. Somebody else may have had better luck since."""
    waiting = BatchItem.objects.select_for_update().filter(pk=item.pk, state=State.WAITING).first()
    if waiting is not None:
        waiting.state, waiting.reason, waiting.ended = State.FAILED, reason[:500], timezone.now()
        waiting.save(update_fields=["state", "reason", "ended"])
