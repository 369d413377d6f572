"""Write what the documents say of the API, or check that it is what the code says."""

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from api.pages import with_table
from api.schema import document


class Command(BaseCommand):
    help = "Write docs/openapi.json and the table in docs/api.md from the calls; with --check only compare."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="fail if the files are not what the code says")

    def handle(self, *args: Any, **options: Any) -> None:
        docs = settings.BASE_DIR / "docs"
        schema = json.dumps(document(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"
        for file, text in ((docs / "openapi.json", schema), (docs / "api.md", with_table(_read(docs / "api.md")))):
            if not options["check"]:
                file.write_text(text)
            elif _read(file) != text:
                raise CommandError(f"docs/{file.name} is not what the code says. Run: python manage.py api_schema")


def _read(file: Path) -> str:
    return file.read_text() if file.exists() else ""
