from typing import Any

from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Check every pack against its schema and against each other."

    def handle(self, *args: Any, **options: Any) -> None:
        pass
