from celery import shared_task
from django.core.management import call_command

from config.health import record_heartbeat


@shared_task
def beat_of_the_heart() -> None:
    record_heartbeat()


@shared_task
def clear_expired_sessions() -> None:
    call_command("clearsessions")
