from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from campaigns.demo import campaign_in_the_middle


class Command(BaseCommand):
    help = "Fill an empty database with the demo campaign."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--if-empty", action="store_true", help="do nothing when there is anybody already")

    def handle(self, *args: Any, if_empty: bool = False, **options: Any) -> None:
        if User.objects.exists():
            if if_empty:
                return
            raise CommandError("There are people in this database already. make reset gives an empty one.")
        self.stdout.write(f"Seeded the demo campaign, {campaign_in_the_middle()}.")
