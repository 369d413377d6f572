import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules.engine.errors import InputError, RuleViolation
from rules.engine.pack.load import load_packs
from rules.engine.scenario import pack_folders, play_scenario, read_scenario


class Command(BaseCommand):
    help = "Play a scenario file; prints events, rolls, open questions and the final state as JSON."
    requires_system_checks: list[str] = []  # noqa: RUF012

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            scenario = read_scenario(file)
            result = play_scenario(scenario, load_packs(pack_folders(scenario)))
        except InputError as error:
            raise CommandError(str(error)) from error
        except RuleViolation as error:
            raise CommandError(f"{error.code}: {error.message}") from error
        self.stdout.write(json.dumps(result, indent=2, ensure_ascii=False))
