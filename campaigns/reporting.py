"""What the services about reports share: the battle under its locks, who acts, and what notices wait for."""

from collections.abc import Mapping

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.battles import Standing, open_battle
from campaigns.models import Battle, Participation
from campaigns.report_rows import Table, read_table
from campaigns.services.move_battle import refuse_unless
from campaigns.telling import settle
from rules.engine.errors import RuleViolation

State, Answer = Battle.State, Participation.Answer


class StaleReport(RuleViolation):
    """Somebody else was faster."""

    def __init__(self) -> None:
        super().__init__("stale", _("The report has changed since you opened the page. Look at it again first."))


def open_report(battle: Battle, actor: User, *states: str, version: int | None = None) -> tuple[Table, Standing]:
    """Campaign and battle locked, in one of these states, as the form saw it, and read."""
    locked, standing = open_battle(battle, actor)
    refuse_report_unless(locked, *states)
    if version is not None and version != locked.version:
        raise StaleReport
    return read_table(locked), standing


def refuse_unseen(table: Table, seen: Mapping[str, int] | None) -> None:
    """`seen` are the versions of its parts that somebody looked at."""
    if seen is not None and any(seen.get(key, -1) != version for key, version in table.versions.items()):
        raise StaleReport


def refuse_report_unless(battle: Battle, *states: str) -> None:
    """The commonest surprise at a table has a sentence of its own: somebody else has sent the report."""
    if states == (State.PLAYING,) and battle.state == State.REPORTED and battle.reported_by is not None:
        sentence = _("%(name)s has sent this report already.") % {"name": battle.reported_by.name}
        raise RuleViolation("reported_already", sentence)
    refuse_unless(battle, *states)


def answer_matter(battle: Battle, person: int) -> str:
    """What a notice to confirm waits for: one person's answer."""
    return f"battle/{battle.pk}/report/{person}"


def ruling_matter(battle: Battle) -> str:
    return f"battle/{battle.pk}/ruling"


def settle_all(table: Table) -> None:
    """Nobody need answer any more."""
    for part in table.parts:
        settle(answer_matter(table.battle, part.warband.owner_id))
    settle(ruling_matter(table.battle))


def deadline_words(battle: Battle) -> str:
    """As it stands in a sentence, in the site's time zone."""
    return date_format(localtime(battle.confirms_itself), "l j F, H:i") if battle.confirms_itself else ""
