"""An operator closes an account to sign-in, or opens it again."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from rules.engine.errors import RuleViolation


@transaction.atomic
def set_may_sign_in(*, actor: User, person: User, may: bool) -> None:
    """A session of somebody who may not sign in counts for nothing, so there are none to end."""
    if person.pk == actor.pk:
        raise RuleViolation("yourself", _("You cannot do this to your own account."))
    row = User.objects.select_for_update().get(pk=person.pk)
    row.is_active = may
    row.save(update_fields=["is_active"])
