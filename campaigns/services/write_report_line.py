"""Write lines of a report, one or many, beside others who do the same."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.battles import refuse_over, standing_in
from campaigns.locks import lock_battle
from campaigns.models import Battle
from campaigns.report import Clash, Edit, edited
from campaigns.report_checks import Finding, impossible
from campaigns.report_rows import Table, read_table, write_paper
from campaigns.reporting import State, refuse_report_unless, refuse_unseen
from rules.engine.errors import RuleViolation


@dataclass(frozen=True)
class Written:
    """The report as it is now, what changed in it, and what was not written: because it clashes or cannot be."""

    before: Mapping[str, int]
    """The versions of all parts just before, by which the caller knows what somebody had not seen."""
    table: Table
    changed: frozenset[str]
    clashes: Mapping[str, Clash]
    refused: tuple[Finding, ...]

    @property
    def is_clean(self) -> bool:
        return not self.clashes and not self.refused


@transaction.atomic
def write_report_line(
    *, actor: User, battle: Battle, edits: Mapping[str, Edit], seen: Mapping[str, int] | None = None
) -> Written:
    """What can be written is; a clash is shown to whoever came second, and nothing of theirs is lost.

    Whoever wants to write only on what they know says by `seen` which versions of the parts that is.
    """
    table = _locked(battle, actor)
    refuse_unseen(table, seen)
    known = {key: edit for key, edit in edits.items() if key in table.paper.parts()}
    refused = _refused(table, known)
    wrong = {found.where for found in refused}
    done = edited(table.paper, table.cast, {key: edit for key, edit in known.items() if key not in wrong})
    changed = write_paper(table, done.paper, actor)
    return Written(table.versions, read_table(table.battle), frozenset(changed), done.clashes, refused)


def _locked(battle: Battle, actor: User) -> Table:
    """Only the battle: a line is saved often, touches no other row, and should not wait for the campaign."""
    locked = lock_battle(battle)
    refuse_over(locked.campaign)
    if not standing_in(locked, actor).takes_part:
        raise RuleViolation("not_yours", _("Only those who fought this battle and the game master write its report."))
    refuse_report_unless(locked, State.PLAYING)
    return read_table(locked)


def _refused(table: Table, edits: Mapping[str, Edit]) -> tuple[Finding, ...]:
    """Each edit is tried alone, so that one that cannot be does not keep the others from being written."""
    found = []
    for key, edit in edits.items():
        tried = edited(table.paper, table.cast, {key: edit}).paper
        if tried != table.paper:
            found += [wrong for wrong in impossible(table.cast, tried, table.pack.achievements) if wrong.where == key]
    return tuple(found)
