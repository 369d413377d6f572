"""A step is done: what it changed is written, and the run goes on."""

from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Run
from campaigns.services.hold_run import held_run, refuse_stranger, refuse_waiting
from rules.engine.errors import RuleViolation


def close_step(*, actor: User, run: Run, step: str, expected_version: int | None = None) -> Run:
    """`step` is the one that the page showed: a second click does not close the next one."""
    with held_run(run, actor=actor, expected_version=expected_version) as held:
        refuse_stranger(held, actor)
        if held.run.step != step:
            raise RuleViolation("step_closed", _("This step is closed already."))
        refuse_waiting(held)
        outcome = held.outcome()
        if not outcome.complete:
            raise RuleViolation("not_complete", _("This step still waits for a roll or an answer."))
        held.playing.close(held.run, outcome)
        held.playing.advance_all(held.run)
    return held.run
