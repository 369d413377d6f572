"""An operator makes somebody an operator, or ends it."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from rules.engine.errors import RuleViolation


@transaction.atomic
def set_operator(*, actor: User, person: User, is_operator: bool) -> None:
    """Nobody does it to themselves, so there is always one left."""
    if person.pk == actor.pk:
        raise RuleViolation("yourself", _("You cannot do this to your own account."))
    both = User.objects.select_for_update().order_by("pk").in_bulk([actor.pk, person.pk])
    if not both[actor.pk].is_superuser:
        raise RuleViolation("not_operator", _("Only operators can do this."))
    row = both[person.pk]
    if is_operator and not row.is_active:
        raise RuleViolation("closed_account", _("This account is closed to sign-in."))
    row.is_superuser = row.is_staff = is_operator
    row.save(update_fields=["is_superuser", "is_staff"])
