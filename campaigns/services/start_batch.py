"""Put battles into a batch and let the workers begin."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.batches import send_chunks
from campaigns.locks import lock_campaign
from campaigns.models import Batch, BatchItem, Battle, Campaign
from campaigns.telling import tell
from rules.engine.errors import RuleViolation

RESOLVABLE = (Battle.State.CONFIRMED, Battle.State.POSTGAME)


@transaction.atomic
def start_batch(
    *,
    actor: User | None,
    campaign: Campaign,
    battles: Iterable[int] | None = None,
    turn: int | None = None,
    is_preview: bool = False,
    send: bool = True,
) -> Batch:
    """Every battle of the campaign that waits for its post-game, those of the round with a number, or those named.

    A battle in the selection that cannot be resolved is in it as failed, with the reason; the rest goes on. A battle
    that another batch has in hand is left to that one: two presses of the button are one batch and an empty one.
    Without `send` whoever calls does the work.
    """
    row = lock_campaign(campaign)
    if row.is_over:
        raise RuleViolation("campaign_over", _("This campaign has ended. Nothing in it changes any more."))
    chosen = _chosen(row, battles, turn, is_preview)
    if not chosen:
        raise RuleViolation("nothing_to_resolve", _("There is no battle whose post-game waits to be resolved."))
    batch = Batch.objects.create(campaign=row, made_by=actor, is_preview=is_preview)
    BatchItem.objects.bulk_create((_item(batch, *battle) for battle in chosen), batch_size=2000)
    if not is_preview:
        tell(campaign=row, kind="batch_started", actor=actor, count=len(chosen))
    if send:
        transaction.on_commit(lambda: send_chunks(batch))
    return batch


def resolvable(campaign: Campaign, turn: int | None = None) -> "QuerySet[Battle]":
    """What waits for its post-game, of all rounds or of one."""
    found = campaign.battles.filter(state__in=RESOLVABLE).order_by("number")
    return found if turn is None else found.filter(round__number=turn)


def _chosen(
    campaign: Campaign, battles: Iterable[int] | None, turn: int | None, is_preview: bool
) -> list[tuple[int, str]]:
    named = campaign.battles.order_by("number")
    found = named.filter(pk__in=list(battles)) if battles is not None else resolvable(campaign, turn)
    if not is_preview:
        taken = BatchItem.objects.filter(
            batch__campaign=campaign, batch__state=Batch.State.RUNNING, batch__is_preview=False,
            state=BatchItem.State.WAITING, battle__isnull=False,
        )  # fmt: skip
        found = found.exclude(pk__in=taken.values("battle"))
    return list(found.values_list("pk", "state"))


def _item(batch: Batch, battle: int, state: str) -> BatchItem:
    if state in RESOLVABLE:
        return BatchItem(batch=batch, battle_id=battle)
    reason = _("This battle is %(state)s: there is nothing to resolve.") % {"state": Battle.State(state).label}
    return BatchItem(batch=batch, battle_id=battle, state=BatchItem.State.FAILED, reason=reason)
