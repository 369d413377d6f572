"""An edition is taken out of use: campaigns that play with it wait until they have another."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from rules.engine.errors import RuleViolation
from rules.models import PackEdition
from rules.services.create_pack import Actor
from rules.services.save_edition import lock_pack


@transaction.atomic
def withdraw_edition(*, actor: Actor, edition: PackEdition) -> PackEdition:
    lock_pack(edition.pack_id, actor)
    row = PackEdition.objects.select_for_update(no_key=True, of=("self",)).select_related("pack").get(pk=edition.pk)
    if row.state != PackEdition.State.PUBLISHED:
        raise RuleViolation("not_published", _("Only an edition that is published can be withdrawn."))
    row.state, row.withdrawn = PackEdition.State.WITHDRAWN, timezone.now()
    row.save(update_fields=["state", "withdrawn"])
    return row
