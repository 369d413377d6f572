"""`manage.py import_results FILE --campaign 3 [--dry-run]`: the results of many battles from a file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from accounts.models import User
from campaigns.management.commands.resolve import Command as Resolve
from campaigns.models import Campaign, Membership
from campaigns.services.start_import import BadResults, check_file, start_import
from rules.engine.errors import RuleViolation


class Command(Resolve):
    help = "Import the results of many battles from a CSV or JSON file. See docs/results-file.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="CSV or JSON")
        parser.add_argument("--campaign", type=int, required=True, help="its number, as in its address")
        parser.add_argument("--dry-run", action="store_true", help="only check the file")
        parser.add_argument("--no-resolve", action="store_true", help="leave the post-games to the players")
        parser.add_argument("--again", action="store_true", help="though this file was imported before")
        parser.add_argument("--workers", action="store_true", help="leave the work to the workers and watch")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = Campaign.objects.filter(pk=options["campaign"]).first()
        if campaign is None:
            raise CommandError(f"There is no campaign {options['campaign']}.")
        try:
            content = options["file"].read_bytes()
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}.") from error
        try:
            self._import(campaign, content, options)
        except BadResults as refused:
            for one in refused.problems:
                self.stderr.write(
                    ": ".join(filter(None, (", ".join(filter(None, (one.where, one.column))), one.sentence)))
                )
            raise CommandError(refused.message) from refused
        except RuleViolation as refused:
            raise CommandError(refused.message) from refused

    def _import(self, campaign: Campaign, content: bytes, options: dict[str, Any]) -> None:
        resolves = not options["no_resolve"]
        if options["dry_run"]:
            count = len(check_file(campaign=campaign, content=content, resolves=resolves))
            self.stdout.write(f"{count} battles, and nothing is wrong with them. Nothing was imported.")
            return
        batch = start_import(
            actor=_game_master(campaign), campaign=campaign, content=content, resolves=resolves,
            again=options["again"], send=options["workers"],
        )  # fmt: skip
        self._watch(batch) if options["workers"] else self._work(batch)
        self._tell(batch)


def _game_master(campaign: Campaign) -> User:
    return User.objects.get(memberships__campaign=campaign, memberships__role=Membership.Role.GM)
