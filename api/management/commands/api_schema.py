"""Write the OpenAPI document to docs/openapi.json, or check that it is what the code says."""

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from api.schema import document


class Command(BaseCommand):
    help = "Write docs/openapi.json from the calls; with --check only compare."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="fail if the file is not what the code says")

    def handle(self, *args: Any, **options: Any) -> None:
        file = settings.BASE_DIR / "docs" / "openapi.json"
        text = json.dumps(document(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"
        if not options["check"]:
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            raise CommandError("docs/openapi.json is not what the code says. Write it: python manage.py api_schema")
