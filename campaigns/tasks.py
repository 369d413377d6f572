from collections.abc import Callable, Iterable

from celery import shared_task
from django.utils import timezone
from structlog import get_logger

from campaigns.batches import CHUNK, has_turn, lost_batches, send_anew, send_chunk
from campaigns.digests import due
from campaigns.models import Delivery, Webhook
from campaigns.models.webhook import KEPT
from campaigns.services.confirm_late_report import confirm_late_report, late_reports
from campaigns.services.end_batch import end_batch
from campaigns.services.finish_late_run import finish_late_run, late_battles
from campaigns.services.resolve_item import resolve_next
from campaigns.services.run_simulation_chunk import run_simulation_chunk
from campaigns.services.send_delivery import send_delivery
from campaigns.services.send_digest import send_digest
from campaigns.simulations import lost_simulations, send_simulation
from campaigns.webhooks import with_something_due
from rules.engine.errors import RuleViolation

log = get_logger("aftermath.campaigns")

AT_A_TIME = 5
"""Deliveries that a task sends before it goes to the end of the queue: a slow receiver holds up nobody for long."""


@shared_task
def run_chunk(batch: int, wave: int = 0) -> None:
    """Some battles of a batch, each in its own transaction; then the next chunk goes to the end of the queue."""
    if not has_turn(batch, wave):
        return
    for _number in range(CHUNK):
        if not resolve_next(batch=batch):
            end_batch(batch=batch)
            return
    send_chunk(batch, wave)


@shared_task
def run_simulation(simulation: int) -> None:
    """Some seasons; then the next ones go to the end of the queue."""
    if run_simulation_chunk(simulation=simulation):
        send_simulation(simulation)


@shared_task
def tend_batches() -> None:
    """Every minute: what has lost its messages, with Redis or with a worker, gets new ones."""
    for batch in lost_batches():
        log.warning("a batch has lost its messages", batch=batch.pk)
        if not end_batch(batch=batch.pk):
            send_anew(batch)
    for simulation in lost_simulations():
        log.warning("a simulation has lost its message", simulation=simulation.pk)
        send_simulation(simulation.pk)


@shared_task
def finish_late_runs() -> None:
    """Every few minutes. Each battle has its own transaction."""
    _each(late_battles().values_list("pk", flat=True), lambda pk: finish_late_run(battle=pk))


@shared_task
def confirm_late_reports() -> None:
    """Every few minutes. Each battle has its own transaction."""
    _each(late_reports().values_list("pk", flat=True), lambda pk: confirm_late_report(battle=pk))


def _each(battles: Iterable[int], act: Callable[[int], object]) -> None:
    """One that fails holds up no other, now and the next time; mistakes are raised when all have had their turn."""
    mistakes = []
    for pk in battles:
        try:
            if act(pk):
                log.info("a deadline was kept", battle=pk)
        except RuleViolation as refused:
            log.warning("a deadline could not be kept", battle=pk, reason=str(refused))
        except Exception as mistake:
            mistakes.append(mistake)
    if mistakes:
        raise ExceptionGroup("deadlines could not be kept", mistakes)


@shared_task
def send_digests() -> None:
    """Every hour: a task a person, so that one mail that fails holds up nobody else."""
    for pk in due(timezone.now()).values_list("pk", flat=True):
        send_one_digest.delay(pk)


@shared_task
def send_one_digest(person: int) -> None:
    send_digest(person=person)


@shared_task
def send_webhooks(campaign: int) -> None:
    """Something happened in a campaign: a task a webhook, so that one that is slow holds up no other."""
    for pk in Webhook.objects.filter(campaign=campaign, paused_at=None).values_list("pk", flat=True):
        send_webhook.delay(pk)


@shared_task
def send_webhook(webhook: int) -> None:
    for _number in range(AT_A_TIME):
        if not send_delivery(webhook=webhook):
            return
    send_webhook.delay(webhook)


@shared_task
def tend_webhooks() -> None:
    """Every few seconds: what is to be tried again, and what has lost its message."""
    for pk in with_something_due():
        send_webhook.delay(pk)


@shared_task
def forget_deliveries() -> None:
    """Every night. What still waits stays."""
    old = Delivery.objects.filter(made__lt=timezone.now() - KEPT).exclude(status=Delivery.Status.WAITING)
    old.delete()
