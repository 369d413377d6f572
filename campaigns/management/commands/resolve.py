"""`manage.py resolve --campaign 3 [--dry-run]`: the round in one action, from the command line."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaigns.batches import Progress, has_turn, progress_of
from campaigns.models import Batch, Campaign
from campaigns.services.end_batch import end_batch
from campaigns.services.resolve_item import resolve_next
from campaigns.services.start_batch import start_batch
from rules.engine.errors import RuleViolation

WIDTH = 30
OFTEN = 0.25
"""Seconds between two drawings: what is counted for one would otherwise take longer than the battles."""


class Command(BaseCommand):
    help = "Resolve the post-games of a campaign that wait, by their players' policies."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--campaign", type=int, required=True, help="its number, as in its address")
        parser.add_argument("--battle", type=int, action="append", help="only this one, by number; may be repeated")
        parser.add_argument("--round", type=int, help="only the battles of this round, by number")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen and do nothing")
        parser.add_argument("--workers", action="store_true", help="leave the work to the workers and watch")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = Campaign.objects.filter(pk=options["campaign"]).first()
        if campaign is None:
            raise CommandError(f"There is no campaign {options['campaign']}.")
        try:
            batch = start_batch(
                actor=None, campaign=campaign, battles=self._chosen(campaign, options["battle"]),
                turn=options["round"], is_preview=options["dry_run"], send=options["workers"],
            )  # fmt: skip
        except RuleViolation as refused:
            raise CommandError(refused.message) from refused
        self._watch(batch) if options["workers"] else self._work(batch)
        self._tell(batch)

    def _chosen(self, campaign: Campaign, numbers: list[int] | None) -> list[int] | None:
        if not numbers:
            return None
        found = dict(campaign.battles.filter(number__in=numbers).values_list("number", "pk"))
        unknown = sorted(set(numbers) - set(found))
        if unknown:
            raise CommandError(f"There is no battle {', '.join(map(str, unknown))} in {campaign.name}.")
        return list(found.values())

    def _work(self, batch: Batch) -> None:
        """Beat sees that it moves, and leaves it to us."""
        drawn = 0.0
        while resolve_next(batch=batch.pk):
            if time.monotonic() - drawn > OFTEN:
                has_turn(batch.pk, batch.wave)
                self._draw(progress_of(batch))
                drawn = time.monotonic()
        end_batch(batch=batch.pk)
        self._draw(progress_of(batch), last=True)

    def _watch(self, batch: Batch) -> None:
        while batch.state == Batch.State.RUNNING:
            self._draw(progress_of(batch))
            time.sleep(0.5)
            batch.refresh_from_db()
        self._draw(progress_of(batch), last=True)

    def _draw(self, at: Progress, last: bool = False) -> None:
        filled = WIDTH * at.ended // at.total if at.total else WIDTH
        left = "" if last or not at.rate else f", {at.time_left} left"
        bar = f"[{'#' * filled}{'.' * (WIDTH - filled)}] {at.ended}/{at.total}, {at.rate:.1f} a second{left}"
        self.stdout.write(f"\r{bar:<79}", ending="\n" if last else "")
        self.stdout.flush()

    def _tell(self, batch: Batch) -> None:
        at = progress_of(batch)
        self.stdout.write(f"{at.done} done, {at.needs} need somebody, {at.failed} failed.")
        for item in batch.items.select_related("battle").exclude(state="done").order_by("pk").iterator(500):
            why = item.reason or ", ".join(f"{need['name']} ({need['step']})" for need in item.needs)
            name = f"battle {item.battle.number}" if item.battle else f"result {item.given['name']}"
            self.stdout.write(f"  {name}: {item.get_state_display()}: {why}")
        if batch.is_preview:
            for item in batch.items.select_related("battle").order_by("pk").iterator(500):
                for outcome in item.report:
                    before, after = outcome["treasury"]
                    number = item.battle.number if item.battle else ""
                    self.stdout.write(f"  battle {number}: {outcome['name']}: treasury {before} to {after}")
