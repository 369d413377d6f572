from typing import Any

from django.core.management.base import BaseCommand

from rules.codex.load import load_codex


class Command(BaseCommand):
    help = "Fill the reference's search from the packs. Running it again changes nothing."

    def handle(self, *args: Any, verbosity: int = 1, **options: Any) -> None:
        count = load_codex()
        if verbosity:
            self.stdout.write(f"{count} entries of the reference can be searched.")
