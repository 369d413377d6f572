"""A warband that has seen enough: its history stays, it fights no more."""

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from accounts.models import User
from rules.engine.errors import RuleViolation
from warbands.models import Warband
from warbands.services.apply_changes import lock_warband, refuse_stale

NOT_OVER = ("pregame", "playing", "reported", "disputed", "confirmed", "postgame")
"""States of a battle between its first roll and its end; the battle is the campaign's."""


def is_in_a_battle(warband: Warband) -> bool:
    return warband.participations.filter(battle__state__in=NOT_OVER).exists()


@transaction.atomic
def retire_warband(*, actor: User, warband: Warband, expected_version: int | None = None) -> None:
    row = lock_warband(warband)
    refuse_stale(row, expected_version)
    if row.status == Warband.Status.DRAFT:
        raise RuleViolation("still_a_draft", _("A draft has not fought yet. Throw it away instead of retiring it."))
    if row.status == Warband.Status.RETIRED:
        return
    if is_in_a_battle(row):
        raise RuleViolation("in_a_battle", _("Its battle is not over. Finish that and its post-game first."))
    Warband.objects.filter(pk=row.pk).update(status=Warband.Status.RETIRED, version=F("version") + 1)
