from celery import shared_task

from panel import last_runs, notices

last_runs.watch()


@shared_task
def publish_notices() -> None:
    notices.publish_notices()
