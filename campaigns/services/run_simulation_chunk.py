"""Some seasons of a simulation. They are played without a lock and put into the result under one, once."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from msgspec import to_builtins
from structlog import get_logger

from campaigns.models import Simulation
from campaigns.packs import pack_of
from campaigns.simulation import Tally, merged, simulate
from campaigns.simulations import chunk_of, start_of, tally_of

log = get_logger("aftermath.batches")
State = Simulation.State


def run_simulation_chunk(*, simulation: int) -> bool:
    """Whether there is more to do. Who finds the result further than it was has lost a race and drops their seasons."""
    row = Simulation.objects.select_related("campaign").get(pk=simulation)
    if not row.is_running:
        return False
    Simulation.objects.filter(pk=simulation).update(moved=timezone.now())
    start = start_of(row)
    chunk = chunk_of(row, len(start.states))
    try:
        tally = simulate(start, row.seed, chunk, row.rounds, pack_of(row.campaign))
    except Exception as mistake:
        log.exception("a simulation failed", simulation=simulation)
        return _fail(simulation, type(mistake).__name__)
    return _add(simulation, chunk, tally)


@transaction.atomic
def _add(simulation: int, chunk: range, tally: Tally) -> bool:
    row = Simulation.objects.select_for_update().get(pk=simulation)
    if not row.is_running or row.done != chunk.start:
        return False
    row.result = to_builtins(merged(tally_of(row), tally), str_keys=True)
    row.done, row.moved = chunk.stop, timezone.now()
    if row.done == row.seasons:
        row.state, row.finished = State.DONE, row.moved
    row.save(update_fields=["result", "done", "state", "moved", "finished"])
    return row.is_running


def _fail(simulation: int, kind: str) -> bool:
    reason = _("A mistake of ours: %(kind)s. It is in the log.") % {"kind": kind}
    Simulation.objects.filter(pk=simulation, state=State.RUNNING).update(
        state=State.FAILED, reason=reason, finished=timezone.now()
    )
    return False
