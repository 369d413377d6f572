"""No further season; those that were played stay in the result."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Simulation
from rules.engine.errors import RuleViolation


@transaction.atomic
def cancel_simulation(*, actor: User | None, simulation: Simulation) -> Simulation:
    row = Simulation.objects.select_for_update().get(pk=simulation.pk)
    if not row.is_running:
        raise RuleViolation("simulation_over", _("This simulation is over already."))
    row.state, row.finished = Simulation.State.CANCELLED, timezone.now()
    row.save(update_fields=["state", "finished"])
    return row
