from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules.engine.pack.check import check_packs
from rules.engine.pack.load import PACKS, STANDARD


class Command(BaseCommand):
    help = "Check packs against their schema and against each other."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folders", nargs="*", type=Path, help="packs to lay over those that come with Aftermath")

    def handle(self, *args: Any, folders: list[Path] | None = None, verbosity: int = 1, **options: Any) -> None:
        chosen = [*(PACKS / name for name in STANDARD), *(folders or [])]
        findings = check_packs(chosen)
        if findings:
            raise CommandError("\n".join(["The packs have mistakes:", *map(str, findings)]))
        if verbosity:
            self.stdout.write(f"{len(chosen)} packs without mistakes: {', '.join(folder.name for folder in chosen)}.")
