from celery import shared_task
from structlog import get_logger

from warbands.reconcile import reconcile

log = get_logger("aftermath.ledger")


@shared_task
def reconcile_ledgers() -> None:
    """Every night. A difference is a bug of ours, so it is an error in the log and stays in the table."""
    run = reconcile()
    if run.differences:
        log.error("ledgers differ from the tables", run=run.pk, differences=len(run.differences))
