"""An operator has all ledgers compared with all rosters now, and not at night."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from panel import comparing
from panel.tasks import compare_ledgers as task
from rules.engine.errors import RuleViolation


@transaction.atomic
def compare_ledgers(*, actor: User) -> None:
    if not actor.is_superuser:
        raise RuleViolation("not_operator", _("Only operators can do this."))
    if not comparing.begin():
        raise RuleViolation("comparing", _("They are being compared already."))
    transaction.on_commit(task.delay)
