"""How a simulation gets on: its chunks on the queue, and what it came to."""

from collections.abc import Iterator
from datetime import timedelta

import msgspec
from celery import current_app
from django.conf import settings
from django.utils import timezone

from campaigns.models import Simulation
from campaigns.simulation import Start, Tally

BATTLES_A_CHUNK = 200
"""About a second of work: then it is somebody else's turn."""


def send_simulation(simulation: int) -> None:
    current_app.send_task("campaigns.tasks.run_simulation", [simulation])


def lost_simulations() -> Iterator[Simulation]:
    """Running, and silent for so long that their message must be lost."""
    quiet = timezone.now() - timedelta(seconds=settings.BATCH_QUIET_SECONDS)
    yield from Simulation.objects.filter(state=Simulation.State.RUNNING, moved__lt=quiet).only("pk")


def start_of(simulation: Simulation) -> Start:
    return msgspec.convert(simulation.start, Start)


def tally_of(simulation: Simulation) -> Tally:
    """JSON has no numbers for keys, so they come back from text."""
    return msgspec.convert(simulation.result, Tally, strict=False) if simulation.result else Tally()


def chunk_of(simulation: Simulation, warbands: int) -> range:
    """The seasons that come next."""
    battles = max(1, warbands // 2) * simulation.rounds
    size = max(1, BATTLES_A_CHUNK // battles)
    return range(simulation.done, min(simulation.done + size, simulation.seasons))
