from celery import shared_task

from panel import comparing, last_runs, notices
from warbands.reconcile import reconcile

last_runs.watch()


@shared_task
def publish_notices() -> None:
    notices.publish_notices()


@shared_task
def compare_ledgers() -> None:
    try:
        reconcile(comparing.tell)
    finally:
        comparing.end()
