"""A fate reroll is spent on one die of the last roll."""

from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Run
from campaigns.services.hold_run import held_run, refuse_stranger, refuse_waiting
from rules.engine.errors import RuleViolation


def spend_fate(*, actor: User, run: Run, key: str, die: int, expected_version: int | None = None) -> Run:
    """At the table one decides before the next dice are thrown, and so here."""
    with held_run(run, actor=actor, expected_version=expected_version) as held:
        refuse_stranger(held, actor)
        refuse_waiting(held)
        rolls = held.outcome().result.rolls
        if not rolls or rolls[-1].key != key:
            raise RuleViolation("not_the_last_roll", _("Fate only throws again what was rolled last."))
        if die not in rolls[-1].may_reroll:
            raise RuleViolation("no_reroll", _("This die cannot be thrown again."))
        held.run.fate = held.run.fate | {key: [*held.run.fate.get(key, []), die]}
        held.outcome()
        held.go_on()
    return held.run
