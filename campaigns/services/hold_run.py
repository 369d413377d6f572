"""Take a run in hand: battle and warbands locked, everything read, and written when the block ends well."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.locks import lock_campaign
from campaigns.models import Battle, Run
from campaigns.playing import Playing
from campaigns.postgame import Outcome, Table, waits_on
from campaigns.services.move_battle import refuse_unless
from campaigns.taking import take_table
from rules.engine.errors import RuleViolation


class StaleRun(RuleViolation):
    """Another tab, device or person was faster."""

    def __init__(self, current: int) -> None:
        super().__init__("stale", _("This post-game has gone on since you opened the page. Look at it again first."))
        self.current = current


@dataclass
class Held:
    """A run under lock, with somebody who may act in it."""

    playing: Playing
    run: Run

    @property
    def table(self) -> Table:
        return self.playing.table

    def outcome(self) -> Outcome:
        return self.playing.outcome(self.run)

    def go_on(self) -> None:
        """What was changed may have been the last thing that a quiet step waited for."""
        self.playing.touch(self.run)
        self.playing.advance_all(self.run)


@contextmanager
def held_run(
    run: Run, *, actor: User | None, expected_version: int | None = None, with_campaign: bool = False
) -> Iterator[Held]:
    """All of it in one transaction; a refusal inside leaves everything as it was. The campaign is locked if wanted."""
    with transaction.atomic():
        campaign = lock_campaign(run.battle.campaign_id) if with_campaign else None
        table = take_table(run.battle_id)
        if campaign is not None:
            table.battle.campaign = table.campaign = campaign
        refuse_unless(table.battle, Battle.State.POSTGAME)
        found = table.runs[run.warband_id]
        if found.state != Run.State.OPEN:
            raise RuleViolation("run_finished", _("This post-game is finished."))
        if expected_version is not None and expected_version != found.version:
            raise StaleRun(found.version)
        playing = Playing(table, actor)
        yield Held(playing, found)
        playing.save()


def refuse_stranger(held: Held, actor: User | None, warband: int | None = None) -> None:
    """Whose turn it is: the owner of the run, or of another warband where a question is theirs."""
    whose = held.table.rows[held.run.warband_id if warband is None else warband]
    if actor is None or whose.owner_id != actor.pk:
        raise RuleViolation("not_yours", _("That is for %(owner)s to decide.") % {"owner": whose.owner.name})


def refuse_unless_runs(held: Held, actor: User) -> None:
    """What is done by hand, in the run of anybody: for those who run the campaign."""
    campaign = held.table.campaign
    if campaign.is_over:
        raise RuleViolation("campaign_over", _("This campaign has ended. Nothing in it changes any more."))
    if not campaign.memberships.filter(person=actor, role__in=("gm", "co_gm")).exists():
        raise RuleViolation("not_gm", _("Only those who run the campaign do this."))


def refuse_waiting(held: Held) -> None:
    late = waits_on(held.table, held.run)
    if late:
        names = ", ".join(held.table.rows[key].name for key in late)
        raise RuleViolation("waits", _("This step waits for %(names)s.") % {"names": names})
