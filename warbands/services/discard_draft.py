"""A draft that nobody wants any more."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from rules.engine.errors import RuleViolation
from warbands.models import Warband
from warbands.services.apply_changes import lock_warbands, refuse_stale


@transaction.atomic
def discard_draft(*, actor: User, warband: Warband, expected_version: int | None = None) -> None:
    """Only drafts: what is founded has a history, and others remember it."""
    row = lock_warbands([warband.pk]).get(warband.pk)
    if row is None:
        return
    refuse_stale(row, expected_version)
    if row.status != Warband.Status.DRAFT:
        raise RuleViolation("not_a_draft", _("This warband is founded. It can be retired, not thrown away."))
    row.delete()
