"""Orders that are being put together are kept: a basket, an allocation. Nothing is done with them yet."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.locks import lock_battle
from campaigns.models import Battle, Run
from campaigns.services.hold_run import StaleRun
from campaigns.services.move_battle import refuse_unless
from rules.engine.errors import RuleViolation
from rules.engine.rounds import step_of


@transaction.atomic
def keep_draft(
    *, actor: User, run: Run, key: str, orders: Sequence[Mapping[str, Any]], expected_version: int | None = None
) -> Run:
    """Under the battle's lock like everything that writes a run; the warbands are not touched."""
    refuse_unless(lock_battle(run.battle_id), Battle.State.POSTGAME)
    found = Run.objects.select_for_update(of=("self",)).select_related("warband").get(pk=run.pk)
    if found.warband.owner_id != actor.pk:
        raise RuleViolation("not_yours", _("Only its player does that."))
    if found.state != Run.State.OPEN or not key.startswith(f"{found.warband_id}/{step_of(found.step)}/"):
        raise RuleViolation("step_closed", _("This step is closed already."))
    if expected_version is not None and expected_version != found.version:
        raise StaleRun(found.version)
    found.drafts = found.drafts | {key: [dict(order) for order in orders]}
    found.version += 1
    found.save(update_fields=["drafts", "version"])
    return found
