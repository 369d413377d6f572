"""The rest is answered by the player's policy, with the server's dice: of a step, or of the whole run."""

from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Run
from campaigns.policies import policies_of, policy_of
from campaigns.postgame import after
from campaigns.services.hold_run import held_run, refuse_stranger, refuse_waiting
from rules.engine.errors import RuleViolation


def finish_run(*, actor: User, run: Run, step: str = "", expected_version: int | None = None) -> Run:
    """With `step`, only that one. It stops where another player is needed, or at a topic that is reserved."""
    with held_run(run, actor=actor, expected_version=expected_version) as held:
        refuse_stranger(held, actor)
        if step and held.run.step != step:
            raise RuleViolation("step_closed", _("This step is closed already."))
        refuse_waiting(held)
        found = policies_of([actor.pk], held.table.campaign).get(actor.pk)
        held.playing.play_out(held.run, policy_of(found, reserve=not step), until=after(step) if step else "")
        held.go_on()
    return held.run
