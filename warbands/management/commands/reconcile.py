from typing import Any

from django.core.management.base import BaseCommand, CommandError

from warbands.models import Warband
from warbands.reconcile import reconcile


class Command(BaseCommand):
    help = "Fold every ledger and compare it with the tables."

    def handle(self, *args: Any, **options: Any) -> None:
        total = Warband.objects.exclude(status=Warband.Status.DRAFT).count()
        run = reconcile(lambda done: self._say(done, total))
        if run.differences:
            raise CommandError("\n".join(map(_line, run.differences)))
        self.stdout.write(f"0 differences in {run.warbands} warbands.")

    def _say(self, done: int, total: int) -> None:
        """One line that is written over, where there is somebody to watch it."""
        if self.stderr.isatty():
            self.stderr.write(f"\r{done} of {total} warbands", ending="\n" if done >= total else "")


def _line(difference: dict[str, Any]) -> str:
    where, ledger, tables = (difference[part] for part in ("field", "ledger", "tables"))
    return f"warband {difference['warband']}, {where}: ledger {ledger!r}, tables {tables!r}"
