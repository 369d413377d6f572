from typing import Any

from django.core.management.base import BaseCommand, CommandError

from warbands.models import Warband
from warbands.reconcile import reconcile_all


class Command(BaseCommand):
    help = "Fold every ledger and compare it with the tables."

    def handle(self, *args: Any, **options: Any) -> None:
        found = list(reconcile_all())
        if found:
            raise CommandError("\n".join(map(str, found)))
        count = Warband.objects.exclude(status=Warband.Status.DRAFT).count()
        self.stdout.write(f"0 differences in {count} warbands.")
