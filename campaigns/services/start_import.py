"""Results of many battles from a file: everything is checked first, then workers make one battle after the other."""

from collections.abc import Sequence
from hashlib import sha256

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from campaigns.batches import send_chunks
from campaigns.battles import refuse_over
from campaigns.locks import lock_campaign
from campaigns.models import Batch, BatchItem, Campaign
from campaigns.results_check import check_results
from campaigns.results_file import Problem, Unreadable, read_rows
from campaigns.results_given import Given, to_plain
from campaigns.telling import tell
from rules.engine.errors import RuleViolation


class BadResults(RuleViolation):
    """The file has mistakes; nothing was written."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        sentence = ngettext(
            "There is %(count)s mistake in this file. Nothing was imported.",
            "There are %(count)s mistakes in this file. Nothing was imported.",
            len(problems),
        )
        super().__init__("bad_results", sentence % {"count": len(problems)})
        self.problems = problems


def check_file(*, campaign: Campaign, content: bytes, resolves: bool) -> list[Given]:
    """The battles of a file, or everything that is wrong with it."""
    try:
        checked = check_results(read_rows(content), campaign, resolves=resolves)
    except Unreadable as nonsense:
        raise BadResults(nonsense.problems) from nonsense
    if checked.problems:
        raise BadResults(checked.problems)
    return checked.battles


@transaction.atomic
def start_import(
    *, actor: User, campaign: Campaign, content: bytes, resolves: bool = True, again: bool = False, send: bool = True
) -> Batch:
    """`again` reads a file that was read before. Without `send` whoever calls does the work."""
    row = lock_campaign(campaign)
    refuse_over(row)
    if not row.is_running:
        raise RuleViolation("not_begun", _("The campaign has not begun yet."))
    digest = sha256(content).hexdigest()
    before = Batch.objects.filter(campaign=row, digest=digest).exclude(state=Batch.State.CANCELLED)
    if not again and before.exists():
        raise RuleViolation("imported_already", _("This file was imported already. Its battles would be there twice."))
    battles = check_file(campaign=row, content=content, resolves=resolves)
    batch = Batch.objects.create(campaign=row, made_by=actor, kind=Batch.Kind.IMPORT, resolves=resolves, digest=digest)
    BatchItem.objects.bulk_create(
        (BatchItem(batch=batch, given=to_plain(battle)) for battle in battles), batch_size=1000
    )
    tell(campaign=row, kind="import_started", actor=actor, count=len(battles))
    if send:
        transaction.on_commit(lambda: send_chunks(batch))
    return batch
