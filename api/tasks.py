from celery import shared_task

from api import once


@shared_task
def forget_old_answers() -> None:
    """Every hour: answers under a key that has been free again for a while."""
    once.forget_old_answers()
