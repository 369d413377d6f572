"""A draft becomes a warband, when it is legal; its ledger begins."""

from uuid import uuid4

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from rules.editions import refuse_withdrawn
from rules.engine.errors import RuleViolation
from rules.engine.plain import state_to_plain
from warbands.draft_log import edits_since
from warbands.ledger import FOUNDED
from warbands.models import LedgerEntry, Warband
from warbands.projection import read_state
from warbands.services.apply_changes import Stale, lock_warband
from warbands.services.draft import draft_problems
from warbands.settings import founding_pins, founding_terms


@transaction.atomic
def found(*, actor: User, warband: Warband, expected_version: int | None = None) -> Warband:
    row = lock_warband(warband)
    if row.status != Warband.Status.DRAFT:
        return row
    if expected_version is not None and expected_version != row.version:
        raise Stale(row.version, edits_since(row, expected_version))
    refuse_withdrawn(founding_pins(row))
    state = read_state(row)
    open_problems = draft_problems(state, *founding_terms(row))
    if open_problems:
        raise RuleViolation("not_legal", " ".join(problem.sentence for problem in open_problems))
    row.status = Warband.Status.READY
    row.version += 1
    row.draft_log = []
    row.save(update_fields=["status", "version", "draft_log"])
    begin_ledger(row, actor)
    return row


def begin_ledger(row: Warband, actor: User | None) -> LedgerEntry:
    state = read_state(row)
    change = {"event": FOUNDED, "state": state_to_plain(state), "roster": list(state.fighters)}
    return LedgerEntry.objects.create(
        warband=row, sequence=1, act=uuid4(), cause=_("Founded"), actor=actor, change=change, version=row.version
    )
