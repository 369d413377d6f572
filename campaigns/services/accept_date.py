"""A battle gets its date."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.battles import open_battle
from campaigns.dates import everybody_can, gone, refuse_bad_date, refuse_begun, waits_for_dates, written
from campaigns.models import Battle, DateProposal
from campaigns.telling import notify, players_of, settle, tell
from rules.engine.errors import RuleViolation


@transaction.atomic
def accept_date(*, actor: User, proposal: DateProposal, expected_version: int | None = None) -> Battle:
    """Whoever proposed it, once everybody can; who runs the campaign at any time."""
    battle, standing = open_battle(proposal.battle, actor, expected_version)
    refuse_begun(battle)
    row = DateProposal.objects.filter(pk=proposal.pk).first()
    if row is None:
        raise gone()
    row.battle = battle
    refuse_bad_date(row.when)
    if not standing.runs_it and row.by_id != actor.pk:
        raise RuleViolation("not_your_date", _("Whoever proposed this date settles it, or a game master."))
    if not standing.runs_it and not everybody_can(row):
        raise RuleViolation("not_everybody_can", _("Not everybody has said that they can."))
    _set(battle, row)
    _say(actor, battle)
    return battle


def _set(battle: Battle, date: DateProposal) -> None:
    battle.scheduled_for, battle.place = date.when, date.place or battle.place
    battle.version += 1
    battle.save(update_fields=["scheduled_for", "place", "version"])


def _say(actor: User, battle: Battle) -> None:
    assert battle.scheduled_for is not None
    when = written(battle.scheduled_for)
    settle(waits_for_dates(battle))
    tell(campaign=battle.campaign, kind="date_agreed", actor=actor, battle=battle, when=when)
    notify(
        set(players_of(battle)) - {actor.pk},
        kind="date_agreed",
        campaign=battle.campaign,
        address=battle.get_absolute_url(),
        number=battle.number,
        when=when,
    )
